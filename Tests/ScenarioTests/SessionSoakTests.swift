import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import Testing

private let soakRuns = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_RUNS"].flatMap { Int($0) } ?? 0

/// How long it takes until it is somebody else's turn. `Scripts/soak` runs it.
@Suite(.serialized, .enabled(if: soakRuns > 0), .timeLimit(.minutes(10)))
struct SessionSoakTests {
    /// A session whose news are timed where they arrive: in the callback on its loop.
    private struct Program {
        let manager: AudioSessionManager
        let session: AudioSession
        let times = EventLog<(event: AudioSession.Event, time: MonotonicTime)>()
        private let observation: EventObservation

        init(_ name: String, on pipeWire: PrivatePipeWire) async throws {
            manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: name))
            session = try AudioSession(manager: manager, configuration: .init(.playback, group: name))
            observation = session.observe { [times] in times.append(($0, MonotonicTime.now)) }
        }

        func time(of state: AudioSession.State) async throws -> MonotonicTime {
            try await times.wait(for: "\(state)") { $0.contains { $0.event == .stateChanged(state) } }
            return try #require(times.events.first { $0.event == .stateChanged(state) }).time
        }
    }

    /// - Parameter others: sessions that stand besides, and mix.
    @Test(arguments: [0, 1000]) func turnsAreTaken(others: Int) async throws {
        let pipeWire = try await PrivatePipeWire()
        let crowd = try await Self.crowd(others, on: pipeWire)
        let first = try await Program("First", on: pipeWire)
        let second = try await Program("Second", on: pipeWire)
        var verdicts: [Duration] = []
        var interruptions: [Duration] = []
        var ends: [Duration] = []
        for _ in 0..<max(soakRuns, 100) {
            try await first.session.activate()
            first.times.clear()
            let asked = MonotonicTime.now
            try await second.session.activate()
            verdicts.append(MonotonicTime.now.since(asked))
            interruptions.append(try await first.time(of: .interrupted).since(asked))
            first.times.clear()
            let left = MonotonicTime.now
            try await second.session.deactivate()
            ends.append(try await first.time(of: .inactive).since(left))
        }
        for (name, values) in [
            ("from activate() to its return:          ", verdicts),
            ("to the other program's handler, began:  ", interruptions),
            ("from deactivate() to its handler, ended:", ends),
        ] {
            let figures = [50, 99, 100].map { "\(Int(values.percentile($0) / .microseconds(1)))" }
            print(
                "soak: \(others) other sessions: \(name) p50 \(figures[0]), p99 \(figures[1]), max \(figures[2]) us")
        }
        for session in crowd + [first.session, second.session] { await session.manager.close() }
        await pipeWire.stop()
    }

    private static func crowd(_ count: Int, on pipeWire: PrivatePipeWire) async throws -> [AudioSession] {
        var sessions: [AudioSession] = []
        while sessions.count < count {
            let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
            for _ in 0..<200 where sessions.count < count {
                let configuration = AudioSession.Configuration(.ambient, group: "crowd")
                let session = try AudioSession(manager: manager, configuration: configuration)
                try await session.activate()
                sessions.append(session)
            }
        }
        return sessions
    }
}
