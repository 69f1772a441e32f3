import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// The session manager restarts beneath programs whose sessions act on one another. It has no part
/// in arbitration, but removes all routes.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct SessionManagerTests {
    private static let prompt = AudioSession.Configuration(
        .playback, mode: .voicePrompt, options: .duckOthers, group: "prompt")

    /// The prompt ends while there is no session manager, or after that.
    enum End: CaseIterable { case meanwhile, afterwards }

    @Test(arguments: End.allCases, [true, false])
    func aDuckIsNeitherLostNorStuck(_ end: End, isGraceful: Bool) async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            let navigation = try await AudioSessionManager.connect(
                .init(remote: stage.pipeWire.remote, applicationName: "Navigation"))
            let prompt = try AudioSession(manager: navigation, configuration: Self.prompt)
            try await stage.play(on: Sinks.usb)
            let received = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { received.append($0.timeless) } }
            try await prompt.activate()
            try await received.wait(for: "the ducking") { $0.gains == [0.2] }
            await stage.clearHistory()

            try await stage.pipeWire.stopSessionManager(gracefully: isGraceful)
            if end == .meanwhile {
                try await prompt.deactivate()
                try await received.wait(for: "the end of the ducking") { $0.gains == [0.2, 1] }
            }
            try await stage.pipeWire.startSessionManager()
            for card in stage.cards { try await card.waitUntilTaken() }
            let tap = try stage.tap(at: Sinks.usb)
            try await tap.wait(untilAttached: true)
            await tap.reset()
            try await tap.waitUntilLoud()
            // The file's samples are at 0.24, and ducked ones at 0.05: a threshold between them
            // finds frames that must not be heard yet.
            let loud = try await SinkTap(sink: Sinks.usb, remote: stage.pipeWire.remote, threshold: 0.1)
            if end == .afterwards {
                try await stage.tapSinks()
                #expect(await loud.report.loudFrames == 0)
                #expect(stage.player.session.gain == 0.2)
                #expect(stage.player.session.silenceReasons.count == 1)
                try await prompt.deactivate()
            }
            try await loud.waitUntilLoud()
            #expect(received.events.gains == [0.2, 1])
            #expect(stage.player.session.state == .active)
            #expect(stage.player.session.silenceReasons.isEmpty)
            // There is no pause, no loss, no other route, and no other numbers of the output. Those
            // of the default input change if the session manager restores it in more than a second.
            #expect(received.events.outputFormats == [])
            #expect(stage.log.events == [])
            #expect(stage.managerLog.events.losses == [])
            observation.cancel()
            await loud.close()
            await navigation.close()
        }
    }

    @Test(arguments: [true, false]) func anInterruptionContinuesAndItsEndIsNotified(isGraceful: Bool) async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            let phone = try await AudioSessionManager.connect(
                .init(remote: stage.pipeWire.remote, applicationName: "Phone"))
            let call = try AudioSession(
                manager: phone, configuration: .init(.playAndRecord, mode: .voiceChat, group: "call"))
            try await stage.play(on: Sinks.usb)
            await stage.clearHistory()
            try await call.activate()
            try await stage.log.wait(for: "the pause") { $0.states == [.paused(reason: .interrupted)] }
            try await stage.pipeWire.restartSessionManager(gracefully: isGraceful)
            for card in stage.cards { try await card.waitUntilTaken() }
            try await stage.tap(at: Sinks.usb).wait(untilAttached: true)
            await stage.resetTaps()
            try await stage.tapSinks()
            #expect(await stage.loudFrames().isEmpty)
            #expect(stage.log.events.states == [.paused(reason: .interrupted)])
            try await call.deactivate()
            try await stage.log.wait(for: "the music") { $0.states.last == .playing }
            try await stage.tap(at: Sinks.usb).waitUntilLoud()
            #expect(stage.managerLog.events.losses == [])
            #expect(stage.log.events.losses == [])
            await phone.close()
        }
    }
}

extension [AudioSession.Event] {
    /// The formats that changed more than the numbers of the input.
    fileprivate var outputFormats: [HardwareFormat] {
        compactMap { event in
            guard case .hardwareFormatChanged(var previous, let current, _) = event else { return nil }
            previous.inputLatency = current.inputLatency
            previous.inputNumberOfChannels = current.inputNumberOfChannels
            previous.maximumInputNumberOfChannels = current.maximumInputNumberOfChannels
            return previous == current ? nil : current
        }
    }
}
