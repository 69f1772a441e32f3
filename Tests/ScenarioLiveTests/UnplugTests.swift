import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

private let soakRounds = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_ROUTES"].flatMap { Int($0) }

/// One unplug is one route change, for any kind of output. `Scripts/soak routes` does it more
/// often.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(20))) struct UnplugTests {
    /// Each output has its own PipeWire, in parallel.
    @Test(arguments: [Returning.jack, .splitSinks, .screen, .usb, .bluetooth])
    func anUnplugIsOneRouteChange(_ output: Returning) async throws {
        try await withThrowingTaskGroup { group in
            for unplug in Unplug.all(of: output) { group.addTask { try await expectOneChange(unplug) } }
            try await group.waitForAll()
        }
    }

    private func expectOneChange(_ unplug: Unplug) async throws {
        try await unplug.output.withStage { stage in
            let log = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { log.append($0.timeless) } }
            if unplug.hasSecondSink { try await stage.makeNullSink() }
            if unplug.isPreferred { try await stage.prefer(unplug.output) }
            try await stage.play(on: unplug.output.sink)
            var delays: [Duration] = []
            for round in 0..<(soakRounds ?? 3) {
                try await stage.tapSinks(for: .milliseconds(150))
                await stage.clearHistory()
                log.clear()
                let time = MonotonicTime.now
                try await unplug.output.lose(on: stage)
                try await log.wait(for: "the route change") { !$0.routeChanges.isEmpty }
                try await stage.tapSinks(for: .milliseconds(350))
                expect(log.events, unplug, round)
                if !unplug.isPreferred {
                    #expect(
                        stage.managerLog.events.losses.count == 1 && stage.managerLog.events.outputChangeCount == 1)
                }
                #expect(stage.player.state == .paused(reason: .routeLost))
                if let change = log.events.routeChanges.first { delays.append(change.time.since(time)) }
                log.clear()
                try await unplug.output.regain(on: stage)
                try await log.wait(for: "its return") {
                    $0.routeChanges.last?.current.isOn(unplug.output.type) ?? false
                }
                try await stage.tap(at: unplug.output.sink).wait(untilAttached: true)
                try await stage.play(on: unplug.output.sink)
            }
            delays.sort()
            let (median, most) = (
                delays[delays.count / 2] / .milliseconds(1), delays[delays.count - 1] / .milliseconds(1)
            )
            print(
                "unplug: \(unplug), \(delays.count) times: received after \(Int(median)) ms (median), \(Int(most)) ms (maximum)"
            )
            withExtendedLifetime(observation) {}
        }
    }

    /// A tool for gaming headsets: programs play to a loopback, which plays to another that they
    /// never see.
    @Test func headphonesBehindFiltersAreLost() async throws {
        try await Stage.with(.builtIn().with("headphones")) { stage in
            let names = ["outer", "inner"]
            let filters = [
                stage.loopback(names[1], "Audio/Sink/Internal", to: Sinks.analog),
                stage.loopback(names[0], "Audio/Sink", to: names[1]),
            ]
            defer { for filter in filters { filter.cancel() } }
            try await waitUntil("the filters lead to the headphones") {
                stage.manager.availableOutputs.contains { $0.nodeName == names[0] && $0.type == .headphones }
            }
            try await stage.setDefault(names[0])
            try await stage.managerLog.wait(for: "the filter") {
                $0.routeChanges.last?.current.outputs.first?.nodeName == names[0]
            }
            try await stage.play(on: Sinks.analog)
            try await stage.tapSinks()
            await stage.clearHistory()
            try await stage.card.unplug("headphones")
            try await stage.log.wait(for: "the loss") { !$0.routeChanges.isEmpty }
            try await stage.tapSinks()
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.log.events.losses.map(\.type) == [.headphones])
            #expect(
                stage.log.events.routeChanges.map(\.summary) == [
                    "oldDeviceUnavailable: headphones -> builtInSpeaker"
                ])
            #expect(stage.log.events.routeChanges.allSatisfy { $0.current.outputs.allSatisfy(\.isThroughFilter) })
        }
    }

    /// Programs play to a null sink, and another program plays what it hears there to the card.
    @Test func headphonesBehindANullSinkAreLost() async throws {
        try await Stage.with(.builtIn().with("headphones")) { stage in
            try await stage.makeNullSink()
            let program = stage.forward(Stage.nullSink, to: Sinks.analog)
            defer { program.cancel() }
            try await waitUntil("the null sink leads to the headphones") {
                stage.manager.availableOutputs.contains { $0.nodeName == Stage.nullSink && $0.type == .headphones }
            }
            try await stage.setDefault(Stage.nullSink)
            try await stage.managerLog.wait(for: "the null sink") {
                $0.routeChanges.last?.current.outputs.first?.nodeName == Stage.nullSink
            }
            try await stage.play(on: Sinks.analog)
            try await stage.tapSinks()
            await stage.clearHistory()
            try await stage.card.unplug("headphones")
            try await stage.log.wait(for: "the loss") { !$0.routeChanges.isEmpty }
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.log.events.losses.map(\.type) == [.headphones])
        }
    }

    private func expect(_ events: [AudioSession.Event], _ unplug: Unplug, _ round: Int) {
        let type = unplug.output.type
        let losses = events.compactMap { if case .becameNoisy(let port, _) = $0 { port.type } else { nil } }
        #expect(losses == [type], "\(unplug), round \(round)")
        let expected = "oldDeviceUnavailable: \(type.rawValue) -> builtInSpeaker"
        #expect(events.routeChanges.map(\.summary) == [expected], "\(unplug), round \(round)")
    }
}

/// The output that is unplugged, and the other ones.
struct Unplug: Sendable, CustomStringConvertible {
    let output: Returning
    /// Whether the session prefers it, and the default is the speaker.
    let isPreferred: Bool
    let hasSecondSink: Bool

    static func all(of output: Returning) -> [Unplug] {
        [false, true].flatMap { isPreferred in
            [false, true].map { Unplug(output: output, isPreferred: isPreferred, hasSecondSink: $0) }
        }
    }

    var description: String {
        output.testDescription + (isPreferred ? ", preferred" : ", the default")
            + (hasSecondSink ? ", beside another sink" : "")
    }
}

extension Stage {
    fileprivate static let nullSink = "tape"

    /// A sink that no session prefers, as recording tools create.
    fileprivate func makeNullSink() async throws {
        let properties = "node.name=\(Self.nullSink) media.class=Audio/Sink object.linger=true audio.position=[FL FR]"
        let made = try await pipeWire.run(
            "pw-cli", ["create-node", "adapter", "{ factory.name=support.null-audio-sink \(properties) }"])
        #expect(made.status == 0, "\(made.output)")
        try await managerLog.wait(for: "the other sink") { $0.contains(.availablePortsChanged(at: .never)) }
    }

    /// Chooses the default as a desktop's sound settings do.
    fileprivate func setDefault(_ sink: String) async throws {
        let set = try await pipeWire.run(
            "pw-metadata", ["0", "default.configured.audio.sink", "{ \"name\": \"\(sink)\" }", "Spa:String:JSON"])
        #expect(set.status == 0, "\(set.output)")
    }

    /// Runs until it is cancelled.
    fileprivate func loopback(_ name: String, _ mediaClass: String, to target: String) -> Task<Void, Never> {
        runLoopback(name, "media.class=\(mediaClass) node.name=\(name)", to: target)
    }

    /// Plays what a sink plays to another sink, until it is cancelled.
    fileprivate func forward(_ sink: String, to target: String) -> Task<Void, Never> {
        runLoopback(
            "forwarding", "node.name=forwarding stream.capture.sink=true target.object=\(sink) node.target=\(sink)",
            to: target)
    }

    private func runLoopback(_ name: String, _ capture: String, to target: String) -> Task<Void, Never> {
        let position = "audio.position=[FL FR]"
        let playback = "node.name=\(name).output target.object=\(target) node.target=\(target) \(position)"
        return Task {
            _ = try? await pipeWire.run(
                "pw-loopback",
                ["--capture-props", "\(capture) \(position)", "--playback-props", playback, "--name", name])
        }
    }

    fileprivate func prefer(_ output: Returning) async throws {
        try await setDefault(Sinks.analog)
        if output.sink != Sinks.analog {
            try await managerLog.wait(for: "the other default") {
                $0.routeChanges.last?.current.isOn(.builtInSpeaker) ?? false
            }
        }
        let port = try #require(manager.availableOutputs.first { $0.type == output.type })
        try await player.session.setPreferredOutput(port)
    }
}

extension [AudioSessionManager.Event] {
    fileprivate var outputChangeCount: Int {
        routeChanges.count { $0.previous.outputs != $0.current.outputs }
    }
}
