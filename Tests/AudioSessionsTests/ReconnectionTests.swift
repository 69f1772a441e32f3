import AudioSessionCore
import AudioSessionTestKit
@_spi(Compatibility) import AudioSessions
import Glibc
import PipeWireGraph
import TestSupport
import Testing

/// PipeWire ends and restarts while the process lives.
@Suite struct ReconnectionTests {
    private struct Program {
        let manager: AudioSessionManager
        let session: AudioSession
        let log = EventLog<AudioSessionManager.Event>()
        let received = Locked<[AudioSession.Event]>([])
        let observations: [EventObservation]

        init(
            _ name: String, on system: FakeAudioSystem, _ configuration: AudioSession.Configuration = .init(.playback)
        ) async throws {
            manager = try await system.connect(.init(applicationName: name))
            session = try AudioSession(manager: manager, configuration: configuration)
            observations = [
                manager.observe { [log] in log.append($0.timeless) },
                session.observe { [received] event in
                    if !event.isSilenceChange { received.withLock { $0.append(event.timeless) } }
                },
            ]
        }
    }

    @Test func sessionsKeepTheirPlacesAndTheirHistory() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let film = try await Program("Film", on: system)
        try await music.session.activate()
        try await film.session.activate()
        system.fail()
        #expect(music.session.state == .interrupted)
        #expect(music.session.silenceReasons.first == .daemonLost)
        let error = await #expect(throws: AudioSessionError.self) { try await music.session.activate() }
        #expect(error?.code == .mediaServicesFailed)
        system.restart()
        system.advance(by: .seconds(2))
        #expect(music.session.state == .interrupted)
        #expect(film.session.state == .active)
        #expect(music.session.silenceReasons.map(\.isInterruption) == [true])
        try await film.session.deactivate()
        #expect(music.session.state == .inactive)
        #expect(music.session.silenceReasons == [.advised])
        let words = music.received.withLock { $0.map(\.word) }
        #expect(words == ["active", "began", "interrupted", "lost", "reset", "ended+", "inactive"])
        try await music.session.activate()
        #expect(music.session.state == .active)
    }

    @Test func fiveRestartsAreNotifiedInOrderAndRestoreEverything() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        try await music.session.activate()
        for _ in 0..<5 {
            system.fail()
            system.restart()
            system.advance(by: .milliseconds(300))
        }
        system.advance(by: .seconds(2))
        #expect(
            music.log.events
                == Array(repeating: [.mediaServicesLost(at: .never), .mediaServicesReset(at: .never)], count: 5)
                .flatMap(\.self))
        #expect(music.session.state == .active)
        let call = try await Program("Call", on: system, .init(.playAndRecord, mode: .voiceChat))
        try await call.session.activate()
        #expect(music.session.state == .interrupted)
    }

    @Test func aLossDuringTheReconnectionIsNotNotifiedAgain() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        system.fail()
        system.fail()
        system.advance(by: .seconds(10))
        #expect(music.log.events == [.mediaServicesLost(at: .never)])
        system.restart()
        #expect(music.log.events == [.mediaServicesLost(at: .never), .mediaServicesReset(at: .never)])
    }

    @Test func changesDuringTheLossAreNotified() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        let before = music.manager.currentRoute
        try await music.manager.setSilentMode(true)
        system.fail()
        system.remove(device: FakeLaptop.headset)
        #expect(music.manager.currentRoute == before)
        system.restart()
        let changes = music.log.events.compactMap(\.routeChange)
        #expect(changes.map(\.reason) == [.unknown])
        #expect(changes.first?.previous == before)
        #expect(changes.first?.current == music.manager.currentRoute)
        #expect(music.log.events.contains(.silentModeChanged(false, at: .never)))
        #expect(!music.log.events.contains { if case .becameNoisy = $0 { true } else { false } })
    }

    @Test func aCategoryThatChangedDuringTheLossIsNotified() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        try await music.session.activate()
        let route = music.session.currentRoute
        system.fail()
        try await music.session.configure(.init(.playback, mode: .spokenAudio))
        system.restart()
        system.advance(by: .seconds(2))
        let changes = music.received.withLock(\.self).compactMap { event -> RouteChange? in
            if case .routeChanged(let change) = event { change } else { nil }
        }
        #expect(changes.map(\.reason) == [.categoryChange])
        #expect(changes.first?.previous == route && changes.first?.current == route)
    }

    @Test func continuousOtherAudioIsNotNotifiedAgain() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let stream = ObjectID(900)
        let properties: Properties = [.mediaClass: "Stream/Output/Audio"]
        let game = try await Program("Game", on: system, .init(.ambient))
        try await game.session.activate()
        system.send(
            .nodeProperties(stream, properties),
            .nodeState(stream, .running))
        #expect(game.session.secondaryAudioShouldBeSilencedHint)
        game.received.withLock { $0 = [] }
        system.fail()
        system.restart()
        #expect(game.session.secondaryAudioShouldBeSilencedHint)
        #expect(game.received.withLock(\.self) == [.mediaServicesLost(at: .never), .mediaServicesReset(at: .never)])
    }

    @Test func otherAudioThatEndedMeanwhileIsNotifiedAfterTheReset() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let stream = ObjectID(900)
        let game = try await Program("Game", on: system, .init(.ambient))
        try await game.session.activate()
        system.send(.nodeProperties(stream, [.mediaClass: "Stream/Output/Audio"]), .nodeState(stream, .running))
        game.received.withLock { $0 = [] }
        system.fail()
        system.send(.disappeared(stream))
        system.restart()
        #expect(
            game.received.withLock(\.self) == [
                .mediaServicesLost(at: .never), .mediaServicesReset(at: .never),
                .silenceSecondaryAudioHint(.end, at: .never),
            ])
    }

    @Test func silentModeNeedsPipeWire() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        system.fail()
        let error = await #expect(throws: AudioSessionError.self) { try await manager.setSilentMode(true) }
        #expect(error?.code == .mediaServicesFailed)
    }

    @Test func withoutPipeWireOpeningFailsUnlessItWaits() async throws {
        let system = try FakeLaptop.system(with: .headset)
        system.fail()
        let error = await #expect(throws: AudioSessionError.self) { try await system.connect() }
        #expect(error?.code == .mediaServicesFailed)
        async let waiting = system.connect(.init(waitsForPipeWire: true))
        // Either the attempt is first, or the restart that it then waits for.
        system.restart()
        system.advance(by: .seconds(10))
        let manager = try await waiting
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
    }

    /// The environment of a computer whose first connection answers nothing.
    private func silentAtFirst(_ system: FakeAudioSystem) -> (ManagerEnvironment, first: SilentConnection) {
        let first = SilentConnection()
        var environment = system.environment
        environment.connect = { [connect = environment.connect] (options, receive, failed) throws(PipeWireError) in
            guard first.failed.withLock(\.self) == nil else { return try connect(options, receive, failed) }
            first.failed.withLock { $0 = failed }
            return first
        }
        return (environment, first)
    }

    /// A listener accepts at the socket, and ends before the graph is complete.
    @Test(.timeLimit(.minutes(10))) func aWaitingOpenRetriesAfterAFailedConnection() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let executor = try #require(system.environment.executor as? InlineExecutor)
        let (environment, first) = silentAtFirst(system)
        let connecting = Task {
            try await AudioSessionManager.connect(.init(waitsForPipeWire: true), in: environment)
        }
        while first.failed.withLock(\.self) == nil { await Task.yield() }
        executor.run { first.failed.withLock(\.self)?("connection error") }
        system.advance(by: .seconds(3))
        let manager = try await connecting.value
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
    }

    /// The queue of a stopped daemon's socket is full.
    @Test(.timeLimit(.minutes(10))) func aWaitingOpenRetriesWhileTheDaemonAcceptsNoConnection() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let executor = try #require(system.environment.executor as? InlineExecutor)
        let refusals = Locked(0)
        var environment = system.environment
        environment.connect = { [connect = environment.connect] (options, receive, failed) throws(PipeWireError) in
            guard refusals.withLock(\.self) == 2 else {
                refusals.withLock { $0 += 1 }
                throw PipeWireError(code: EBUSY, during: .connecting)
            }
            return try connect(options, receive, failed)
        }
        let stopped = environment
        let error = await #expect(throws: AudioSessionError.self) {
            try await AudioSessionManager.connect(.init(), in: stopped)
        }
        #expect(error?.message.contains("accepts no connection") == true)
        let connecting = Task {
            try await AudioSessionManager.connect(.init(waitsForPipeWire: true), in: stopped)
        }
        while refusals.withLock(\.self) < 2 { await Task.yield() }
        // The manager has begun to wait when the executor is free.
        executor.run {}
        system.advance(by: .seconds(3))
        let manager = try await connecting.value
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
    }

    @Test(.timeLimit(.minutes(10))) func anOpenWithoutALimitRetriesAfterAConnectionWithoutAnswers() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let executor = try #require(system.environment.executor as? InlineExecutor)
        let (environment, first) = silentAtFirst(system)
        var configuration = AudioSessionManager.Configuration(waitsForPipeWire: true)
        configuration.waitsWithoutLimit = true
        let connecting = Task { [configuration] in
            try await AudioSessionManager.connect(configuration, in: environment)
        }
        while first.failed.withLock(\.self) == nil { await Task.yield() }
        // The manager has begun to wait when the executor is free.
        executor.run {}
        system.advance(by: configuration.timeout)
        system.advance(by: .seconds(3))
        let manager = try await connecting.value
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
    }

    /// A task that prefers an executor leaves the actor at each `await`, and PipeWire's events
    /// arrive in between.
    @Test(.timeLimit(.minutes(10))) func anImmediateFailureReachesATaskThatPrefersAnExecutor() async throws {
        let executor = try LoopExecutor()
        let taskExecutor = LoopTaskExecutor(executor)
        let failure = Locked<LoopTimer?>(nil)
        let environment = ManagerEnvironment(
            executor: executor, taskExecutor: taskExecutor,
            connect: { _, _, failed in
                failure.withLock {
                    $0 = LoopTimer(on: executor) { failed("it went") }
                    $0?.arm(after: .zero)
                }
                return SilentConnection()
            }, now: { MonotonicTime.now }, makeTimer: { LoopTimer(on: executor, fired: $0) })
        let connecting = Task(executorPreference: taskExecutor) {
            try await AudioSessionManager.connect(.init(), in: environment)
        }
        let result = await connecting.result
        // A timer ends on its loop's thread.
        await Task(executorPreference: taskExecutor) { failure.withLock { $0 = nil } }.value
        let error = #expect(throws: AudioSessionError.self) { try result.get() }
        #expect(error?.code == .mediaServicesFailed)
        await Task(executorPreference: taskExecutor) { failure.withLock { $0 = nil } }.value
    }

    @Test func aWaitingOpenCanBeCancelled() async throws {
        let system = try FakeLaptop.system(with: .headset)
        system.fail()
        let waiting = Task { try await system.connect(.init(waitsForPipeWire: true)) }
        waiting.cancel()
        let result = await waiting.result
        let error = #expect(throws: AudioSessionError.self) { try result.get() }
        #expect(error?.code == .closed)
    }

    @Test func aClosedManagerDoesNotReconnect() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await Program("Music", on: system)
        system.fail()
        await music.manager.close()
        system.restart()
        system.advance(by: .seconds(10))
        #expect(music.log.events == [.mediaServicesLost(at: .never)])
    }
}

/// A connection that is opened and then only reports its end.
private final class SilentConnection: GraphConnection, Sendable {
    let failed = Locked<((String) -> Void)?>(nil)
    let identity = ConnectionIdentity(cookie: 0, client: ObjectID(1))
    let isEnumerating = false
    let refusedCount: UInt64 = 0

    func watch() {}
    func perform(_ command: GraphCommand) {}
    func close() {}
    var end: ConnectionEnd {
        let end = ConnectionEnd()
        end.pass()
        return end
    }
    func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject { throw PipeWireError(code: -1, during: .connecting) }
}

extension AudioSession.SilenceReason {
    fileprivate var isInterruption: Bool { if case .interrupted = self { true } else { false } }
}

extension AudioSession.Event {
    fileprivate var word: String {
        switch self {
        case .stateChanged(let state, _): "\(state)"
        case .interruptionBegan: "began"
        case .interruptionEnded(let options, _): options.contains(.shouldResume) ? "ended+" : "ended-"
        case .mediaServicesLost: "lost"
        case .mediaServicesReset: "reset"
        default: "other"
        }
    }
}
