import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import Foundation
import TestSupport
import Testing

/// Programs that misuse real sessions.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct MisuseTests {
    /// Tasks on many threads call a manager on one thread of PipeWire's.
    @Test func callsToAClosingManagerGetAnAnswer() async throws {
        let pipeWire = try await PrivatePipeWire()
        for round in 0..<10 {
            let manager = try await connect("Round \(round)", pipeWire)
            let sessions = try (0..<10).map { _ in try AudioSession(manager: manager) }
            let reading = sessions.map { session in Task { for await _ in session.events() {} } }
            let answers = await withTaskGroup(of: AudioSessionError.Code?.self) { group in
                for number in 0..<100 {
                    let session = sessions[number % sessions.count]
                    group.addTask { await Self.failure { try await session.activate() } }
                    group.addTask { await Self.failure { try await session.deactivate() } }
                    if number == round * 10 { group.addTask { await Self.failure { await manager.close() } } }
                }
                return await group.reduce(into: [AudioSessionError.Code?]()) { $0.append($1) }
            }
            #expect(answers.count == 201)
            #expect(Set(answers.compactMap(\.self)).isSubset(of: [.mediaServicesFailed, .resourcesExhausted]))
            for session in sessions { await session.close() }
            for task in reading { await task.value }
        }
        await pipeWire.stop()
    }

    @Test func aHandlerMayCloseEverythingWhileItPlays() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.play(on: Sinks.analog)
            let session = stage.player.session
            let closed = EventLog<String>()
            let observation = session.observe { event in
                guard case .interruptionBegan = event else { return }
                Task {
                    await session.close()
                    await session.manager.close()
                    closed.append("closed")
                }
            }
            let phone = try AudioSession(
                manager: try await connect("Phone", stage.pipeWire),
                configuration: .init(.playAndRecord, mode: .voiceChat, group: "phone"))
            try await phone.activate()
            try await closed.wait(for: "the end") { !$0.isEmpty }
            await #expect(throws: (any Error).self) { try await stage.player.play() }
            #expect(phone.state == .active)
            await phone.manager.close()
            withExtendedLifetime(observation) {}
        }
    }

    /// No file or thread of PipeWire is left behind. It runs in its own process, because other
    /// tests open and close files in this one.
    @Test func managersThatCloseDuringCallsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let pipeWire = try await PrivatePipeWire()
            var before = 0
            for round in 0..<30 {
                let manager = try await Self.connect("Round \(round)", pipeWire)
                let session = try AudioSession(manager: manager)
                let waiting = Task { try? await session.activate() }
                if round % 2 == 0 { waiting.cancel() }
                if round % 3 == 0 { try? await session.activate() }
                await manager.close()
                await waiting.value
                if round == 9 { before = try Self.openFiles() }
            }
            // Some of the last ones end on a thread of their own.
            try await waitUntil("no more than \(before + 8) open files") { try Self.openFiles() <= before + 8 }
            await pipeWire.stop()
        }
    }

    private func connect(_ name: String, _ pipeWire: PrivatePipeWire) async throws -> AudioSessionManager {
        try await Self.connect(name, pipeWire)
    }

    /// The timeout is longer than a busy computer takes for all calls of a test.
    private static func connect(_ name: String, _ pipeWire: PrivatePipeWire) async throws -> AudioSessionManager {
        try await AudioSessionManager.connect(
            .init(remote: pipeWire.remote, applicationName: name, timeout: .seconds(60)))
    }

    private static func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func failure(_ call: @Sendable () async throws -> Void) async -> AudioSessionError.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? AudioSessionError)?.code ?? .unspecified
        }
    }
}
