package import AudioSessionCore
import CSndFile
import Glibc

/// A sound file that is open for reading. Its frames are 32-bit floats, whatever the file contains.
///
/// Only one thread at a time may use it. It is closed when its last reference is released.
package final class SoundFile {
    /// The path or file URL, as given by the program.
    package let path: String
    /// The path or file URL, independent of the current folder.
    package let location: String
    package let format: AudioPlayer.Format
    /// The number of frames by the header, which may exceed those in the file; 0 if the header has
    /// none.
    package let frameCount: Int64
    package let isSeekable: Bool
    private let file: OpaquePointer
    /// For each channel in the order of WAV, that of the file; `nil` if the orders are the same.
    private let channelOrder: [Int]?

    package static let maximumChannels = 8
    package static let maximumRate = 768_000
    /// The limit of a sample, 18 dB above full scale. Larger ones may become infinite in a filter.
    package static let maximumSample: Float = 8

    package convenience init(path: String) throws(AudioSessionError) {
        try self.init(path: path, at: SoundFileName.resolved(path))
    }

    /// Opens the file at a location.
    /// - Parameters:
    ///   - path: The path or file URL for the user.
    ///   - location: The path or file URL to open.
    convenience init(path: String, at location: String) throws(AudioSessionError) {
        try self.init(path: path, at: location, descriptor: SoundFile.openRegularFile(path, at: location))
    }

    /// Opens a file that is open already, whatever its path names now.
    package convenience init(_ file: OpenSoundFile) throws(AudioSessionError) {
        try self.init(path: file.path, at: file.location, descriptor: file.duplicate())
    }

    private init(path: String, at location: String, descriptor: Int32) throws(AudioSessionError) {
        let looksLikeSound = Self.looksLikeSound(descriptor)
        var info = SF_INFO()
        // From here on libsndfile owns the descriptor, also if it fails.
        guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
            throw Self.openingError(path, looksLikeSound)
        }
        guard (1...Self.maximumChannels).contains(Int(info.channels)),
            (1...Self.maximumRate).contains(Int(info.samplerate))
        else {
            sf_close(file)
            throw AudioSessionError(
                .unsupportedFormat,
                "'\(path)' has \(info.channels) channels at \(info.samplerate) Hz; "
                    + "1 to \(Self.maximumChannels) channels up to \(Self.maximumRate) Hz can be played.",
                path: path)
        }
        self.path = path
        self.location = location
        self.file = file
        format = AudioPlayer.Format(
            sampleRate: Int(info.samplerate), channelCount: Int(info.channels), encoding: Self.encoding(info.format))
        channelOrder = Self.channelOrder(info.format, Int(info.channels))
        frameCount = max(0, info.frames == Int64.max ? 0 : info.frames)
        isSeekable = info.seekable != 0
    }

    deinit { sf_close(file) }

    package var title: String? { tag(SF_STR_TITLE) }
    package var artist: String? { tag(SF_STR_ARTIST) }

    /// Reads up to `frames` frames into `samples`, which must have room for them.
    /// - Returns: The number of frames; 0 at the end.
    /// - Throws: `unreadable` if the file is damaged there.
    package func read(_ frames: Int, into samples: inout [Float]) throws(AudioSessionError) -> Int {
        let wanted = min(frames, samples.count / format.channelCount)
        let count = Int(
            samples.withUnsafeMutableBufferPointer { sf_readf_float(file, $0.baseAddress, sf_count_t(wanted)) })
        guard count > 0 else {
            guard Int(sf_error(file)) == SF_ERR_NO_ERROR else {
                let reason = String(cString: sf_strerror(file))
                throw AudioSessionError(
                    .unreadable, "'\(path)' is damaged: \(reason) The rest cannot be played.", path: path)
            }
            return 0
        }
        // A NaN or infinity would stay in every filter that it passes, including the loudspeaker's.
        let limit = Self.maximumSample
        for index in 0..<count * format.channelCount {
            let sample = samples[index]
            if !(abs(sample) <= limit) { samples[index] = sample.isFinite ? (sample < 0 ? -limit : limit) : 0 }
        }
        if let channelOrder { Self.reorder(&samples, count, channelOrder) }
        return min(count, wanted)
    }

    /// Vorbis and Opus have the center second and the low frequencies last, and libsndfile leaves
    /// them there.
    private static func channelOrder(_ format: Int32, _ channels: Int) -> [Int]? {
        guard [SF_FORMAT_VORBIS, SF_FORMAT_OPUS].contains(Int(format) & SF_FORMAT_SUBMASK) else { return nil }
        return switch channels {
        case 3: [0, 2, 1]
        case 5: [0, 2, 1, 3, 4]
        case 6: [0, 2, 1, 5, 3, 4]
        case 7: [0, 2, 1, 6, 5, 3, 4]
        case 8: [0, 2, 1, 7, 5, 6, 3, 4]
        default: nil
        }
    }

    private static func reorder(_ samples: inout [Float], _ frames: Int, _ order: [Int]) {
        var frame = [Float](repeating: 0, count: order.count)
        for start in stride(from: 0, to: frames * order.count, by: order.count) {
            for channel in order.indices { frame[channel] = samples[start + order[channel]] }
            for channel in order.indices { samples[start + channel] = frame[channel] }
        }
    }

    /// Moves to a frame. A frame after the end counts as the end.
    package func seek(to frame: Int64) throws(AudioSessionError) {
        let target = max(0, frameCount > 0 ? min(frame, frameCount) : frame)
        guard isSeekable, sf_seek(file, target, Int32(SEEK_SET)) >= 0 else {
            throw AudioSessionError(
                .cannotSeek,
                "Seeking in '\(path)' failed: its format does not permit it, "
                    + "or the file is damaged there.",
                path: path)
        }
    }

    // MARK: Opening

    /// Opens a path only if it is a regular file, because opening a pipe would wait for a writer,
    /// and reading a device might never end.
    static func openRegularFile(_ path: String, at location: String) throws(AudioSessionError) -> Int32 {
        guard let bytes = SoundFileName.bytes(location) else {
            throw AudioSessionError(
                .fileNotFound,
                "'\(path)' names no file. Use a path without zero bytes, or 'file:///' and a path whose "
                    + "escapes are '%' and two hexadecimal digits.",
                path: path)
        }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var (descriptor, code) = (open(bytes, flags), errno)
        // A relative path needs no permission to search the folders above the current one.
        if descriptor < 0, code == EACCES, path != location, SoundFileName.resolved(path) == location,
            let relative = SoundFileName.bytes(path)
        {
            (descriptor, code) = (open(relative, flags), errno)
        }
        guard descriptor >= 0 else { throw systemError(path, code) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw systemError(path, code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw AudioSessionError(
                .notAFile, "'\(path)' is no regular file (a directory, a pipe or a device). Name a sound file.",
                path: path)
        }
        return descriptor
    }

    static func systemError(_ path: String, _ errorNumber: Int32) -> AudioSessionError {
        let system = SystemError(errno: errorNumber)
        let (code, message): (AudioSessionError.Code, String) =
            switch errorNumber {
            case ENOENT, ENOTDIR, ENAMETOOLONG: (.fileNotFound, "There is no file '\(path)'. Check the path.")
            case EACCES, EPERM:
                (.permissionDenied, "This program may not read '\(path)'. Change the file's permissions.")
            case ENXIO, EISDIR: (.notAFile, "'\(path)' is no regular file. Name a sound file.")
            case EMFILE, ENFILE, ENOMEM:
                (.resourcesExhausted, "'\(path)' cannot be opened: \(system). Close files or raise the limit.")
            default: (.unreadable, "'\(path)' cannot be opened: \(system).")
            }
        return AudioSessionError(code, message, path: path, underlying: system)
    }

    /// Makes the error of a failed opening, without libsndfile's reason. The library stores that
    /// for all threads in one place, so it may concern another file.
    private static func openingError(_ path: String, _ looksLikeSound: Bool) -> AudioSessionError {
        guard looksLikeSound else {
            return AudioSessionError(
                .unsupportedFormat,
                "'\(path)' is no sound file of a known format. "
                    + "WAV, AIFF, CAF, FLAC, Ogg/Vorbis, Opus and MP3 can be played.", path: path)
        }
        return AudioSessionError(
            .unreadable,
            "'\(path)' begins like a sound file but cannot be read: it is damaged, cut off, or of a kind that "
                + "libsndfile does not know.", path: path)
    }

    private static func looksLikeSound(_ descriptor: Int32) -> Bool {
        var head = [UInt8](repeating: 0, count: 4)
        guard pread(descriptor, &head, head.count, 0) == head.count else { return false }
        let marks = ["RIFF", "RIFX", "RF64", "fLaC", "OggS", "FORM", ".snd", "caff"]
        return marks.contains { Array($0.utf8) == head } || head.starts(with: "ID3".utf8)
            || head[0] == 0xFF && head[1] & 0xE0 == 0xE0
    }

    // MARK: Properties of the file

    /// Returns a tag, shortened to fit on a screen, because files may come from anywhere.
    private func tag(_ kind: Int) -> String? {
        guard let text = sf_get_string(file, Int32(kind)) else { return nil }
        let tag = String(cString: text).prefix(256).trimmingWhitespace
        return tag.isEmpty ? nil : tag
    }

    private static func encoding(_ format: Int32) -> String {
        switch (Int(format) & SF_FORMAT_TYPEMASK, Int(format) & SF_FORMAT_SUBMASK) {
        case (_, SF_FORMAT_OPUS): "Opus"
        case (_, SF_FORMAT_VORBIS): "Vorbis"
        case (_, SF_FORMAT_MPEG_LAYER_III): "MP3"
        case (SF_FORMAT_MPEG, _): "MPEG"
        case (SF_FORMAT_FLAC, _): "FLAC"
        case (SF_FORMAT_OGG, _): "Ogg"
        case (SF_FORMAT_WAV, _), (SF_FORMAT_WAVEX, _), (SF_FORMAT_RF64, _), (SF_FORMAT_W64, _): "WAV"
        case (SF_FORMAT_AIFF, _): "AIFF"
        case (SF_FORMAT_AU, _): "AU"
        case (SF_FORMAT_CAF, _): "CAF"
        default: "other"
        }
    }
}

extension Substring {
    fileprivate var trimmingWhitespace: String {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text.drop { $0.isWhitespace })
    }
}
