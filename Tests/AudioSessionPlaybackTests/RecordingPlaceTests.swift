import AudioSessionCore
import AudioSessionPlayback
import Glibc
import TestSupport
import Testing

/// Where a recording is written, what happens to an existing file, and who may read it.
@Suite struct RecordingPlaceTests {
    private func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private func permissions(of path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test(arguments: AudioRecorder.FileType.allCases)
    func aRecordingThatDoesNotBeginKeepsTheExistingFile(type: AudioRecorder.FileType) throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array("before".utf8), to: "a")
        do {
            let file = try RecordingFile(path: path, type: type, format: .init())
            #expect(try scratch.bytes(of: path) == Array("before".utf8))
            try file.close()
        }
        #expect(try scratch.bytes(of: path) == Array("before".utf8))
        #expect(names(in: scratch.path) == ["a"])
        let file = try RecordingFile(path: path, type: type, format: .init())
        try file.moveIntoPlace()
        #expect(try scratch.bytes(of: path) != Array("before".utf8))
        #expect(names(in: scratch.path) == ["a"])
        try file.close()
    }

    /// It runs in its own process, because the current folder is that of the whole process.
    @Test func aRelativePathSurvivesAChangeOfTheCurrentFolder() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let path = scratch.name("a.wav")
            try #require(chdir(scratch.path) == 0)
            let file = try RecordingFile(path: "a.wav", type: .wav, format: .init())
            try #require(chdir("/") == 0)
            try file.moveIntoPlace()
            try file.close()
            #expect(try !scratch.bytes(of: path).isEmpty)
        }
    }

    @Test func aFolderThatIsRemovedMeanwhileIsAnErrorAndNoFileIsLeft() throws {
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        do {
            let file = try RecordingFile(path: path, type: .wav, format: .init())
            #expect(mkdir(path, 0o700) == 0)
            let error = #expect(throws: AudioSessionError.self) { try file.moveIntoPlace() }
            #expect(error?.code == .cannotWrite)
        }
        #expect(names(in: scratch.path) == ["a.wav"])
        #expect(rmdir(path) == 0)
    }

    @Test func onlyTheUserMayReadTheFileByDefault() throws {
        let scratch = try Scratch()
        let path = try scratch.write([1, 2, 3], to: "a.wav")
        #expect(chmod(path, 0o666) == 0)
        try begin(path)
        #expect(permissions(of: path) == 0o600)
        let shared = scratch.name("shared.wav")
        try begin(shared, permissions: 0o640)
        // The process's umask may remove the group's permission.
        #expect(permissions(of: shared) & ~0o040 == 0o600)
        #expect(permissions(of: shared) & 0o007 == 0)
    }

    @Test func aSymbolicLinkIsNotFollowedUnlessAsked() throws {
        let scratch = try Scratch()
        let target = try scratch.write(Array("before".utf8), to: "target")
        let link = scratch.name("link.wav")
        #expect(symlink("target", link) == 0)
        let error = #expect(throws: AudioSessionError.self) {
            _ = try RecordingFile(path: link, type: .wav, format: .init())
        }
        #expect(error?.code == .cannotWrite)
        #expect(error?.message.contains("symbolic link") == true)
        let refused = #expect(throws: AudioSessionError.self) { try RecordingFile.check(link, .wav, .init()) }
        #expect(refused?.code == .cannotWrite)
        #expect(try scratch.bytes(of: target) == Array("before".utf8))
        try RecordingFile.check(link, .wav, .init(), followsSymbolicLinks: true)
        try begin(link, followsSymbolicLinks: true)
        #expect(try SoundFile(path: target).frameCount == 0)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(names(in: scratch.path).sorted() == ["link.wav", "target"])
    }

    private func begin(_ path: String, permissions: UInt32 = 0o600, followsSymbolicLinks: Bool = false) throws {
        let file = try RecordingFile(
            path: path, type: .wav, format: .init(), permissions: permissions,
            followsSymbolicLinks: followsSymbolicLinks)
        try file.moveIntoPlace()
        try file.close()
    }

    /// libsndfile drops the encoder's error. On this descriptor every further write fails because
    /// the disk is full.
    @Test func aFullDiskAtTheEndIsAnErrorAndKeepsTheRest() throws {
        let scratch = try Scratch()
        let path = scratch.name("a.flac")
        let file = try RecordingFile(path: path, type: .flac, format: .init())
        try file.moveIntoPlace()
        // One block, which is written, and the beginning of another, which is not.
        try file.write(5_000, of: tone(frames: 5_000, channels: 1))
        file.checkpoint()
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        #expect(full >= 0 && dup2(full, file.descriptor) == file.descriptor)
        Glibc.close(full)
        let error = #expect(throws: AudioSessionError.self) { try file.close() }
        #expect(error?.code == .cannotWrite)
        #expect(error?.path == path)
        #expect(try SoundFile(path: path).frameCount == 4_096)
        try file.close()
    }
}
