import CSndFile
import Glibc
import Testing

/// A folder for one test's files, which is removed with it.
package final class Scratch {
    package let path: String
    private var files: Set<String> = []

    package init() throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/audio-player-test.XXXXXX".utf8CString)
        guard template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!) }) != nil else { throw Failure() }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for file in files { unlink(file) }
        rmdir(path)
    }

    package struct Failure: Error {
        package init() {}
    }

    package func name(_ name: String) -> String {
        files.insert("\(path)/\(name)")
        return "\(path)/\(name)"
    }

    package func remove(_ file: String) { unlink(file) }

    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = self.name(name)
        guard let stream = fopen(file, "w") else { throw Failure() }
        defer { fclose(stream) }
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw Failure() }
        return file
    }

    package func bytes(of file: String) throws -> [UInt8] {
        guard let stream = fopen(file, "r") else { throw Failure() }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer.prefix(count) }
        return bytes
    }

    /// Writes interleaved samples in one of libsndfile's formats.
    package func sound(
        _ samples: [Float], _ kind: SoundKind = .wav, rate: Int = 48000, channels: Int = 2, title: String? = nil,
        artist: String? = nil, as name: String
    ) throws -> String {
        let path = self.name(name)
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = Int32(channels)
        info.format = Int32(kind.format)
        guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { throw Failure() }
        defer { sf_close(file) }
        if let title { sf_set_string(file, Int32(SF_STR_TITLE), title) }
        if let artist { sf_set_string(file, Int32(SF_STR_ARTIST), artist) }
        let frames = sf_count_t(samples.count / channels)
        guard sf_writef_float(file, samples, frames) == frames else { throw Failure() }
        return path
    }
}

package struct SoundKind: Sendable, CustomTestStringConvertible {
    package let name: String
    package let format: Int
    /// Whether every sample is read as it was written.
    package let isLossless: Bool

    package static let wav = SoundKind(name: "WAV", format: SF_FORMAT_WAV | SF_FORMAT_FLOAT, isLossless: true)
    package static let flac = SoundKind(name: "FLAC", format: SF_FORMAT_FLAC | SF_FORMAT_PCM_24, isLossless: true)
    package static let vorbis = SoundKind(name: "Vorbis", format: SF_FORMAT_OGG | SF_FORMAT_VORBIS, isLossless: false)
    package static let opus = SoundKind(name: "Opus", format: SF_FORMAT_OGG | SF_FORMAT_OPUS, isLossless: false)
    package static let mp3 = SoundKind(
        name: "MP3", format: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, isLossless: false)

    /// The kinds that the installed libsndfile can write.
    package static let all = [wav, flac, vorbis, opus, mp3].filter { kind in
        var info = SF_INFO()
        info.samplerate = 48000
        info.channels = 2
        info.format = Int32(kind.format)
        return sf_format_check(&info) != 0
    }

    package var testDescription: String { name }
}

/// Samples that encode their frame: n / 2^22, exact in 24 bits as in a float.
package func counting(_ frames: Range<Int>, channels: Int = 2) -> [Float] {
    frames.flatMap { frame in [Float](repeating: Float(frame) / 4_194_304, count: channels) }
}

/// A tone that lossy formats preserve.
package func tone(frames: Int, rate: Int = 48000, channels: Int = 2) -> [Float] {
    (0..<frames).flatMap { frame in
        [Float](repeating: 0.5 * sinf(2 * .pi * 440 * Float(frame) / Float(rate)), count: channels)
    }
}
