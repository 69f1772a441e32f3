import AudioSessionCore
import AudioSessionPlayback
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@Suite struct DecoderTests {
    /// A running decoder, its queue and a ring. The test reads.
    private final class Bench {
        let decoder: Decoder
        let ring: FrameRing

        /// Whether the system has timers for this process.
        let hasTimers: Locked<Bool>

        init(
            _ paths: [String], capacity: Int = 200_000, runs: Bool = true, hasTimers: Bool = true,
            timersFire: Bool = true
        ) async throws {
            let locked = Locked(hasTimers)
            self.hasTimers = locked
            decoder = try Decoder { executor, fired in
                guard locked.withLock(\.self) else { return nil }
                return LoopTimer(on: executor) { if timersFire { fired() } }
            }
            ring = try #require(FrameRing(channels: 2, capacity: capacity))
            if runs { run() }
            try await queue(paths)
        }

        deinit { decoder.finish() }

        func run() { Task { [decoder] in await decoder.run() } }

        /// Executes the commands that were posted, and no others.
        func finish() async {
            decoder.finish()
            await decoder.run()
        }

        func queue(_ paths: [String]) async throws {
            var items: [AudioPlayer.Item] = []
            let inspector = try SoundFileInspector()
            for path in paths { items.append(try await inspector.inspect(path)) }
            decoder.post(.setQueue(items))
        }

        func decode(_ item: Int, _ frame: Int64 = 0, generation: UInt64 = 1) {
            decoder.post(.decode(.init(item: item, frame: frame), ring, generation: generation))
        }

        /// The events up to the end or a change of format.
        func untilEnd() async -> [DecoderEvent] {
            var seen: [DecoderEvent] = []
            for await event in decoder.events {
                seen.append(event)
                switch event {
                case .ended, .needsOtherFormat: return seen
                case .began, .primed, .failed: break
                }
            }
            return seen
        }

        func take(_ frames: Int = .max) -> [Float] {
            let count = min(frames, Int(ring.written - ring.read))
            var buffer = [Float](repeating: -1, count: 2 * count)
            var span = buffer.mutableSpan
            #expect(ring.take(into: &span) == count)
            return buffer
        }
    }

    @Test(arguments: [SoundKind.wav, .flac]) func filesFollowEachOtherSampleForSample(_ kind: SoundKind) async throws
    {
        let scratch = try Scratch()
        let bounds = [0, 1, 5000, 5001, 9096, 30000]
        let paths = try zip(bounds, bounds.dropFirst()).enumerated().map { index, pair in
            try scratch.sound(counting(pair.0..<pair.1), kind, as: "\(index)")
        }
        let bench = try await Bench(paths)
        bench.decode(0)
        let events = await bench.untilEnd()
        #expect(bench.take() == counting(0..<30000))
        let marks = events.compactMap { event -> PlaybackTimeline.Mark? in
            if case .began(_, let mark) = event { mark } else { nil }
        }
        #expect(marks.map { Int($0.start) } == Array(bounds.dropLast()))
        #expect(marks.map(\.position.item) == [0, 1, 2, 3, 4])
        #expect(events.last == .ended(generation: 1, frame: 30000, itemCount: 5))
    }

    /// It runs in its own process, because the current folder is that of the whole process.
    @Test func relativePathsSurviveAChangeOfTheCurrentFolder() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            _ = try scratch.sound(counting(0..<10), as: "a.wav")
            _ = try scratch.sound(counting(10..<20), as: "b.wav")
            try #require(chdir(scratch.path) == 0)
            let bench = try await Bench(["a.wav", "b.wav"])
            try #require(chdir("/") == 0)
            bench.decode(0)
            _ = await bench.untilEnd()
            #expect(bench.take() == counting(0..<20))
        }
    }

    /// A ring far smaller than the sound is refilled as it is read, and loses no frame where it
    /// wraps around.
    @Test func aSmallRingIsKeptFull() async throws {
        let scratch = try Scratch()
        let paths = try [0..<20000, 20000..<50000].map { range in
            try scratch.sound(counting(range), as: "\(range.lowerBound).wav")
        }
        let bench = try await Bench(paths, capacity: 5000)
        bench.decode(0)
        bench.decoder.post(.keepDecoding(true))
        var taken: [Float] = []
        while taken.count < 100_000 {
            let some = bench.take(3001)
            taken += some
            // Each of these refills it at once, as its timer would a little later.
            bench.decoder.post(.keepDecoding(true))
            if some.isEmpty { await Task.yield() }
        }
        #expect(taken == counting(0..<50000))
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 50000, itemCount: 2))
        #expect(bench.ring.underruns == 0)
    }

    @Test func aSeekEmptiesTheRingAndBeginsAtTheExactFrame() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<20000), .flac, as: "a")])
        bench.decode(0)
        _ = await bench.untilEnd()
        bench.decode(0, 12345, generation: 2)
        let events = await bench.untilEnd()
        #expect(events.first == .began(generation: 2, .init(start: 20000, item: 0, frame: 12345)))
        #expect(bench.ring.read == 20000)
        #expect(bench.take() == counting(12345..<20000))
    }

    /// A disk may be slower than the user who seeks.
    @Test func ofManySeeksOnlyTheLastOneIsDecoded() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<20000), as: "a.wav")], runs: false)
        for generation in 1...200 { bench.decode(0, generation: UInt64(generation)) }
        bench.run()
        #expect(await bench.untilEnd().last == .ended(generation: 200, frame: 20000, itemCount: 1))
        #expect(bench.ring.written == 20000)
    }

    /// A file that decodes more slowly than it plays never fills the ring.
    @Test func aCommandWaitsForFewFramesOnly() async throws {
        let scratch = try Scratch()
        let path = try scratch.sound(counting(0..<100_000), as: "a.wav")
        let bench = try await Bench([path], runs: false, timersFire: false)
        bench.decode(0)
        bench.decoder.post(.end)
        await bench.finish()
        #expect(bench.ring.written == 8192)
    }

    /// An endless repetition of a single frame never fills the ring either.
    @Test func aCommandWaitsForFewRepetitionsOnly() async throws {
        let scratch = try Scratch()
        let path = try scratch.sound(counting(0..<1), as: "a.wav")
        let bench = try await Bench([path], capacity: 5000, runs: false, timersFire: false)
        bench.decoder.post(.setRepetitions(-1))
        bench.decode(0)
        bench.decoder.post(.setRepetitions(0))
        // It decodes the rest, as the timer would.
        bench.decoder.post(.keepDecoding(true))
        await bench.finish()
        #expect(bench.ring.written < 20)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: bench.ring.written, itemCount: 1))
    }

    /// A slow disk may take long to refuse each file.
    @Test func aCommandWaitsForFewFilesThatFailOnly() async throws {
        let scratch = try Scratch()
        let gone = try scratch.sound(counting(0..<10), as: "gone.wav")
        let bench = try await Bench(Array(repeating: gone, count: 500), runs: false, timersFire: false)
        scratch.remove(gone)
        bench.decode(0)
        bench.decoder.post(.end)
        await bench.finish()
        let events = await bench.untilEnd()
        #expect((1..<20).contains(events.count))
    }

    @Test func anotherFormatEndsTheRing() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([
            scratch.sound(counting(0..<100), as: "a.wav"),
            scratch.sound(counting(0..<100, channels: 1), channels: 1, as: "b.wav"),
        ])
        bench.decode(0)
        #expect(await bench.untilEnd().last == .needsOtherFormat(generation: 1, frame: 100, next: 1))
        #expect(bench.take() == counting(0..<100))
    }

    @Test func filesAddedAtTheEndFollow() async throws {
        let scratch = try Scratch()
        let paths = try [0..<100, 100..<300].map { try scratch.sound(counting($0), as: "\($0.lowerBound).wav") }
        let bench = try await Bench([paths[0]])
        bench.decode(0)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 100, itemCount: 1))
        try await bench.queue(paths)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 300, itemCount: 2))
        #expect(bench.take() == counting(0..<300))
    }

    /// Without a timer, nothing would keep the ring full after its first second.
    @Test func aDecoderWithoutATimerFailsAtOnce() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<100), as: "a.wav")], hasTimers: false)
        bench.decode(0)
        let events = await bench.untilEnd()
        let codes = events.compactMap { event in if case .failed(_, let error) = event { error.code } else { nil } }
        #expect(codes == [.resourcesExhausted])
        #expect(events.last == .ended(generation: 1, frame: 0, itemCount: 1))
        bench.hasTimers.withLock { $0 = true }
        bench.decode(0, generation: 2)
        #expect(await bench.untilEnd().last == .ended(generation: 2, frame: 100, itemCount: 1))
        #expect(bench.take() == counting(0..<100))
    }

    // MARK: Repetitions

    @Test(arguments: [SoundKind.wav, .flac]) func aRepetitionFollowsSampleForSample(_ kind: SoundKind) async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<5000), kind, as: "a")])
        bench.decoder.post(.setRepetitions(2))
        bench.decode(0, 1000)
        let events = await bench.untilEnd()
        #expect(bench.take() == counting(1000..<5000) + counting(0..<5000) + counting(0..<5000))
        #expect(
            events.filter { if case .primed = $0 { false } else { true } } == [
                .began(generation: 1, .init(start: 0, .init(item: 0, frame: 1000))),
                .began(generation: 1, .init(start: 4000, .init(item: 0, frame: 0, repetition: 1))),
                .began(generation: 1, .init(start: 9000, .init(item: 0, frame: 0, repetition: 2))),
                .ended(generation: 1, frame: 14000, itemCount: 1, repetitions: 2),
            ])
    }

    @Test func endlessRepetitionsKeepASmallRingFull() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<3000), as: "a.wav")], capacity: 5000)
        bench.decoder.post(.setRepetitions(-1))
        bench.decode(0)
        bench.decoder.post(.keepDecoding(true))
        var taken: [Float] = []
        while taken.count < 40_000 {
            let some = bench.take(701)
            taken += some
            bench.decoder.post(.keepDecoding(true))
            if some.isEmpty { await Task.yield() }
        }
        #expect(Array(taken.prefix(36_000)) == (0..<6).flatMap { _ in counting(0..<3000) })
        #expect(bench.ring.underruns == 0)
    }

    @Test func repetitionsThatAreSetAfterTheEndFollowIt() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<1000), as: "a.wav")])
        bench.decode(0)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 1000, itemCount: 1))
        bench.decoder.post(.setRepetitions(1))
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 2000, itemCount: 1, repetitions: 1))
        #expect(bench.take() == counting(0..<1000) + counting(0..<1000))
        bench.decoder.post(.setRepetitions(0))
        // The player waits for this answer.
        #expect(await bench.untilEnd() == [.ended(generation: 1, frame: 2000, itemCount: 1)])
    }

    @Test func whatHasNoFramesOrFailsIsNotRepeated() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound([], as: "empty.wav")])
        bench.decoder.post(.setRepetitions(-1))
        bench.decode(0)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 0, itemCount: 1, repetitions: -1))
        let gone = try scratch.sound(counting(0..<10), as: "gone.wav")
        try await bench.queue([gone])
        scratch.remove(gone)
        bench.decode(0, generation: 2)
        let events = await bench.untilEnd()
        #expect(events.count { if case .failed = $0 { true } else { false } } == 1)
        #expect(events.last == .ended(generation: 2, frame: 0, itemCount: 1, repetitions: -1))
    }

    /// A file may be a single frame, and each report costs the player some work.
    @Test func repetitionsOfAVeryShortFileAreReportedRarely() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([scratch.sound(counting(0..<1), as: "a.wav")])
        bench.decoder.post(.setRepetitions(9_599))
        bench.decode(0)
        let events = await bench.untilEnd()
        #expect(events.last == .ended(generation: 1, frame: 9_600, itemCount: 1, repetitions: 9_599))
        #expect(events.count { if case .began = $0 { true } else { false } } == 20)
    }

    @Test func removedOrChangedFilesAreSkipped() async throws {
        let scratch = try Scratch()
        let gone = try scratch.sound(counting(0..<100), as: "gone.wav")
        let changed = try scratch.sound(counting(0..<100), as: "changed.wav")
        let good = try scratch.sound(counting(0..<100), as: "good.wav")
        let bench = try await Bench([gone, changed, good, gone])
        scratch.remove(gone)
        _ = try scratch.sound(counting(0..<100, channels: 1), channels: 1, as: "changed.wav")
        bench.decode(0)
        let events = await bench.untilEnd()
        let codes = events.compactMap { event in if case .failed(_, let error) = event { error.code } else { nil } }
        #expect(codes == [.fileNotFound, .unreadable, .fileNotFound])
        #expect(events.last == .ended(generation: 1, frame: 100, itemCount: 4))
        #expect(bench.take() == counting(0..<100))
    }

    @Test func withoutAPlayableFileItEnds() async throws {
        let scratch = try Scratch()
        let gone = try scratch.sound(counting(0..<10), as: "gone.wav")
        let bench = try await Bench([gone])
        scratch.remove(gone)
        bench.decode(0)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 0, itemCount: 1))
    }

    @Test func manyEmptyFilesAreSkipped() async throws {
        let scratch = try Scratch()
        let empty = try scratch.sound([], as: "empty.wav")
        let bench = try await Bench(Array(repeating: empty, count: 500))
        bench.decode(0)
        #expect(await bench.untilEnd().last == .ended(generation: 1, frame: 0, itemCount: 500))
    }

    @Test func commandsWithoutAQueueAreIgnored() async throws {
        let scratch = try Scratch()
        let bench = try await Bench([])
        bench.decode(3)
        bench.decoder.post(.keepDecoding(true))
        bench.decoder.post(.end)
        try await bench.queue([scratch.sound(counting(0..<10), as: "a.wav")])
        bench.decode(0, generation: 2)
        #expect(await bench.untilEnd().last == .ended(generation: 2, frame: 10, itemCount: 1))
    }

    @Test func finishingEndsItsEvents() async throws {
        let bench = try await Bench([])
        bench.decoder.finish()
        #expect(await bench.untilEnd().isEmpty)
    }

    @Test func aRingHoldsASecond() {
        let item = AudioPlayer.Item.made("a", rate: 44100, channels: 8)
        #expect(Decoder.makeRing(for: item.format)?.capacity == 44100)
        #expect(Decoder.makeRing(for: .init(sampleRate: 768_000, channelCount: 8, encoding: ""))?.channels == 8)
        #expect(Decoder.makeRing(for: .init(sampleRate: 1, channelCount: 1, encoding: ""))?.capacity == 4096)
    }
}
