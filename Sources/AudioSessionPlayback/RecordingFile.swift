import CSndFile
import Glibc

/// A sound file that is being written, and can be read at any moment: also if this process is killed.
///
/// Not for two threads at once. Closed when it is let go.
package final class RecordingFile {
    package let path: String
    package let format: AudioRecorder.Format
    package private(set) var frameCount: Int64 = 0
    private let type: AudioRecorder.FileType
    private let descriptor: Int32
    private var file: OpaquePointer?

    /// - Throws: `unsupportedFormat`, `cannotWrite`, and then what was there before is as it was.
    package init(
        path: String, type: AudioRecorder.FileType, format: AudioRecorder.Format
    ) throws(RecordingError) {
        var info = try Self.info(type, format, path)
        let descriptor = try Self.openRegularFile(path)
        // From here on the descriptor is the library's, also when it fails.
        guard let file = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, Int32(SF_TRUE)) else {
            throw RecordingError(.cannotWrite, "'\(path)' cannot be begun: the disk may be full.", path: path)
        }
        self.path = path
        self.type = type
        self.format = format
        self.descriptor = descriptor
        self.file = file
        sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        // A file that has become longer than WAV can tell says so in its header; until then it is a WAV file.
        if type == .wav { sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE)) }
        // The encoder writes nothing before the first frames have come, which may be never.
        if type == .flac { writeEmptyFlac() }
        checkpoint()
    }

    deinit { close() }

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

    package func close() {
        guard let file else { return }
        self.file = nil
        sf_close(file)
    }

    /// The encoder writes whole blocks, and the length into its header only when it is closed. Players take a length
    /// of 0 for one that is not known, and then show none.
    private func writeFlacLength() {
        var head = [UInt8](repeating: 0, count: 26)
        guard pread(descriptor, &head, head.count, 0) == head.count, head.starts(with: "fLaC".utf8) else { return }
        let block = max(1, Int64(head[10]) << 8 | Int64(head[11]))
        // The encoder keeps a block until the first frame of the next has come.
        let length = max(0, frameCount - 1) / block * block
        var bytes = [head[21] & 0xF0 | UInt8(truncatingIfNeeded: length >> 32) & 0x0F]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> Int64(shift))) }
        _ = pwrite(descriptor, bytes, bytes.count, 21)
    }

    /// A stream without frames. The encoder's own header will take its place block by block, and a kill may come between
    /// two of them: so what follows the first is a block that is the last and holds nothing.
    private func writeEmptyFlac() {
        let rate = UInt32(format.sampleRate)
        let shape = UInt32(format.channelCount - 1) << 9 | UInt32(format.bitsPerSample - 1) << 4
        let packed = rate << 12 | shape
        var bytes = Array("fLaC".utf8) + [0, 0, 0, 34, 0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: packed >> UInt32(shift))) }
        bytes += [UInt8](repeating: 0, count: 4 + 16) + [0x81, 0, 0, 0]
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    // MARK: Opening

    /// What would go wrong can mostly be known before anybody is disturbed for a recording.
    package static func check(
        _ path: String, _ type: AudioRecorder.FileType, _ format: AudioRecorder.Format
    ) throws(RecordingError) {
        _ = try info(type, format, path)
        guard !path.utf8.contains(0) else {
            throw RecordingError(.cannotWrite, "A path holds no zero bytes; '\(path)' does.", path: path)
        }
        if access(path, F_OK) == 0 {
            guard access(path, W_OK) == 0 else { throw systemError(path, errno) }
        } else {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            guard access(folder, W_OK) == 0 else { throw systemError(path, errno) }
        }
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

    /// Opening a pipe would wait for a reader, and a device is no place for a recording.
    private static func openRegularFile(_ path: String) throws(RecordingError) -> Int32 {
        guard !path.utf8.contains(0) else {
            throw RecordingError(.cannotWrite, "A path holds no zero bytes; '\(path)' does.", path: path)
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
        guard descriptor >= 0 else { throw systemError(path, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, ftruncate(descriptor, 0) == 0
        else {
            Glibc.close(descriptor)
            throw RecordingError(
                .cannotWrite, "'\(path)' is no regular file (a directory, a pipe or a device). Name a file.",
                path: path)
        }
        return descriptor
    }

    private static func systemError(_ path: String, _ code: Int32) -> RecordingError {
        let reason = String(cString: strerror(code))
        return RecordingError(
            .cannotWrite, "'\(path)' cannot be written (\(reason)). Name a file in a folder that you may write into.",
            path: path)
    }
}
