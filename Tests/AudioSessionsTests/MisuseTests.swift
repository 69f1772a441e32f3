import AudioSessionCore
import AudioSessionTestKit
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessions

/// Whatever a program does with its sessions, it gets an answer or a typed error, and no object
/// leaks.
@Suite(.timeLimit(.minutes(10))) struct MisuseTests {
    /// Owns an observation whose handler owns it: a reference cycle that only the end of the
    /// session breaks.
    private final class Circle: Sendable {
        private let observation = Locked<EventObservation?>(nil)
        private let calls = Locked(0)

        init(_ observe: (@escaping @Sendable () -> Void) -> EventObservation) {
            let own = observe { self.calls.withLock { $0 += 1 } }
            observation.withLock { $0 = own }
        }
    }

    private func session(
        _ system: FakeAudioSystem, _ name: String = "Music",
        _ configuration: AudioSession.Configuration = .init(.playback)
    ) async throws -> AudioSession {
        try AudioSession(
            manager: try await system.connect(.init(applicationName: name)), configuration: configuration)
    }

    @Test func anOwnerOfItsOwnHandlerIsReleasedWithTheSession() async throws {
        let session = try await session(FakeLaptop.system(with: .headset))
        weak var atSession: Circle?
        weak var atManager: Circle?
        do {
            let first = Circle { observed in session.observe { _ in observed() } }
            let second = Circle { observed in session.manager.observe { _ in observed() } }
            (atSession, atManager) = (first, second)
        }
        #expect(atSession != nil && atManager != nil)
        await session.close()
        await session.manager.close()
        #expect(atSession == nil && atManager == nil)
    }

    @Test func anOwnerOfAnotherObservationIsReleasedWithItsHandler() async throws {
        let session = try await session(FakeLaptop.system(with: .headset))
        weak var held: EventObservation?
        let observation: EventObservation
        do {
            let other = session.observe { _ in }
            observation = session.observe { _ in _ = other }
            held = other
        }
        #expect(held != nil)
        observation.cancel()
        #expect(held == nil)
        try await session.activate()
    }

    @Test func aHandlerMayMakeAnyCall() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let music = try await session(system)
        let film = try await session(system, "Film")
        let tasks = Locked<[Task<AudioSessionError.Code?, Never>]>([])
        let own = Locked<EventObservation?>(nil)
        let observation = music.observe { event in
            guard case .interruptionBegan = event else { return }
            own.withLock(\.self)?.cancel()
            _ = music.observe { _ in }
            _ = music.events()
            _ = (music.state, music.silenceReasons, music.gain, music.configuration)
            let all: [@Sendable () async throws -> Void] = [
                { try await music.activate() }, { try await music.configure(.init(.ambient)) },
                { try await music.deactivate() }, { await music.close() }, { try await music.activate() },
                { await music.manager.close() },
            ]
            tasks.withLock { tasks in tasks = all.map { call in Task { await Self.failure(call) } } }
        }
        own.withLock { $0 = observation }
        try await music.activate()
        try await film.activate()
        let answers = await answers(tasks.withLock(\.self))
        #expect(answers.count == 6)
        #expect(Set(answers.compactMap(\.self)).isSubset(of: [.expiredSession, .mediaServicesFailed]))
        // The order of the calls is not defined. If the session was interrupted in between, it was
        // notified of the end.
        #expect([.active, .inactive].contains(film.state))
        own.withLock { $0 = nil }
    }

    private static func failure(_ call: @Sendable () async throws -> Void) async -> AudioSessionError.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? AudioSessionError)?.code ?? .unspecified
        }
    }

    private func answers(_ tasks: [Task<AudioSessionError.Code?, Never>]) async -> [AudioSessionError.Code?] {
        var answers: [AudioSessionError.Code?] = []
        for task in tasks { answers.append(await task.value) }
        return answers
    }

    /// Tasks on all threads make random calls, and PipeWire is lost in between.
    @Test(arguments: 0..<20) func callsInAnyOrderGetAnAnswer(seed: UInt64) async throws {
        let system = try FakeLaptop.system(with: .headset)
        var sessions: [AudioSession] = []
        for program in 0..<3 {
            let first = try await session(system, "Program \(program)")
            sessions += [first, try AudioSession(manager: first.manager)]
        }
        let logs = sessions.map(Alternation.init)
        let all = sessions
        let wrong = await withTaskGroup(of: [any Error].self) { group in
            for number in 0..<8 {
                group.addTask {
                    var random = SplitMix64(seed: seed * 100 + UInt64(number))
                    var wrong: [any Error] = []
                    for _ in 0..<60 {
                        guard let session = all.randomElement(using: &random) else { break }
                        do {
                            try await Self.misuse(session, system, &random)
                        } catch {
                            if !(error is AudioSessionError) { wrong.append(error) }
                        }
                    }
                    return wrong
                }
            }
            return await group.reduce(into: [any Error]()) { $0 += $1 }
        }
        #expect(wrong.isEmpty)
        for session in sessions {
            await session.close()
            await session.manager.close()
            await #expect { try await session.activate() } throws: {
                ($0 as? AudioSessionError)?.code == .expiredSession
            }
        }
        for log in logs { #expect(log.isBroken == false, "seed \(seed): \(log.entries)") }
    }

    private static func misuse(
        _ session: AudioSession, _ system: FakeAudioSystem, _ random: inout SplitMix64
    ) async throws {
        let categories: [AudioSession.Configuration] = [
            .init(.playback), .init(.ambient), .init(.playback, options: .duckOthers),
            .init(.playAndRecord, mode: .voiceChat), .init(.ambient, mode: .voiceChat),
        ]
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4: try await session.activate()
        case 4, 5: try await session.deactivate(Bool.random(using: &random) ? [] : .notifyOthersOnDeactivation)
        case 6, 7: try await session.configure(categories.randomElement(using: &random) ?? .init())
        case 8:
            let task = Task { try await session.activate() }
            task.cancel()
            try await task.value
        case 9: _ = session.events(bufferingNewest: Int.random(in: -1...2, using: &random))
        case 10: _ = try await session.hold()
        case 11: try await session.withActiveSession { await Task.yield() }
        case 12: system.advance(by: .milliseconds(Int.random(in: 0...4000, using: &random)))
        case 13: await session.manager.setInBackground(Bool.random(using: &random))
        case 14:
            system.fail()
            system.restart()
        default: try await session.deactivate(DeactivationOptions(rawValue: 4))
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)]) func aTimeoutOfNoTimeIsRefused(timeout: Duration) async throws {
        let system = try FakeLaptop.system(with: .headset)
        let error = await #expect(throws: AudioSessionError.self) {
            try await system.connect(.init(timeout: timeout))
        }
        #expect(error?.code == .badParam)
        _ = try await system.connect(.init(timeout: .nanoseconds(1)))
    }

    @Test func closingAnswersAllWaitingCalls() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let session = try await session(system)
        let other = try await self.session(system, "Film")
        try await other.activate()
        let answers = await withTaskGroup(of: AudioSessionError.Code?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await Self.failure {
                        if number % 3 == 0 { try await session.activate() } else { try await session.deactivate() }
                    }
                }
                if number == 100 { group.addTask { await Self.failure { await session.manager.close() } } }
            }
            return await group.reduce(into: [AudioSessionError.Code?]()) { $0.append($1) }
        }
        #expect(answers.count == 201)
        #expect(other.state != .interrupted)
        #expect(Set(answers.compactMap(\.self)).isSubset(of: [.mediaServicesFailed, .resourcesExhausted]))
    }

    @Test func aCancelledTaskGetsAnAnswer() async throws {
        let session = try await session(FakeLaptop.system(with: .headset))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await session.activate()
        }
        try await task.value
        #expect(session.state == .active)
    }

    @Test func unreadSequencesUseNoMemory() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let session = try await session(system)
        for _ in 0..<1000 { _ = session.events() }
        let slow = session.events(bufferingNewest: 0)
        for _ in 0..<10 {
            try await session.activate()
            try await session.deactivate()
        }
        #expect(slow.droppedCount == 39)
        await session.close()
        var left: [AudioSession.Event] = []
        for await event in slow { left.append(event) }
        #expect(left.map(\.timeless) == [.silenceReasonsChanged([.inactive], at: .never)])
        let late = session.events()
        for await _ in late { Issue.record("a closed session sends no event") }
    }

    @Test func sessionsBeyondTheLimitAreRefusedOneByOne() async throws {
        let manager = try await FakeLaptop.system(with: .headset).connect()
        var sessions: [AudioSession] = []
        for _ in 0..<256 {
            let session = try AudioSession(manager: manager, configuration: .init(.ambient))
            try await session.activate()
            sessions.append(session)
        }
        let surplus = try AudioSession(manager: manager, configuration: .init(.ambient))
        await #expect { try await surplus.activate() } throws: {
            ($0 as? AudioSessionError)?.code == .resourcesExhausted
        }
        #expect(surplus.state == .inactive)
        try await surplus.deactivate()
        try await surplus.configure(.init(.playback, options: .mixWithOthers))
        #expect(surplus.configuration.category == .playback)
        await sessions.removeLast().close()
        try await surplus.activate()
        #expect(sessions.allSatisfy { $0.state == .active } && surplus.state == .active)
    }

    /// `audiosession status` only counts the sessions.
    @Test func theErrorOfTooManyTokensNamesTheCommandThatListsThem() {
        #expect(AudioSessionError(ActivationFailure.tooManyTokens).fix?.contains("'audiosession why'") == true)
    }

    @Test func thousandsOfSessionsLeaveNothingBehind() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        weak var last: AudioSession?
        for number in 0..<1000 {
            let session = try AudioSession(manager: manager)
            try await session.activate()
            if number % 2 == 0 { await session.close() }
            last = session
            // PipeWire shows for a second that they have ended.
            if number % 100 == 99 { system.advance(by: .seconds(2)) }
        }
        // The last one may still be ending on another thread, without a notification.
        let deadline = ContinuousClock.now + .seconds(300)
        while await !manager.isAtRest || last != nil {
            try #require(ContinuousClock.now < deadline, "something of a session is left")
            system.advance(by: .seconds(2))
            await Task.yield()
        }
    }

    @Test func aManagerThatClosesDuringCallsLeavesNothingBehind() async throws {
        let system = try FakeLaptop.system(with: .headset)
        weak var manager: AudioSessionManager?
        weak var last: AudioSession?
        do {
            let program = try await system.connect(.init(applicationName: "Game"))
            let sessions = try (0..<20).map { _ in try AudioSession(manager: program) }
            let reading = sessions.map { session in Task { for await _ in session.events() {} } }
            let observations = sessions.map { session in session.observe { _ in _ = session.state } }
            for session in sessions { try await session.activate() }
            await program.close()
            await program.close()
            await #expect { try await sessions[0].activate() } throws: {
                ($0 as? AudioSessionError)?.code == .mediaServicesFailed
            }
            try await sessions[1].deactivate()
            for session in sessions { await session.close() }
            for task in reading { await task.value }
            withExtendedLifetime(observations) {}
            manager = program
            last = sessions.last
        }
        // Threads that ran the last calls and tasks hold their objects for a moment longer.
        let deadline = ContinuousClock.now + .seconds(300)
        while manager != nil || last != nil {
            try #require(ContinuousClock.now < deadline, "something of it is left")
            await Task.yield()
        }
    }
}

extension AudioSessionManager {
    /// Whether nothing is kept for any session.
    fileprivate var isAtRest: Bool {
        arbitration.sessions.isEmpty && arbitration.waiting.isEmpty && arbitration.tokens.isEmpty
    }
}

/// Whether began and ended alternate.
private final class Alternation: Sendable {
    private let state = Locked((isInterrupted: false, isBroken: false, entries: [String]()))
    private let observation = Locked<EventObservation?>(nil)

    init(_ session: AudioSession) {
        let observation = session.observe { [state] event in
            state.withLock { state in
                state.entries.append("\(event)".prefix(24).description)
                switch event {
                case .interruptionBegan:
                    if state.isInterrupted { state.isBroken = true }
                    state.isInterrupted = true
                case .interruptionEnded:
                    if !state.isInterrupted { state.isBroken = true }
                    state.isInterrupted = false
                // The session was taken back, or deactivated.
                case .stateChanged(.active, _), .stateChanged(.inactive, _): state.isInterrupted = false
                default: break
                }
            }
        }
        self.observation.withLock { $0 = observation }
    }

    var isBroken: Bool { state.withLock(\.isBroken) }
    var entries: [String] { state.withLock(\.entries) }
}
