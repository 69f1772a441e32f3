import AudioSessionCore
import AudioSessionPlayback
import Glibc
import TestSupport
import Testing

@Suite struct RecordingFileTests {
    private func read(_ path: String) throws -> (file: SoundFile, samples: [Float]) {
        let file = try SoundFile(path: path)
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: 4096 * file.format.channelCount)
        while case let count = try file.read(4096, into: &buffer), count > 0 {
            samples += buffer.prefix(count * file.format.channelCount)
        }
        return (file, samples)
    }

    private func begun(
        path: String, type: AudioRecorder.FileType, format: AudioRecorder.Format
    ) throws -> RecordingFile {
        let file = try RecordingFile(path: path, type: type, format: format)
        try file.moveIntoPlace()
        return file
    }

    @Test(arguments: AudioRecorder.FileType.allCases, [16, 24])
    func aWrittenFileIsReadBack(type: AudioRecorder.FileType, bits: Int) throws {
        let scratch = try Scratch()
        let path = scratch.name("a.\(type.rawValue)")
        let file = try begun(
            path: path, type: type, format: .init(sampleRate: 44_100, channelCount: 2, bitsPerSample: bits))
        let samples = tone(frames: 10_000)
        try file.write(4_000, of: samples)
        try file.write(6_000, of: Array(samples.dropFirst(8_000)))
        try file.close()
        let (sound, read) = try read(path)
        #expect(sound.format.sampleRate == 44_100)
        #expect(sound.format.channelCount == 2)
        #expect(sound.format.encoding == type.rawValue.uppercased())
        #expect(sound.frameCount == 10_000)
        #expect(read.count == samples.count)
        let step = Float(1) / Float(1 << (bits - 1))
        #expect(zip(read, samples).allSatisfy { abs($0 - $1) <= step })
    }

    /// A killed process leaves its file unclosed.
    @Test(arguments: AudioRecorder.FileType.allCases, [1, 2])
    func anUnclosedFileIsComplete(type: AudioRecorder.FileType, channels: Int) throws {
        let scratch = try Scratch()
        let path = scratch.name("a.\(type.rawValue)")
        let file = try begun(path: path, type: type, format: .init(channelCount: channels))
        #expect(try read(path).samples.isEmpty)
        let samples = tone(frames: 48_000, channels: channels)
        try file.write(48_000, of: samples)
        file.checkpoint()
        let (sound, heard) = try read(path)
        // FLAC's last block is written with the first frame of the next.
        let missing = type == .flac ? 4_096 : 0
        #expect(heard.count / channels >= 48_000 - missing)
        #expect(heard.count / channels == Int(sound.frameCount), "the header says otherwise")
        #expect(zip(heard, samples).allSatisfy { abs($0 - $1) < 0.001 })
        // libsndfile accepts files that other decoders reject.
        if type == .wav {
            let bytes = try scratch.bytes(of: path)
            let size = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
            #expect(size == bytes.count - 8)
        }
        try file.write(48_000, of: samples)
        file.checkpoint()
        try file.close()
        #expect(try read(path).samples.count == 2 * samples.count)
        #expect(try read(path).file.frameCount == 96_000)
    }

    /// The encoder writes its header block by block, over the one that was there before the first
    /// frames.
    @Test(arguments: [16, 24]) func aKillBetweenTwoBlocksOfAHeaderLeavesACompleteOne(bits: Int) throws {
        let scratch = try Scratch()
        let path = scratch.name("a.flac")
        let file = try begun(path: path, type: .flac, format: .init(channelCount: 2, bitsPerSample: bits))
        let empty = try scratch.bytes(of: path)
        try file.write(10_000, of: tone(frames: 10_000))
        let begun = try scratch.bytes(of: path)
        let ends = try #require(flacBlockEnds(of: begun))
        #expect(ends.count > 1)
        for end in [4] + ends {
            let killed = Array(begun[..<end] + empty.dropFirst(end))
            #expect(flacBlockEnds(of: killed) != nil, "killed after \(end) bytes of the header")
        }
        try file.close()
    }

    /// Between two updates of the header the file only grows.
    @Test(arguments: AudioRecorder.FileType.allCases)
    func aKillBetweenTwoUpdatesKeepsTheLastOne(type: AudioRecorder.FileType) throws {
        let scratch = try Scratch()
        let path = scratch.name("a.\(type.rawValue)")
        let file = try begun(path: path, type: type, format: .init(channelCount: 1))
        try file.write(24_000, of: tone(frames: 24_000, channels: 1))
        file.checkpoint()
        let updated = try scratch.bytes(of: path)
        let claimed = try read(path).file.frameCount
        #expect(claimed > 24_000 - 4_096 && claimed <= 24_000)
        try file.write(24_000, of: tone(frames: 24_000, channels: 1))
        let grown = try scratch.bytes(of: path)
        #expect(grown.count > updated.count && grown.starts(with: updated))
        for end in stride(from: updated.count, through: grown.count, by: 1_999) {
            let killed = try scratch.write(Array(grown[..<end]), to: "killed.\(type.rawValue)")
            #expect(try read(killed).samples.count == Int(claimed), "killed at \(end) bytes")
        }
        try file.close()
    }

    /// The end of each block of a FLAC file's header, as a strict reader parses it; `nil` if the
    /// last one is missing.
    private func flacBlockEnds(of bytes: [UInt8]) -> [Int]? {
        guard bytes.starts(with: "fLaC".utf8) else { return nil }
        var ends = [4]
        while let start = ends.last, start + 4 <= bytes.count {
            let end = bytes[(start + 1)..<(start + 4)].reduce(0) { $0 << 8 | Int($1) } + start + 4
            guard end <= bytes.count else { return nil }
            ends.append(end)
            if bytes[start] & 0x80 != 0 { return Array(ends.dropFirst()) }
        }
        return nil
    }

    @Test(arguments: AudioRecorder.FileType.allCases)
    func anEmptyFileIsCompleteAsWell(type: AudioRecorder.FileType) throws {
        let scratch = try Scratch()
        let path = scratch.name("a.\(type.rawValue)")
        let format = AudioRecorder.Format(sampleRate: 44_100, channelCount: 3, bitsPerSample: 24)
        try begun(path: path, type: type, format: format).close()
        let (file, samples) = try read(path)
        #expect(samples.isEmpty)
        #expect(file.format.sampleRate == 44_100)
        #expect(file.format.channelCount == 3)
    }

    @Test func loudSamplesAreClippedAndDoNotWrapAround() throws {
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        let file = try begun(path: path, type: .wav, format: .init())
        try file.write(4, of: [2, -2, 1, -1])
        try file.close()
        #expect(try read(path).samples.map { $0.rounded() } == [1, -1, 1, -1])
    }

    @Test(arguments: [
        ("/nowhere/a.wav", AudioSessionError.Code.cannotWrite), ("/", .cannotWrite), ("/dev/null", .cannotWrite),
        ("/tmp/a\0b", .cannotWrite), ("", .cannotWrite),
    ])
    func aFileThatCannotBeWrittenIsATypedError(path: String, code: AudioSessionError.Code) {
        let error = #expect(throws: AudioSessionError.self) {
            try RecordingFile.check(path, .wav, .init())
            _ = try RecordingFile(path: path, type: .wav, format: .init())
        }
        #expect(error?.code == code)
        #expect(error?.path == path)
    }

    @Test(arguments: [
        AudioRecorder.Format(channelCount: 0), .init(channelCount: 9), .init(sampleRate: 0), .init(sampleRate: .max),
        .init(bitsPerSample: 8), .init(channelCount: -1),
    ])
    func anImpossibleFormatIsRefusedAndNoFileCreated(format: AudioRecorder.Format) throws {
        let scratch = try Scratch()
        for type in AudioRecorder.FileType.allCases {
            let path = scratch.name("a.\(type.rawValue)")
            let error = #expect(throws: AudioSessionError.self) {
                _ = try RecordingFile(path: path, type: type, format: format)
            }
            #expect(error?.code == .unsupportedRecordingFormat)
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test(arguments: [
        ("a.wav", AudioRecorder.FileType.wav), ("a.flac", .flac), ("A.FLAC", .flac), ("a", .wav), ("flac", .wav),
    ])
    func theExtensionDecidesTheType(path: String, type: AudioRecorder.FileType) {
        #expect(AudioRecorder.FileType(path: path) == type)
    }

    @Test func levelsAreInDecibelsOfFullScale() {
        let sine = AudioRecorder.Level(meanSquare: 0.5, peak: 1)
        #expect(abs(sine.averagePower + 3.01) < 0.01)
        #expect(sine.peakPower == 0)
        #expect(AudioRecorder.Level(meanSquare: 0, peak: 0) == .silence)
        #expect(AudioRecorder.Level(meanSquare: .nan, peak: .nan) == .silence)
    }
}
