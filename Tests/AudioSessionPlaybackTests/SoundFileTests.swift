import AudioSessionCore
import AudioSessionPlayback
import Glibc
import TestSupport
import Testing

@Suite struct SoundFileTests {
    private func readAll(_ file: SoundFile, chunk: Int = 1000) throws -> [Float] {
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: chunk * file.format.channelCount)
        while case let count = try file.read(chunk, into: &buffer), count > 0 {
            samples += buffer.prefix(count * file.format.channelCount)
        }
        return samples
    }

    private func code(of path: String) -> AudioSessionError.Code? {
        do throws(AudioSessionError) {
            _ = try SoundFile(path: path)
            return nil
        } catch {
            #expect(error.path == path)
            #expect(!error.message.isEmpty)
            return error.code
        }
    }

    @Test(arguments: SoundKind.all) func everyKindIsRead(_ kind: SoundKind) throws {
        let scratch = try Scratch()
        let samples = kind.isLossless ? counting(0..<30000) : tone(frames: 30000)
        let file = try SoundFile(path: scratch.sound(samples, kind, title: "Tune", artist: "Band", as: "a"))
        #expect(file.format == AudioPlayer.Format(sampleRate: 48000, channelCount: 2, encoding: kind.name))
        #expect(file.title == "Tune")
        #expect(file.artist == "Band")
        #expect(file.isSeekable)
        let read = try readAll(file)
        if kind.isLossless {
            #expect(file.frameCount == 30000)
            #expect(read == samples)
        } else {
            // Lossy encoders may pad the end.
            #expect(abs(read.count / 2 - 30000) < 3000)
            let energy = read.reduce(0) { $0 + $1 * $1 } / Float(read.count)
            #expect(abs(energy - 0.125) < 0.02)
        }
    }

    @Test(arguments: [SoundKind.wav, .flac]) func seekingIsExactToTheFrame(_ kind: SoundKind) throws {
        let scratch = try Scratch()
        let file = try SoundFile(path: scratch.sound(counting(0..<20000), kind, as: "a"))
        for frame in [0, 1, 4095, 4096, 4097, 12345, 19999] {
            try file.seek(to: Int64(frame))
            var buffer = [Float](repeating: 0, count: 2)
            #expect(try file.read(1, into: &buffer) == 1)
            #expect(buffer == counting(frame..<frame + 1))
        }
        try file.seek(to: 1_000_000)
        #expect(try readAll(file).isEmpty)
        try file.seek(to: -5)
        #expect(try readAll(file).count == 40000)
    }

    @Test(arguments: SoundKind.all) func theRestAfterASeekIsComplete(_ kind: SoundKind) throws {
        let scratch = try Scratch()
        let file = try SoundFile(path: scratch.sound(tone(frames: 48000), kind, as: "a"))
        let whole = try readAll(file)
        try file.seek(to: 24000)
        #expect(try abs(readAll(file).count - (whole.count - 48000)) <= 2)
    }

    @Test func samplesThatAreNotANumberAreSilence() throws {
        let scratch = try Scratch()
        let samples: [Float] = [.nan, 0.5, .infinity, -.infinity, -0.5, .signalingNaN]
        let file = try SoundFile(path: scratch.sound(samples, as: "a.wav"))
        #expect(try readAll(file) == [0, 0.5, 0, 0, -0.5, 0])
    }

    /// A finite sample that a volume above 1 or a filter makes infinite is as bad as an infinite
    /// one.
    @Test func samplesAreLimited() throws {
        let scratch = try Scratch()
        let samples: [Float] = [3e38, -3e38, 9, -9, 8, -8, 1, -1, .infinity, .nan]
        let file = try SoundFile(path: scratch.sound(samples, channels: 1, as: "a"))
        #expect(try readAll(file) == [8, -8, 8, -8, 8, -8, 1, -1, 0, 0])
    }

    @Test(arguments: [1, 3, 6, 8]) func severalChannelsAreRead(_ channels: Int) throws {
        let scratch = try Scratch()
        let samples = counting(0..<100, channels: channels)
        let file = try SoundFile(path: scratch.sound(samples, channels: channels, as: "a.wav"))
        #expect(file.format.channelCount == channels)
        #expect(try readAll(file, chunk: 7) == samples)
    }

    /// The center is the second channel of these files, and the third one of WAV and of streams.
    @Test(arguments: SoundKind.all.filter { ["Vorbis", "Opus"].contains($0.name) }, [3, 5, 6, 7, 8])
    func theCenterIsTheThirdChannel(_ kind: SoundKind, _ channels: Int) throws {
        let scratch = try Scratch()
        let tone = (0..<9600).flatMap { frame in
            (0..<channels).map { $0 == 1 ? 0.5 * Float(sin(Double(frame) / 10)) : 0 }
        }
        let file = try SoundFile(path: scratch.sound(tone, kind, channels: channels, as: "film"))
        let samples = try readAll(file)
        let energies = (0..<channels).map { channel in
            stride(from: channel, to: samples.count, by: channels).reduce(Float(0)) { $0 + abs(samples[$1]) }
        }
        #expect(energies.firstIndex(of: energies.max() ?? 0) == 2)
    }

    @Test func moreChannelsThanCanBePlayedAreRefused() throws {
        let scratch = try Scratch()
        let path = try scratch.sound(counting(0..<10, channels: 9), channels: 9, as: "a.wav")
        #expect(code(of: path) == .unsupportedFormat)
    }

    @Test func anEmptySoundHasNoFrames() throws {
        let scratch = try Scratch()
        let file = try SoundFile(path: scratch.sound([], as: "a.wav"))
        #expect(file.frameCount == 0)
        #expect(try readAll(file).isEmpty)
    }

    @Test func longTagsAreCut() throws {
        let scratch = try Scratch()
        let title = String(repeating: "x", count: 5000)
        let file = try SoundFile(path: scratch.sound(tone(frames: 10), .flac, title: title, as: "a.flac"))
        #expect(file.title == String(repeating: "x", count: 256))
    }

    @Test func namesThatAreNotUTF8AreOpenedByTheirURL() throws {
        let scratch = try Scratch()
        let path = try scratch.sound(tone(frames: 10), as: "100% café.wav")
        let latin = Array((scratch.path + "/100% caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        #expect(rename(path, latin) == 0)
        let url = SoundFileName.string(path: latin)
        #expect(url == "file://\(scratch.path)/100%25%20caf%E9")
        #expect(try SoundFile(path: url).frameCount == 10)
        #expect(SoundFileName.bytes(url) == latin)
        #expect(SoundFileName.lastComponent(url) == "100% caf\u{FFFD}")
        #expect(SoundFileName.string(path: path) == path)
        // This process's own arguments are UTF-8, so decoding changes nothing.
        #expect(SoundFileName.string(argument: "a\u{FFFD}") == "a\u{FFFD}")
    }

    @Test func aRelativeNameThatIsNotUTF8IsTakenFromTheCurrentFolder() {
        let url = SoundFileName.string(path: [CChar(bitPattern: 0xE9), 0])
        #expect(url.hasPrefix("file:///") && url.hasSuffix("/%E9"))
    }

    /// Other programs have another current folder, and take a URL as it is.
    @Test func theURLForOtherProgramsIsAbsoluteAndEscapedOnce() {
        let url = SoundFileName.url("a b.wav")
        #expect(url.hasPrefix("file:///") && url.hasSuffix("/a%20b.wav"))
        #expect(SoundFileName.url("file:///a/caf%E9.wav") == "file:///a/caf%E9.wav")
    }

    @Test func aResolvedNameBeginsAtTheRoot() {
        let name = SoundFileName.resolved("a b.wav")
        #expect(name.hasPrefix("/") && name.hasSuffix("/a b.wav"))
        for name in ["/a/b.wav", "file:///a/caf%E9.wav", ""] { #expect(SoundFileName.resolved(name) == name) }
    }

    // MARK: Files without sound

    @Test func aMissingFileIsAnError() throws {
        #expect(code(of: "/nonexistent/a.wav") == .fileNotFound)
        #expect(code(of: "") == .fileNotFound)
        #expect(code(of: "/tmp/a\0b.wav") == .fileNotFound)
        for url in ["file://", "file://host/a.wav", "file:///a%", "file:///a%0", "file:///a%00b", "file:///a%+1"] {
            #expect(code(of: url) == .fileNotFound)
        }
        #expect(code(of: "/" + String(repeating: "x", count: 5000)) == .fileNotFound)
    }

    @Test func directoriesPipesAndDevicesAreRefused() throws {
        let scratch = try Scratch()
        #expect(code(of: scratch.path) == .notAFile)
        let pipe = scratch.name("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(code(of: pipe) == .notAFile)
        #expect(code(of: "/dev/zero") == .notAFile)
    }

    @Test func textAndEmptyFilesHaveAnUnknownFormat() throws {
        let scratch = try Scratch()
        #expect(try code(of: scratch.write([], to: "empty.wav")) != nil)
        #expect(try code(of: scratch.write(Array("Dear diary, …\n".utf8), to: "text.mp3")) == .unsupportedFormat)
    }

    @Test func anUnreadableFileIsAnError() throws {
        guard geteuid() != 0 else { return }
        let scratch = try Scratch()
        let path = try scratch.sound(tone(frames: 10), as: "a.wav")
        #expect(chmod(path, 0) == 0)
        #expect(code(of: path) == .permissionDenied)
    }

    /// It runs in its own process, because current folder and user are those of the whole process.
    @Test func aRelativePathNeedsNoPermissionToSearchAboveTheCurrentFolder() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let (folder, file) = (scratch.name("folder"), "a.wav")
            let written = try scratch.sound(tone(frames: 10), as: "sound")
            try #require(mkdir(folder, 0o700) == 0 && chdir(folder) == 0 && rename(written, file) == 0)
            try #require(chmod(".", 0o755) == 0 && chmod(file, 0o644) == 0 && chmod(scratch.path, 0) == 0)
            // Root may search all folders.
            let isRestricted = geteuid() != 0 || seteuid(65534) == 0
            let isFoundFromElsewhere = open("\(folder)/\(file)", O_RDONLY) >= 0
            let sound = try? SoundFile(path: file)
            let kept = try? OpenSoundFile(path: file)
            try #require(seteuid(getuid()) == 0 && chmod(scratch.path, 0o700) == 0)
            #expect(unlink(file) == 0 && rmdir(folder) == 0)
            if isRestricted {
                #expect(!isFoundFromElsewhere)
                #expect(sound != nil && kept != nil)
            }
        }
    }

    // MARK: Damage

    @Test(arguments: SoundKind.all) func aFileThatWasCutEndsEarly(_ kind: SoundKind) throws {
        let scratch = try Scratch()
        let whole = try scratch.bytes(of: scratch.sound(tone(frames: 20000), kind, as: "a"))
        for keep in [whole.count / 2, whole.count - 1, 60, 12, 1] {
            let path = try scratch.write(Array(whole.prefix(keep)), to: "cut")
            guard let file = try? SoundFile(path: path) else { continue }
            // The reader may report the damage; it may not return more frames than the file had.
            let count = (try? readAll(file).count) ?? 0
            #expect(count <= 44000)
        }
    }

    @Test(arguments: SoundKind.all) func damagedFilesDoNotCrashTheReader(_ kind: SoundKind) throws {
        let scratch = try Scratch()
        let whole = try scratch.bytes(of: scratch.sound(tone(frames: 4000), kind, as: "a"))
        var random = Random(seed: 42)
        for round in 0..<150 {
            var bytes = whole
            // Both the header and the samples are damaged.
            let reach = round % 3 == 0 ? bytes.count : min(bytes.count, 200)
            for _ in 0..<(1 + round % 8) {
                bytes[Int(random.next() % UInt64(reach))] = UInt8(truncatingIfNeeded: random.next())
            }
            let path = try scratch.write(bytes, to: "damaged")
            guard let file = try? SoundFile(path: path) else { continue }
            var buffer = [Float](repeating: 0, count: 512 * file.format.channelCount)
            var left = 1000
            while left > 0, let count = try? file.read(512, into: &buffer), count > 0 {
                #expect(buffer.prefix(count * file.format.channelCount).allSatisfy { $0.isFinite })
                left -= 1
            }
            try? file.seek(to: Int64(random.next() % 100_000))
            _ = try? file.read(512, into: &buffer)
        }
    }

    @Test func refusedFilesLeaveNoDescriptorOpen() throws {
        let scratch = try Scratch()
        let text = try scratch.write(Array("no sound".utf8), to: "text")
        let wide = try scratch.sound(counting(0..<10, channels: 9), channels: 9, as: "wide.wav")
        let good = try scratch.sound(tone(frames: 10), as: "good.wav")
        for _ in 0..<20 {
            #expect(code(of: text) == .unsupportedFormat)
            #expect(code(of: wide) == .unsupportedFormat)
            #expect(code(of: scratch.path) == .notAFile)
            #expect(code(of: good) == nil)
        }
        #expect(openFiles(below: scratch.path).isEmpty)
        let file = try SoundFile(path: good)
        #expect(openFiles(below: scratch.path) == [good])
        _ = file.frameCount
    }

    @Test func aFileThatStaysOpenIsReadFromItsBeginningAndClosedAtLast() throws {
        let scratch = try Scratch()
        let path = try scratch.sound(counting(0..<10), as: "a.wav")
        var open: OpenSoundFile? = try OpenSoundFile(path: path)
        scratch.remove(path)
        for _ in 0..<3 {
            let file = try SoundFile(try #require(open))
            var samples = [Float](repeating: 0, count: 20)
            #expect(try file.read(10, into: &samples) == 10)
            #expect(samples == counting(0..<10))
        }
        #expect(openFiles(below: scratch.path).count == 1)
        withExtendedLifetime(open) {}
        open = nil
        #expect(openFiles(below: scratch.path).isEmpty)
    }

    private func openFiles(below path: String) -> [String] {
        (0..<Int32(4096)).compactMap { descriptor in
            var target = [UInt8](repeating: 0, count: 4096)
            let length = target.withUnsafeMutableBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    readlink("/proc/self/fd/\(descriptor)", $0.baseAddress!, $0.count)
                }
            }
            let name = String(decoding: target.prefix(max(0, length)), as: UTF8.self)
            return name.hasPrefix(path) ? name : nil
        }
    }
}

/// Random numbers that are the same in every run.
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 16
    }
}
