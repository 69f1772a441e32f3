package import AudioSessionCore
import CSndFile
import Glibc

/// A sound file that is being written, and can be read at any moment, also if this process is
/// killed.
///
/// The file has a temporary name in the same folder until ``moveIntoPlace()``, because opening an
/// existing file for writing destroys its content even if a later step fails.
///
/// Only one thread at a time may use it. It is closed when its last reference is released.
package final class RecordingFile {
    package let path: String
    /// The path, independent of the current folder.
    package let location: String
    package let format: AudioRecorder.Format
    package private(set) var frameCount: Int64 = 0
    package let descriptor: Int32
    private let type: AudioRecorder.FileType
    private var file: OpaquePointer?
    /// The final path: the given one, or the target of a symbolic link.
    private let destination: String
    /// The temporary path; `nil` after the file was moved.
    private var temporary: String?

    /// Creates a file under a temporary name.
    /// - Throws: `unsupportedFormat`, `cannotWrite`. The folder is then unchanged.
    package init(
        path: String, type: AudioRecorder.FileType, format: AudioRecorder.Format, permissions: UInt32 = 0o600,
        followsSymbolicLinks: Bool = false
    ) throws(AudioSessionError) {
        var info = try Self.info(type, format, path)
        destination = try Self.destination(of: path, followsSymbolicLinks: followsSymbolicLinks)
        let (descriptor, temporary) = try Self.makeTemporary(for: destination, permissions)
        guard let file = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, Int32(SF_FALSE)) else {
            Glibc.close(descriptor)
            unlink(temporary)
            throw Self.cannotBegin(path)
        }
        self.path = path
        location = Self.absolute(path)
        self.type = type
        self.format = format
        self.descriptor = descriptor
        self.temporary = temporary
        self.file = file
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        // libsndfile changes the header to RF64 when the file exceeds WAV's limit of 4 GiB.
        if type == .wav { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE)) }
        // The encoder writes nothing before the first frames arrive, which may never happen.
        guard type != .flac || writeEmptyFlac() else { throw Self.cannotBegin(path) }
        checkpoint()
        guard sf_error(file) == SF_ERR_NO_ERROR else { throw Self.cannotBegin(path) }
    }

    deinit { try? close() }

    /// Moves the file to its path, replacing an existing file.
    /// - Throws: `cannotWrite`. The existing file is then unchanged.
    package func moveIntoPlace() throws(AudioSessionError) {
        guard let temporary else { return }
        guard rename(temporary, destination) == 0 else { throw Self.systemError(path, errno) }
        self.temporary = nil
    }

    /// Writes a number of whole frames.
    /// - Throws: `cannotWrite` if not all of them could be written.
    package func write(_ frames: Int, of samples: [Float]) throws(AudioSessionError) {
        guard let file else { return }
        let count = samples.withUnsafeBufferPointer { sf_writef_float(file, $0.baseAddress, sf_count_t(frames)) }
        frameCount += max(0, Int64(count))
        guard count == frames else {
            throw AudioSessionError(
                .cannotWrite,
                "'\(path)' cannot be written: \(String(cString: sf_strerror(file))) "
                    + "The disk may be full; the recording so far is kept.", path: path)
        }
    }

    /// Updates the header to include all written frames.
    package func checkpoint() {
        guard let file else { return }
        switch type {
        case .wav: sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        case .flac: writeFlacLength()
        }
    }

    /// Writes what the encoder holds back, and closes the file. A file that was not moved to its
    /// path is removed.
    /// - Throws: `cannotWrite` if that could not be written, for example because the disk is full.
    ///   The file is then complete up to that point, with `frameCount` frames.
    package func close() throws(AudioSessionError) {
        guard let file else { return }
        self.file = nil
        var before = stat()
        let isSizeKnown = fstat(descriptor, &before) == 0
        var isWhole = sf_close(file) == 0
        // libsndfile drops the encoder's error. The encoder writes the length last, and only if all
        // else was written.
        if type == .flac, flacLength != frameCount {
            isWhole = false
            if isSizeKnown { ftruncate(descriptor, before.st_size) }
            frameCount = writeFlacLength()
        }
        let isClosed = Glibc.close(descriptor) == 0
        if let temporary { unlink(temporary) }
        guard isWhole, isClosed else {
            throw AudioSessionError(
                .cannotWrite,
                "The end of '\(path)' cannot be written. The disk may be full; what was written before is kept.",
                path: path)
        }
    }

    /// The number of frames in the FLAC header.
    private var flacLength: Int64? {
        var bytes = [UInt8](repeating: 0, count: 5)
        guard pread(descriptor, &bytes, bytes.count, 21) == bytes.count else { return nil }
        return bytes.dropFirst().reduce(Int64(bytes[0] & 0x0F)) { $0 << 8 | Int64($1) }
    }

    /// Writes the length of all whole blocks to the FLAC header.
    ///
    /// The encoder itself writes the length only when the file is closed. Until then it is 0, which
    /// players read as unknown.
    /// - Returns: The number of frames in the whole blocks.
    @discardableResult
    private func writeFlacLength() -> Int64 {
        var head = [UInt8](repeating: 0, count: 26)
        guard pread(descriptor, &head, head.count, 0) == head.count, head.starts(with: "fLaC".utf8) else { return 0 }
        let block = max(1, Int64(head[10]) << 8 | Int64(head[11]))
        // The encoder holds a block back until it has the first frame of the next one.
        let length = max(0, frameCount - 1) / block * block
        var bytes = [head[21] & 0xF0 | UInt8(truncatingIfNeeded: length >> 32) & 0x0F]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> Int64(shift))) }
        _ = pwrite(descriptor, bytes, bytes.count, 21)
        return length
    }

    /// Writes a stream without frames.
    ///
    /// The encoder's own header replaces it block by block, and a kill may happen between two
    /// blocks. So the first block is followed by one that is marked as the last and is empty.
    /// - Returns: Whether it could be written.
    private func writeEmptyFlac() -> Bool {
        let rate = UInt32(format.sampleRate)
        let shape = UInt32(format.channelCount - 1) << 9 | UInt32(format.bitsPerSample - 1) << 4
        let packed = rate << 12 | shape
        var bytes = Array("fLaC".utf8) + [0, 0, 0, 34, 0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: packed >> UInt32(shift))) }
        bytes += [UInt8](repeating: 0, count: 4 + 16) + [0x81, 0, 0, 0]
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    // MARK: Opening

    /// Checks for most causes of failure before a recording interrupts other sessions.
    package static func check(
        _ path: String, _ type: AudioRecorder.FileType, _ format: AudioRecorder.Format,
        followsSymbolicLinks: Bool = false
    ) throws(AudioSessionError) {
        _ = try info(type, format, path)
        _ = try destination(of: path, followsSymbolicLinks: followsSymbolicLinks)
    }

    /// Checks whether a file of this format can be written.
    package static func check(
        _ format: AudioRecorder.Format, as type: AudioRecorder.FileType
    ) throws(AudioSessionError) {
        _ = try info(type, format, nil)
    }

    private static func info(
        _ type: AudioRecorder.FileType, _ format: AudioRecorder.Format, _ path: String?
    ) throws(AudioSessionError) -> SF_INFO {
        let encodings = [16: SF_FORMAT_PCM_16, 24: SF_FORMAT_PCM_24]
        var info = SF_INFO()
        info.samplerate = Int32(clamping: format.sampleRate)
        info.channels = Int32(clamping: format.channelCount)
        guard let encoding = encodings[format.bitsPerSample],
            (1...SoundFile.maximumChannels).contains(format.channelCount),
            (1...SoundFile.maximumRate).contains(format.sampleRate)
        else { throw unsupported(type, format, path) }
        info.format = Int32((type == .wav ? SF_FORMAT_RF64 : SF_FORMAT_FLAC) | encoding)
        guard sf_format_check(&info) != 0 else { throw unsupported(type, format, path) }
        return info
    }

    private static func unsupported(
        _ type: AudioRecorder.FileType, _ format: AudioRecorder.Format, _ path: String?
    ) -> AudioSessionError {
        AudioSessionError(
            .unsupportedRecordingFormat,
            "\(type.rawValue.uppercased()) cannot hold \(format.channelCount) channels of \(format.bitsPerSample) bits at "
                + "\(format.sampleRate) Hz. Use 1 to \(SoundFile.maximumChannels) channels, 16 or 24 bits, 48000 Hz.",
            path: path)
    }

    /// Returns the path of a regular file to replace, or of a free name, in a folder with write
    /// permission.
    private static func destination(of path: String, followsSymbolicLinks: Bool) throws(AudioSessionError) -> String {
        guard !path.utf8.contains(0) else {
            throw AudioSessionError(.cannotWrite, "The path '\(path)' contains a zero byte. Remove it.", path: path)
        }
        var destination = absolute(path)
        if followsSymbolicLinks, let target = realpath(path, nil) {
            destination = String(cString: target)
            free(target)
        }
        var status = stat()
        if lstat(destination, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFLNK else {
                throw AudioSessionError(
                    .cannotWrite,
                    "'\(path)' is a symbolic link. Name the file itself, or set followsSymbolicLinks.", path: path)
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw AudioSessionError(
                    .cannotWrite, "'\(path)' is no regular file (a directory, a pipe or a device). Name a file.",
                    path: path)
            }
            guard access(destination, W_OK) == 0 else { throw systemError(path, errno) }
        } else {
            guard errno == ENOENT, let last = destination.last, last != "/" else { throw systemError(path, errno) }
        }
        guard access(folder(of: destination), W_OK) == 0 else { throw systemError(path, errno) }
        return destination
    }

    /// Returns the path that names the same file after the program has changed its current folder;
    /// the path itself if that is unknown, or not UTF-8.
    private static func absolute(_ path: String) -> String {
        let resolved = SoundFileName.resolved(path)
        return resolved.utf8.first == UInt8(ascii: "/") ? resolved : path
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func makeTemporary(
        for destination: String, _ permissions: UInt32
    ) throws(AudioSessionError) -> (descriptor: Int32, path: String) {
        while true {
            let path = folder(of: destination) + ".recording-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
            if descriptor >= 0 { return (descriptor, path) }
            guard errno == EEXIST else { throw systemError(destination, errno) }
        }
    }

    private static func cannotBegin(_ path: String) -> AudioSessionError {
        AudioSessionError(
            .cannotWrite, "'\(path)' cannot be created: the disk may be full. An existing file is unchanged.",
            path: path)
    }

    private static func systemError(_ path: String, _ code: Int32) -> AudioSessionError {
        let system = SystemError(errno: code)
        return AudioSessionError(
            .cannotWrite, "'\(path)' cannot be written (\(system)). Name a file in a folder with write permission.",
            path: path, underlying: system)
    }
}
