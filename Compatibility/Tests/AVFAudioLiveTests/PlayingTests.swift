import AVFoundation
import AudioSessions
import Testing

@testable import AppShapes
@testable import AudioSessionTestKit

extension AVFAudioLiveTests {
    /// Players and recorders on PipeWire, with a virtual card that has headphones in its jack.
    @Suite struct PlayingTests {
        private static let sink = "alsa_output.pci-virtual_0.analog-stereo"

        private struct Stage {
            let pipeWire: PrivatePipeWire
            let card: VirtualCard
            let tap: SinkTap
            let file: URL

            /// Waits for this many frames of the sink's own time.
            func tapSink(frames: UInt64) async throws {
                try await tap.waitUntilHeard(frames: tap.report.frames + frames)
            }
        }

        private static func with(_ body: (Stage) async throws -> Void) async throws {
            let pipeWire = try await PrivatePipeWire()
            defer { AVAudioSession.share(nil) }
            do {
                let card = try await VirtualCard(.builtInWithHeadphones, remote: pipeWire.remote)
                let tap = try await SinkTap(sink: sink, remote: pipeWire.remote)
                let remote = pipeWire.remote
                AVAudioSession.share(
                    AVAudioSession { waits in
                        try await AudioSessionManager.connect(.init(remote: remote, waitsForPipeWire: waits))
                    })
                let file = URL(fileURLWithPath: pipeWire.directory + "/square.wav")
                try squareWave(seconds: 20).write(to: file)
                try await body(Stage(pipeWire: pipeWire, card: card, tap: tap, file: file))
                await tap.close()
                await card.close()
            } catch {
                await pipeWire.stop()
                throw error
            }
            await pipeWire.stop()
        }

        @Test func anUnpluggedPlayerScreenIsSilent() async throws {
            try await Self.with { stage in
                let screen = PlayerScreen()
                try screen.setUp()
                let player = try AVAudioPlayer(contentsOf: stage.file)
                screen.player = player
                #expect(player.duration == 20)
                #expect(player.play())
                _ = try await stage.tap.waitUntilLoud()
                #expect(player.isPlaying)
                #expect(AVAudioSession.sharedInstance().sampleRate == 48_000)
                #expect(AVAudioSession.sharedInstance().ioBufferDuration > 0)
                #expect(AVAudioSession.sharedInstance().currentRoute.outputs.map(\.portType) == [.headphones])
                try await stage.card.unplug("headphones")
                try await screen.received.wait(for: "the unplug") { !$0.isEmpty }
                #expect(screen.received.events.map { $0.hasPrefix("unplugged") } == [true])
                #expect(!player.isPlaying)
                // What was on its way when the gate closed.
                try await stage.tapSink(frames: 4_800)
                let heard = await stage.tap.report.loudFrames
                try await stage.tapSink(frames: 24_000)
                #expect(await stage.tap.report.loudFrames == heard, "nothing is heard from the speaker")
                #expect(player.play(), "the user may go on there")
                _ = try await stage.tap.waitUntilLoud()
                player.stop()
            }
        }

        /// Another program takes its turn, then the headphones are pulled.
        private static func interruptAndUnplug(_ stage: Stage, _ received: EventLog<String>) async throws {
            _ = try await stage.tap.waitUntilLoud()
            let manager = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
            let film = try AudioSession(manager: manager, configuration: .init(.playback, group: "Film"))
            try await film.activate()
            try await received.wait(for: "the interruption") { $0.last == "interrupted" }
            try await film.deactivate()
            try await received.wait(for: "going on") { $0.last == "playing" }
            try await stage.card.unplug("headphones")
            try await received.wait(for: "the unplug") { $0.last == "pulled" }
            #expect(received.events == ["playing", "interrupted", "playing", "pulled"])
            #expect(AVAudioSession.sharedInstance().currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
            await manager.close()
        }

        @Test func theListingOf2016Plays() async throws {
            try await Self.with { stage in
                let listing = try Listing2016(url: stage.file)
                listing.start()
                try await Self.interruptAndUnplug(stage, listing.received)
                listing.tearDown()
            }
        }

        @Test func theListingOf2026Plays() async throws {
            try await Self.with { stage in
                let listing = try await Listing2026(url: stage.file)
                try await listing.start()
                try await Self.interruptAndUnplug(stage, listing.received)
                try await listing.end()
            }
        }

        @Test func aScheduledPlayerBeginsInTime() async throws {
            try await Self.with { stage in
                let player = try AVAudioPlayer(contentsOf: stage.file)
                let begin = player.deviceCurrentTime + 0.3
                #expect(player.play(atTime: begin))
                let isEarly = player.isPlaying && player.deviceCurrentTime < begin
                #expect(!isEarly)
                _ = try await stage.tap.waitUntilLoud()
                #expect(player.isPlaying && player.deviceCurrentTime >= begin)
                player.stop()
                let next = player.deviceCurrentTime + 0.3
                #expect(player.play(atTime: next))
                player.pause()
                // A slow computer may have reached the time, and played until the pause.
                let isInTime = player.deviceCurrentTime < next
                let heard = await stage.tap.report.loudFrames
                try await stage.tapSink(frames: 28_800)
                let loud = await stage.tap.report.loudFrames - heard
                #expect((loud < 9_600 || !isInTime) && !player.isPlaying, "pausing cancels it")
                #expect(player.play(atTime: 0) && player.isPlaying, "what has passed is now")
                player.stop()
            }
        }

        @Test func aPreferredBufferReachesPipeWire() async throws {
            try await Self.with { stage in
                let shared = AVAudioSession.sharedInstance()
                try shared.setCategory(.playback)
                try shared.setActive(true)
                let player = try AVAudioPlayer(contentsOf: stage.file)
                #expect(player.play())
                _ = try await stage.tap.waitUntilLoud()
                let cycles = EventLog<Duration>()
                let (_, session) = try shared.backendWhenKnown()
                let observation = session.observe { event in
                    if case .hardwareFormatChanged(_, let current, _) = event {
                        cycles.append(current.ioBufferDuration)
                    }
                }
                try shared.setPreferredIOBufferDuration(256.0 / 48_000)
                try await cycles.wait(for: "the short cycle") { $0.last == .nanoseconds(5_333_333) }
                #expect(abs(shared.ioBufferDuration - 256.0 / 48_000) < 1e-6)
                // As others see the stream.
                let dump = try await stage.pipeWire.run("pw-dump", [])
                #expect(dump.output.contains(#""node.latency": "256/48000""#))
                withExtendedLifetime(observation) {}
                player.stop()
            }
        }

        @Test func anInterruptedPlayerScreenResumes() async throws {
            try await Self.with { stage in
                let screen = PlayerScreen()
                try screen.setUp()
                let player = try AVAudioPlayer(data: Data(contentsOf: stage.file))
                let delegate = Delegate()
                player.delegate = delegate
                screen.player = player
                #expect(player.play())
                _ = try await stage.tap.waitUntilLoud()
                let manager = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
                let call = try AudioSession(
                    manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat, group: "Call"))
                try await call.activate()
                try await screen.received.wait(for: "the interruption") { $0 == ["began"] }
                #expect(!player.isPlaying)
                let error = #expect(throws: NSError.self) { try AVAudioSession.sharedInstance().setActive(true) }
                #expect(error?.code == AVAudioSession.ErrorCode.insufficientPriority.rawValue)
                #expect(!player.play(), "not over a call")
                await stage.tap.reset()
                try await stage.tapSink(frames: 4_800)
                try await call.deactivate()
                try await screen.received.wait(for: "its end") { $0 == ["began", "ended, should resume"] }
                _ = try await stage.tap.waitUntilLoud()
                try await delegate.received.wait(for: "both") { $0 == ["began", "ended 1"] }
                await manager.close()
            }
        }

        @Test func aShortSoundEndsAfterItsLoops() async throws {
            try await Self.with { stage in
                let player = try AVAudioPlayer(data: squareWave(seconds: 1))
                let delegate = Delegate()
                player.delegate = delegate
                player.numberOfLoops = 1
                player.volume = 0.5
                player.currentTime = 0.9
                #expect(player.volume == 0.5)
                #expect(player.play())
                try await delegate.received.wait(for: "the end") { !$0.isEmpty }
                #expect(delegate.received.events == ["finished true"])
                #expect(player.currentTime == 0 && !player.isPlaying, "playing starts over")
                let report = await stage.tap.report
                let frames = report.loudFrames
                #expect(frames > 24_000 && frames < 60_000, "a tenth, and once more: \(frames)")
                // A late player adds whole cycles of silence. The first 4,800 frames end 320 frames
                // before the end of a cycle, which a gap before the repetition would leave silent.
                let silent = report.gapFrames % 1_024
                #expect(min(silent, 1_024 - silent) < 64, "\(silent): the repetition follows without a gap")
            }
        }

        @Test func whatCannotBeDecodedAnyMoreIsNotTriedForEver() async throws {
            try await Self.with { stage in
                let player = try AVAudioPlayer(contentsOf: stage.file)
                let delegate = Delegate()
                player.delegate = delegate
                player.numberOfLoops = -1
                // The player keeps the file open, but not its contents.
                try FileHandle(forWritingTo: stage.file).truncate(atOffset: 0)
                player.play()
                try await delegate.received.wait(for: "the end") { $0.last == "finished false" }
                #expect(delegate.received.events == ["failed", "finished false"])
                #expect(!player.isPlaying)
            }
        }

        /// The player is paused by then, so the second interruption does not concern it.
        @Test func aPlayerThatTakesTheTurnBackIsNotNotifiedOfTheEnd() async throws {
            try await Self.with { stage in
                let player = try AVAudioPlayer(contentsOf: stage.file)
                let delegate = Delegate()
                player.delegate = delegate
                #expect(player.play())
                let manager = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
                let other = try AudioSession(manager: manager, configuration: .init(.playback, group: "Other"))
                try await other.activate()
                try await delegate.received.wait(for: "the interruption") { $0 == ["began"] }
                let takeBacks = EventLog<AudioSession.Event>()
                let otherObservation = other.observe { if case .interruptionBegan = $0 { takeBacks.append($0) } }
                #expect(player.play())
                try await takeBacks.wait(for: "the take-back") { !$0.isEmpty }
                player.pause()
                let (_, session) = try AVAudioSession.sharedInstance().backendWhenKnown()
                let ends = EventLog<AudioSession.Event>()
                let observation = session.observe { if case .interruptionEnded = $0 { ends.append($0) } }
                try await other.activate()
                try await other.deactivate()
                try await ends.wait(for: "the end") { !$0.isEmpty }
                // The delegate is called on the main queue, in order.
                await MainActor.run {}
                #expect(delegate.received.events == ["began"])
                withExtendedLifetime((observation, otherObservation)) {}
                await manager.close()
            }
        }

        @Test func aMemoIsRecordedAndPlayed() async throws {
            try await Self.with { stage in
                let url = URL(fileURLWithPath: stage.pipeWire.directory + "/memo.wav")
                let settings: [String: Any] = [
                    AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 1,
                    AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
                ]
                let recorder = try AVAudioRecorder(url: url, settings: settings)
                let delegate = Delegate()
                recorder.delegate = delegate
                #expect(!recorder.record(), "soloAmbient does not record")
                try AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .default)
                #expect(recorder.record())
                #expect(recorder.isRecording)
                try await stage.tapSink(frames: 24_000)
                recorder.stop()
                try await delegate.received.wait(for: "its end") { $0 == ["recorded true"] }
                let memo = try AVAudioPlayer(contentsOf: url)
                #expect(memo.numberOfChannels == 1)
                #expect(recorder.deleteRecording())
                #expect(!FileManager.default.fileExists(atPath: url.path))
            }
        }

        @Test func anInterruptedMemoContinuesInItsFile() async throws {
            try await Self.with { stage in
                let shared = AVAudioSession.sharedInstance()
                try shared.setCategory(.record)
                let url = URL(fileURLWithPath: stage.pipeWire.directory + "/memo.wav")
                let recorder = try AVAudioRecorder(
                    url: url, settings: [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
                let delegate = Delegate()
                recorder.delegate = delegate
                #expect(recorder.record())
                try await stage.tapSink(frames: 24_000)
                let (_, session) = try shared.backendWhenKnown()
                let ends = EventLog<AudioSession.Event>()
                let observation = session.observe { if case .interruptionEnded = $0 { ends.append($0) } }
                let manager = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
                let film = try AudioSession(manager: manager, configuration: .init(.playback, group: "Film"))
                try await film.activate()
                try await film.deactivate([])
                try await ends.wait(for: "the end without advice") { !$0.isEmpty }
                #expect(!recorder.isRecording)
                #expect(recorder.record() && recorder.isRecording)
                recorder.stop()
                try await delegate.received.wait(for: "its end") { !$0.isEmpty }
                // Messages of the delegate arrive by the main queue, in order.
                await MainActor.run {}
                #expect(delegate.received.events == ["recorded true"], "one recording")
                withExtendedLifetime(observation) {}
                await manager.close()
            }
        }

        @Test func aRecorderCancelsTheEchoOnRequest() async throws {
            try await Self.with { stage in
                let shared = AVAudioSession.sharedInstance()
                try shared.setPrefersEchoCancelledInput(true)
                #expect(shared.prefersEchoCancelledInput)
                #expect(!shared.isEchoCancelledInputAvailable, "soloAmbient does not record")
                try shared.setCategory(.playAndRecord, mode: .default)
                try #require(shared.isEchoCancelledInputAvailable)
                let url = URL(fileURLWithPath: stage.pipeWire.directory + "/memo.wav")
                func recorder(at rate: Double) throws -> AVAudioRecorder {
                    try AVAudioRecorder(url: url, settings: [AVSampleRateKey: rate, AVNumberOfChannelsKey: 1])
                }
                let plain = try recorder(at: 44_100)
                #expect(plain.record(), "at a rate that the canceller does not support, the echo stays")
                #expect(!shared.isEchoCancelledInputEnabled)
                plain.stop()
                let cancelling = try recorder(at: 48_000)
                #expect(!shared.isEchoCancelledInputEnabled, "it does not record yet")
                #expect(cancelling.record())
                for _ in 0..<100 where !shared.isEchoCancelledInputEnabled { try await stage.tapSink(frames: 4_800) }
                #expect(shared.isEchoCancelledInputEnabled)
                cancelling.stop()
                #expect(!shared.isEchoCancelledInputEnabled)
                try shared.setPrefersEchoCancelledInput(false)
            }
        }

        @Test func pipeWiresOwnThreadMayNotWait() async throws {
            try await Self.with { stage in
                let shared = AVAudioSession.sharedInstance()
                let (manager, _) = try shared.backendWhenKnown()
                let codes = EventLog<Int>()
                let observation = manager.observe { _ in
                    do { try shared.setActive(true) } catch { codes.append((error as NSError).code) }
                }
                try await stage.card.unplug("headphones")
                try await codes.wait(for: "an answer") { !$0.isEmpty }
                #expect(Set(codes.events) == [AVAudioSession.ErrorCode.unspecified.rawValue])
                withExtendedLifetime(observation) {}
            }
        }

        @Test func filesThatCannotBePlayedAreReported() async throws {
            try await Self.with { stage in
                let missing = #expect(throws: NSError.self) {
                    try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/nowhere.wav"))
                }
                #expect(missing?.code == -43)
                let text = #expect(throws: NSError.self) { try AVAudioPlayer(data: Data("text, no sound".utf8)) }
                #expect(text?.code == 1_954_115_647)
                #expect(throws: NSError.self) {
                    try AVAudioRecorder(url: stage.file, settings: [AVFormatIDKey: kAudioFormatMPEG4AAC])
                }
            }
        }
    }
}

private final class Delegate: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate {
    let received = EventLog<String>()

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        received.append("finished \(flag)")
    }
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) { received.append("failed") }
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { received.append("began") }
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {
        received.append("ended \(flags)")
    }
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        received.append("recorded \(flag)")
    }
}

/// A file of which every frame is loud: 16 bits, 48 kHz, two channels.
private func squareWave(seconds: Int) -> Data {
    let size = seconds * 48_000 * 4
    var data = Data("RIFF".utf8)
    func append(_ value: Int, _ bytes: Int) {
        for shift in 0..<bytes { data.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    append(36 + size, 4)
    data.append(contentsOf: "WAVEfmt ".utf8)
    for (value, bytes) in [(16, 4), (1, 2), (2, 2), (48_000, 4), (192_000, 4), (4, 2), (16, 2)] {
        append(value, bytes)
    }
    data.append(contentsOf: "data".utf8)
    append(size, 4)
    let (high, low) = ([0x40, 0x1F] as [UInt8], [0xC0, 0xE0] as [UInt8])
    let period =
        Data([[UInt8]](repeating: high, count: 96).joined()) + Data([[UInt8]](repeating: low, count: 96).joined())
    for _ in 0..<size / period.count { data.append(period) }
    return data
}

extension VirtualCardDescription {
    fileprivate static var builtInWithHeadphones: Self {
        var card = builtIn()
        for index in card.routes.indices where card.routes[index].port == "headphones" {
            card.routes[index].availability = .yes
        }
        return card
    }
}
