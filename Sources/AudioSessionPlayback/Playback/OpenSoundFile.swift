package import AudioSessionCore
import Glibc

/// A regular file that stays open, so that it can be played after it was renamed, replaced or
/// deleted. It is closed when its last reference is released.
package final class OpenSoundFile: Sendable {
    package let path: String
    /// The path or file URL, independent of the current folder.
    let location: String
    private let descriptor: Int32

    package init(path: String) throws(AudioSessionError) {
        let location = SoundFileName.resolved(path)
        descriptor = try SoundFile.openRegularFile(path, at: location)
        self.path = path
        self.location = location
    }

    deinit { close(descriptor) }

    /// Returns another descriptor, at the beginning of the file. All descriptors have one position,
    /// so only the one that was made last may be read.
    func duplicate() throws(AudioSessionError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SoundFile.systemError(path, errno) }
        lseek(copy, 0, SEEK_SET)
        return copy
    }
}
