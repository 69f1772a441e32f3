import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// Outputs of every kind are lost and return, for sessions with different options.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct ReturnTests {
    enum UserAction: CaseIterable {
        case nothing, resume, keepPlaying, mix, call

        var isStopped: Bool { self == .nothing || self == .resume }
        /// The notifications of a session about the loss and the return, in short.
        func notifications(_ type: PortType) -> [String] {
            let loss = self == .mix || self == .call ? [] : ["lost \(type.rawValue)"]
            let advice = self == .resume ? ["advice"] : []
            return loss + ["to builtInSpeaker", "to \(type.rawValue)"] + advice
        }
    }

    @Test(arguments: Returning.all.filter { !$0.sharesSink })
    func aLostOutputPausesAndItsReturnAdvises(_ output: Returning) async throws {
        try await expectPauseAndAdvice(output)
    }

    /// The pending resumption is cancelled. With `resumesOnReplug` the returned headset resumes
    /// playing.
    @Test func aLossDuringAnInterruptionCancelsTheResumption() async throws {
        try await Returning.usb.withStage { stage in
            let phone = try await Phone(on: stage)
            try await stage.configure(for: .resume)
            try await stage.play(on: Sinks.usb)
            try await phone.session.activate()
            try await stage.log.wait(for: "the pause") { $0.states.last == .paused(reason: .interrupted) }
            stage.managerLog.clear()
            try await Returning.usb.lose(on: stage)
            try await stage.waitForComputersRoute(on: .builtInSpeaker)
            #expect(stage.player.state == .paused(reason: .routeLost))
            let session = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
            defer { _ = observation }
            try await phone.session.deactivate()
            try await session.wait(for: "the end") { $0.contains(.stateChanged(.inactive)) }
            await stage.resetTaps()
            try await stage.tapSinks(for: .milliseconds(150))
            #expect(await stage.loudFrames() == [:])
            #expect(!session.events.contains { $0.advisesToResume })
            try await Returning.usb.regain(on: stage)
            try await stage.tap(at: Sinks.usb).waitUntilLoud()
            #expect(session.events.routes.last == "advice")
            #expect(await Array(stage.loudFrames().keys) == [Sinks.usb])
            await phone.manager.close()
        }
    }

    /// Scenario S-151, and the same after a loss: then the advice waits for the end.
    @Test(arguments: [false, true]) func aPlugDuringAnInterruptionAdvisesAtItsEnd(wasLost: Bool) async throws {
        let output = Returning.splitSinks
        try await output.withStage { stage in
            let phone = try await Phone(on: stage)
            try await stage.configure(for: .resume)
            let session = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
            defer { _ = observation }
            if wasLost { try await stage.play(on: output.sink) }
            session.clear()
            try await output.lose(on: stage)
            try await stage.waitForComputersRoute(on: .builtInSpeaker)
            if wasLost {
                // A session with a stream follows the computer's route when that stream has moved.
                try await session.wait(for: "the speaker") { $0.routes.contains("to builtInSpeaker") }
            } else {
                try await stage.play(on: Sinks.analog)
            }
            try await phone.session.activate()
            try await session.wait(for: "the interruption") { $0.contains(.stateChanged(.interrupted)) }
            session.clear()
            stage.managerLog.clear()
            try await output.regain(on: stage)
            try await stage.waitForComputersRoute(on: .headphones)
            try await stage.tapSinks(for: .milliseconds(150))
            #expect(session.events.routes == ["to headphones"])
            #expect(stage.player.session.state == .interrupted)
            await stage.resetTaps()
            try await phone.session.deactivate()
            try await stage.tap(at: output.sink).waitUntilLoud()
            try await stage.tapSinks(for: .milliseconds(150))
            #expect(await Array(stage.loudFrames().keys) == [output.sink])
            #expect(session.events.routes == ["to headphones"] + (wasLost ? ["advice"] : []))
            await phone.manager.close()
        }
    }

    /// Scenario S-169. The prompt mixes, and continues on the next output.
    @Test func aLossWhileDuckedPausesTheDuckedPlayer() async throws {
        try await Returning.jack.withStage { stage in
            let prompt = try await Phone(
                .init(.playback, mode: .voicePrompt, options: .duckOthers), on: stage)
            try await stage.play(on: Sinks.analog)
            let session = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
            defer { _ = observation }
            try await prompt.session.activate()
            try await session.wait(for: "the ducking") { _ in stage.player.session.gain == 0.2 }
            stage.managerLog.clear()
            try await Returning.jack.lose(on: stage)
            try await stage.waitForComputersRoute(on: .builtInSpeaker)
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(prompt.session.state == .active)
            try await prompt.session.deactivate()
            try await session.wait(for: "its end") { _ in stage.player.session.gain == 1 }
            // The file's samples are at 0.24, and ducked ones at 0.05.
            let loud = try await SinkTap(sink: Sinks.analog, remote: stage.pipeWire.remote, threshold: 0.1)
            try await stage.play(on: Sinks.analog)
            try await loud.waitUntilLoud()
            await loud.close()
            await prompt.manager.close()
        }
    }
}

/// A pulled jack, whose sink stays. What that sink receives after the gate has closed is measured,
/// so the suite runs alone.
@Suite(.liveAlone, .timeLimit(.minutes(10)))
struct JackReturnTests {
    @Test func aPulledJackPausesAndItsReturnAdvises() async throws {
        try await expectPauseAndAdvice(.jack, isAlone: true)
    }
}

/// Loses an output and regains it, once for each action of the user.
///
/// - Parameter isAlone: Whether no other suite runs, so that each route change counts.
private func expectPauseAndAdvice(_ output: Returning, isAlone: Bool = false) async throws {
    try await output.withStage { stage in
        let session = EventLog<AudioSession.Event>()
        let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
        defer { _ = observation }
        let uid = stage.manager.currentRoute.outputs.map(\.uid)
        for action in ReturnTests.UserAction.allCases {
            try await stage.configure(for: action, output: output.type)
            if stage.player.state != .playing { try await stage.play(on: output.sink) }
            try await stage.tap(at: output.sink).waitUntilLoud()
            try await stage.waitUntilContactsSettle(at: output.sink)
            try await stage.clearHistory(whileLoudAt: output.sink)
            session.clear()
            try await output.lose(on: stage)
            try await stage.waitForComputersRoute(on: .builtInSpeaker)
            try await session.wait(for: "the speaker") { $0.routes.contains("to builtInSpeaker") }
            #expect(stage.player.state == (action.isStopped ? .paused(reason: .routeLost) : .playing))
            if action.isStopped {
                try await stage.tapSinks(for: .milliseconds(150))
                #expect(await stage.loudFrames().keys.allSatisfy { $0 == output.sink }, "\(action)")
            } else {
                try await stage.tap(at: Sinks.analog).waitUntilLoud()
            }
            if output.sharesSink, action.isStopped {
                let late = try await stage.framesAfterGate(at: output.sink)
                #expect(late <= 1024, "at most one cycle, but \(late) frames")
            }
            stage.managerLog.clear()
            try await output.regain(on: stage)
            try await stage.waitForComputersRoute(on: output.type)
            try await session.wait(for: "the return") { $0.routes.contains("to \(output.type.rawValue)") }
            await stage.resetTaps()
            if action == .nothing {
                try await stage.tap(at: output.sink).wait(untilAttached: true)
                try await stage.tapSinks(for: .milliseconds(150))
                #expect(await stage.loudFrames() == [:], "nothing starts by itself")
            } else {
                try await stage.tap(at: output.sink).waitUntilLoud()
            }
            #expect(stage.player.state == (action == .nothing ? .paused(reason: .routeLost) : .playing))
            let routes = isAlone ? session.events.allRoutes : session.events.routes
            #expect(routes == action.notifications(output.type), "\(action)")
            #expect(stage.manager.currentRoute.outputs.map(\.uid) == uid, "\(action)")
        }
    }
}

/// Another program with its own group, because all programs are one process here.
private struct Phone {
    let manager: AudioSessionManager
    let session: AudioSession

    init(
        _ configuration: AudioSession.Configuration = .init(.playAndRecord, mode: .voiceChat), on stage: Stage
    ) async throws {
        var configuration = configuration
        configuration.group = "phone"
        manager = try await AudioSessionManager.connect(
            .init(remote: stage.pipeWire.remote, applicationName: "Phone"))
        session = try AudioSession(manager: manager, configuration: configuration)
    }
}

extension Stage {
    fileprivate func configure(for action: ReturnTests.UserAction, output: PortType? = nil) async throws {
        switch action {
        case .nothing, .resume, .keepPlaying: try await player.session.setCategory(.playback)
        case .mix: try await player.session.setCategory(.playback, options: .mixWithOthers)
        // A session that also records would switch a Bluetooth headset to its other profile.
        case .call where output == .bluetoothA2DP:
            try await player.session.configure(.init(.playback, priority: .communication))
        case .call: try await player.session.setCategory(.playAndRecord, mode: .voiceChat)
        }
        try await player.session.change {
            $0.pausesOnRouteLoss = action != .keepPlaying
            $0.resumesOnReplug = action != .nothing
        }
    }

    /// An output that is removed right after it appeared counts as bouncing.
    fileprivate func waitUntilContactsSettle(at sink: String) async throws {
        let tap = try tap(at: sink)
        try await tap.waitUntilHeard(frames: await tap.report.frames + 26_400)
    }

    /// Waits until the manager has notified of this output since its log was cleared.
    fileprivate func waitForComputersRoute(on type: PortType) async throws {
        do {
            try await managerLog.wait(for: "\(type)") { $0.routeChanges.last?.current.isOn(type) == true }
        } catch {
            // Whether the session manager chose it distinguishes its fault from the library's.
            let choice = try? await pipeWire.run("pw-metadata", ["0", "default.audio.sink"])
            Issue.record("the session manager's own account: \(choice?.output ?? "none")")
            throw error
        }
    }
}

extension AudioSession.Event {
    fileprivate var advisesToResume: Bool {
        switch self {
        case .interruptionEnded(let options, _): options.contains(.shouldResume)
        case .resumeAdvice: true
        default: false
        }
    }
}

extension [AudioSession.Event] {
    /// The notifications about outputs, in short, without changes to no output: a session manager
    /// that takes more than 300 ms selects the next output in a second change.
    fileprivate var routes: [String] { allRoutes.filter { $0 != "to " } }

    /// All notifications about outputs, in short.
    fileprivate var allRoutes: [String] {
        compactMap { event in
            switch event {
            case .becameNoisy(let port, _): "lost \(port.type.rawValue)"
            case .routeChanged(let change): "to \(change.current.outputs.map(\.type.rawValue).joined(separator: "+"))"
            case .resumeAdvice: "advice"
            default: nil
            }
        }
    }
}
