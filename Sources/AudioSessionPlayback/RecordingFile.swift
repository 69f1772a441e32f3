import CSndFile
import Glibc

/// A sound file that is being written, and can be read at any moment: also if this process is killed.
///
/// The file is begun under another name in the same folder, and replaces what is at its path only with
/// ``moveIntoPlace()``. Opening a file for writing destroys what it holds, whether or not the rest succeeds.
///
/// Not for two threads at once. Closed when it is let go.
package final class RecordingFile {
    package let path: String
    package let format: AudioRecorder.Format
    package private(set) var frameCount: Int64 = 0
    package let descriptor: Int32
    private let type: AudioRecorder.FileType
    private var file: OpaquePointer?
    /// Where it is going to be: the path, or what a symbolic link leads to.
    private let place: String
    /// Where it is until then; `nil` afterwards.
    private var temporary: String?

    /// - Throws: `unsupportedFormat`, `cannotWrite`. The folder is as it was then.
    package init(
        path: String, type: AudioRecorder.FileType, format: AudioRecorder.Format, permissions: UInt32 = 0o600,
        followsSymbolicLinks: Bool = false
    ) throws(RecordingError) {
        var info = try Self.info(type, format, path)
        place = try Self.place(of: path, followsSymbolicLinks: followsSymbolicLinks)
        let (descriptor, temporary) = try Self.makeTemporary(for: place, permissions)
        guard let file = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, Int32(SF_FALSE)) else {
            Glibc.close(descriptor)
            unlink(temporary)
            throw Self.cannotBegin(path)
        }
        self.path = path
        self.type = type
        self.format = format
        self.descriptor = descriptor
        self.temporary = temporary
        self.file = file
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        // A file that has become longer than WAV can tell says so in its header; until then it is a WAV file.
        if type == .wav { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE)) }
        // The encoder writes nothing before the first frames have come, which may be never.
        guard type != .flac || writeEmptyFlac() else { throw Self.cannotBegin(path) }
        checkpoint()
        guard sf_error(file) == SF_ERR_NO_ERROR else { throw Self.cannotBegin(path) }
    }

    deinit { try? close() }

    /// Replaces what is at the path.
    /// - Throws: `cannotWrite`. What is at the path is as it was then.
    package func moveIntoPlace() throws(RecordingError) {
        guard let temporary else { return }
        guard rename(temporary, place) == 0 else { throw Self.systemError(path, errno) }
        self.temporary = nil
    }

    /// Writes whole frames.
    /// - Throws: `cannotWrite` if not all of them could be written.
    package func write(_ frames: Int, of samples: [Float]) throws(RecordingError) {
        guard let file else { return }
        let count = samples.withUnsafeBufferPointer { sf_writef_float(file, $0.baseAddress, sf_count_t(frames)) }
        frameCount += max(0, Int64(count))
        guard count == frames else {
            throw RecordingError(
                .cannotWrite,
                "'\(path)' cannot be written on: \(String(cString: sf_strerror(file))) "
                    + "The disk may be full; what was recorded until now is kept.", path: path)
        }
    }

    /// Lets the header tell of all that was written.
    package func checkpoint() {
        guard let file else { return }
        switch type {
        case .wav: sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        case .flac: writeFlacLength()
        }
    }

    /// Writes what the encoder keeps back. A file that is not in its place is removed.
    /// - Throws: `cannotWrite` if that is lost: the disk may be full. The file is whole up to there, and `frameCount` is
    ///   what it holds.
    package func close() throws(RecordingError) {
        guard let file else { return }
        self.file = nil
        var before = stat()
        let isSizeKnown = fstat(descriptor, &before) == 0
        var isWhole = sf_close(file) == 0
        // libsndfile drops the encoder's error. The encoder writes the length last, and only if all else was written.
        if type == .flac, flacLength != frameCount {
            isWhole = false
            if isSizeKnown { ftruncate(descriptor, before.st_size) }
            frameCount = writeFlacLength()
        }
        let isClosed = Glibc.close(descriptor) == 0
        if let temporary { unlink(temporary) }
        guard isWhole, isClosed else {
            throw RecordingError(
                .cannotWrite,
                "The end of '\(path)' cannot be written. The disk may be full; what was written before is kept.",
                path: path)
        }
    }

    /// As the header says, in frames.
    private var flacLength: Int64? {
        var bytes = [UInt8](repeating: 0, count: 5)
        guard pread(descriptor, &bytes, bytes.count, 21) == bytes.count else { return nil }
        return bytes.dropFirst().reduce(Int64(bytes[0] & 0x0F)) { $0 << 8 | Int64($1) }
    }

    /// The encoder writes whole blocks, and the length into its header only when it is closed. Players take a length
    /// of 0 for one that is not known, and then show none.
    /// - Returns: how many frames the whole blocks have.
    @discardableResult
    private func writeFlacLength() -> Int64 {
        var head = [UInt8](repeating: 0, count: 26)
        guard pread(descriptor, &head, head.count, 0) == head.count, head.starts(with: "fLaC".utf8) else { return 0 }
        let block = max(1, Int64(head[10]) << 8 | Int64(head[11]))
        // The encoder keeps a block until the first frame of the next has come.
        let length = max(0, frameCount - 1) / block * block
        var bytes = [head[21] & 0xF0 | UInt8(truncatingIfNeeded: length >> 32) & 0x0F]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> Int64(shift))) }
        _ = pwrite(descriptor, bytes, bytes.count, 21)
        return length
    }

    /// A stream without frames. The encoder's own header will take its place block by block, and a kill may come between
    /// two of them: so what follows the first is a block that is the last and holds nothing.
    /// - Returns: whether there was room for it.
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

    /// Finds most of what would fail, before other sessions are interrupted for a recording.
    package static func check(
        _ path: String, _ type: AudioRecorder.FileType, _ format: AudioRecorder.Format,
        followsSymbolicLinks: Bool = false
    ) throws(RecordingError) {
        _ = try info(type, format, path)
        _ = try place(of: path, followsSymbolicLinks: followsSymbolicLinks)
    }

    /// Whether it can be recorded at all.
    package static func check(_ format: AudioRecorder.Format) throws(RecordingError) {
        _ = try info(.wav, format, nil)
    }

    private static func info(
        _ type: AudioRecorder.FileType, _ format: AudioRecorder.Format, _ path: String?
    ) throws(RecordingError) -> SF_INFO {
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
    ) -> RecordingError {
        RecordingError(
            .unsupportedFormat,
            "\(type.rawValue.uppercased()) cannot hold \(format.channelCount) channels of \(format.bitsPerSample) bits at "
                + "\(format.sampleRate) Hz. Use 1 to \(SoundFile.maximumChannels) channels, 16 or 24 bits, 48000 Hz.",
            path: path)
    }

    /// A regular file that may be replaced, or a name that is free, in a folder that may be written into.
    private static func place(of path: String, followsSymbolicLinks: Bool) throws(RecordingError) -> String {
        guard !path.utf8.contains(0) else {
            throw RecordingError(.cannotWrite, "A path holds no zero bytes; '\(path)' does.", path: path)
        }
        var place = path
        if followsSymbolicLinks, let target = realpath(path, nil) {
            place = String(cString: target)
            free(target)
        }
        var status = stat()
        if lstat(place, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFLNK else {
                throw RecordingError(
                    .cannotWrite,
                    "'\(path)' is a symbolic link. Name the file itself, or set followsSymbolicLinks.", path: path)
            }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw RecordingError(
                    .cannotWrite, "'\(path)' is no regular file (a directory, a pipe or a device). Name a file.",
                    path: path)
            }
            guard access(place, W_OK) == 0 else { throw systemError(path, errno) }
        } else {
            guard errno == ENOENT, let last = place.last, last != "/" else { throw systemError(path, errno) }
        }
        guard access(folder(of: place), W_OK) == 0 else { throw systemError(path, errno) }
        return place
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func makeTemporary(
        for place: String, _ permissions: UInt32
    ) throws(RecordingError) -> (descriptor: Int32, path: String) {
        while true {
            let path = folder(of: place) + ".recording-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
            if descriptor >= 0 { return (descriptor, path) }
            guard errno == EEXIST else { throw systemError(place, errno) }
        }
    }

    private static func cannotBegin(_ path: String) -> RecordingError {
        RecordingError(
            .cannotWrite, "'\(path)' cannot be begun: the disk may be full. What was there before is kept.",
            path: path)
    }

    private static func systemError(_ path: String, _ code: Int32) -> RecordingError {
        let reason = String(cString: strerror(code))
        return RecordingError(
            .cannotWrite, "'\(path)' cannot be written (\(reason)). Name a file in a folder that you may write into.",
            path: path)
    }
}
