import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The numbers of a session on a real graph, as users and administrators change them.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct NumbersTests {
    /// The volumes, formats and gains that a session reports.
    private struct Received {
        let events = EventLog<AudioSession.Event>()
        private let observation: EventObservation

        init(_ session: AudioSession) {
            observation = session.observe { [events] event in events.append(event.timeless) }
        }

        /// Returns when an event with such a format has been notified.
        func wait(for what: String, until isMet: @escaping @Sendable (HardwareFormat) -> Bool) async throws {
            try await events.wait(for: what) { events in
                events.contains { event in
                    if case .hardwareFormatChanged(_, let current, _) = event { isMet(current) } else { false }
                }
            }
        }

        func wait(forVolume what: String, until isMet: @escaping @Sendable (OutputVolume) -> Bool) async throws {
            try await events.wait(for: what) { events in
                events.contains { event in
                    if case .outputVolumeChanged(_, let current, _) = event { isMet(current) } else { false }
                }
            }
        }
    }

    private static let cycle256 = Duration.nanoseconds(256 * 1_000_000_000 / 48_000)

    @Test func aVolumeSetInAMixerIsThatOfTheSession() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            let session = stage.player.session
            try await stage.play(on: Sinks.usb)
            let received = Received(session)
            let usb = try #require(await stage.manager.graph(nodeNamed: Sinks.usb))
            let analog = try #require(await stage.manager.graph(nodeNamed: Sinks.analog))
            try await stage.pipeWire.mix(.node(usb), level: 0.65)
            try await received.wait(forVolume: "the volume") { abs($0.level - 0.65) < 0.001 && !$0.isMuted }
            #expect(abs(session.outputVolume - 0.65) < 0.001)
            #expect(abs(stage.manager.outputVolume - 0.65) < 0.001)
            // The volume of a sink that the session does not use is not its own.
            received.events.clear()
            try await stage.pipeWire.mix(.node(analog), level: 0.2)
            try await stage.pipeWire.mix(.node(usb), isMuted: true)
            try await received.wait(forVolume: "the mute") { $0.isMuted }
            #expect(abs(session.outputVolume - 0.65) < 0.001 && session.isOutputMuted)
            // The library itself never changes the user's volume.
            received.events.clear()
            try await stage.player.setVolume(0.1)
            try await stage.pipeWire.mix(.node(usb), isMuted: false)
            try await received.wait(forVolume: "the end of the mute") { !$0.isMuted }
            #expect(abs(session.outputVolume - 0.65) < 0.001)

            // The new output has its own volume, because the session manager may have restored
            // another one.
            try await stage.cards[1].remove()
            try await received.wait(forVolume: "the speaker's volume") { $0.level < 0.6 }
        }
    }

    @Test func aPreferredCycleIsGrantedAndReleased() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = stage.player.session
            try await stage.play(on: Sinks.analog)
            try await waitUntil("the cycle is known") { session.ioBufferDuration == .nanoseconds(21_333_333) }
            let received = Received(session)
            try await session.setPreferredIOBufferDuration(Self.cycle256)
            try await received.wait(for: "the short cycle") { $0.ioBufferDuration == Self.cycle256 }
            #expect(session.ioBufferDuration == Self.cycle256)
            #expect(await stage.player.statistics.quantum == 256)
            #expect(session.outputLatency >= Self.cycle256)
            received.events.clear()
            try await session.setPreferredIOBufferDuration(nil)
            try await received.wait(for: "the usual cycle") { $0.ioBufferDuration == .nanoseconds(21_333_333) }
            #expect(await stage.player.statistics.quantum == 1024)
        }
    }

    @Test func aStreamCarriesThePreferenceFromItsFirstCycle() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.player.session.setPreferredIOBufferDuration(Self.cycle256)
            try await stage.play(on: Sinks.analog)
            try await waitUntil("the cycle") { await stage.player.statistics.quantum == 256 }
        }
    }

    @Test func aRateThatSettingsDoNotAllowIsReportedAsNotGranted() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = stage.player.session
            try await session.setPreferredSampleRate(44_100)
            try await stage.play(on: Sinks.analog)
            try await waitUntil("the rate is seen") { await stage.player.statistics.graphRate == 48_000 }
            #expect(session.preferredSampleRate == 44_100 && session.sampleRate == 48_000)
            let received = Received(session)
            // An administrator sets it for all.
            try await stage.pipeWire.set("clock.force-rate", "44100")
            try await received.wait(for: "the other rate") { $0.sampleRate == 44_100 }
            try await waitUntil("the rate is real") { await stage.player.statistics.graphRate == 44_100 }
            #expect(session.sampleRate == 44_100)
            #expect(stage.player.state == .playing)
        }
    }

    @Test func theGainOfAMicrophoneIsSetAndReadBack() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = try AudioSession(manager: stage.manager, configuration: .init(.record))
            try await session.activate()
            try await waitUntil("the gain is known") { session.isInputGainSettable }
            let received = Received(session)
            try await session.setInputGain(0.5)
            try await received.events.wait(for: "the gain") { events in
                events.contains { event in
                    if case .inputGainChanged(_, let current, _) = event { abs(current - 0.5) < 0.001 } else { false }
                }
            }
            #expect(abs(session.inputGain - 0.5) < 0.001)
            let node = try #require(await stage.card.state.nodes.first { $0.name.contains("input") })
            #expect(abs(node.volume - 0.125) < 0.001)
        }
    }

    @Test func aRecordersNumbersAreThoseOfItsMicrophone() async throws {
        try await Stage.with(.builtIn()) { stage in
            let session = try AudioSession(manager: stage.manager, configuration: .init(.record))
            let recorder = AudioRecorder(session: session)
            try await session.setPreferredIOBufferDuration(Self.cycle256)
            try await recorder.record()
            try await waitUntil("the cycle") { session.hardwareFormat.ioBufferDuration == Self.cycle256 }
            #expect(session.inputNumberOfChannels > 0 && session.inputLatency >= Self.cycle256)
            await recorder.stop()
            await recorder.close()
        }
    }
}

extension AudioSessionManager {
    fileprivate func graph(nodeNamed name: String) -> ObjectID? {
        graph.nodes.values.first { $0.name == name }?.id
    }
}

extension PrivatePipeWire {
    /// Sets a value as an administrator does.
    fileprivate func set(_ key: String, _ value: String) async throws {
        let result = try await run("pw-metadata", ["-n", "settings", "0", key, value])
        #expect(result.status == 0, "\(result.output)")
    }
}
