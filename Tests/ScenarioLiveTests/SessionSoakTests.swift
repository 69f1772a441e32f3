import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import Glibc
import PipeWireGraph
import TestSupport
import Testing

private let soakRuns = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_RUNS"].flatMap { Int($0) } ?? 0

/// The latency of an interruption, and the cost of other programs. `Scripts/soak` runs it.
@Suite(.liveAlone, .serialized, .enabled(if: soakRuns > 0), .timeLimit(.minutes(10)))
struct SessionSoakTests {
    /// A session whose events are timed where they arrive: in the callback on its loop.
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

        /// The time at which it was first in a state since the last `clear()`.
        func time(of state: AudioSession.State) async throws -> MonotonicTime {
            try await times.wait(for: "\(state)") { $0.contains { $0.event.timeless == .stateChanged(state) } }
            return try #require(times.events.first { $0.event.timeless == .stateChanged(state) }).time
        }
    }

    struct Setting: Sendable, CustomTestStringConvertible {
        var crowd = 0
        var processes = 0
        var kind = Crowd.Kind.mixing

        static let all = [
            Setting(), Setting(processes: 50, kind: .reading), Setting(processes: 50),
            Setting(crowd: 1000, processes: 5),
            Setting(crowd: 1000, processes: 50), Setting(crowd: 1000, processes: 50, kind: .exclusive),
        ]

        var testDescription: String {
            if processes == 0 { return "nobody else" }
            if kind == .reading { return "\(processes) C programs" }
            return "\(crowd) \(kind.rawValue) sessions in \(processes) processes"
        }
    }

    @Test(arguments: Setting.all)
    func interruptionsHaveTheirLatencyAndCost(_ setting: Setting) async throws {
        let pipeWire = try await PrivatePipeWire()
        // A program with a session keeps track of all others.
        let watcher = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let memory = try watcher.memory()
        let crowd = try await Crowd(setting.kind, sessions: setting.crowd, in: setting.processes, on: pipeWire)
        let first = try await Program("First", on: pipeWire)
        let second = try await Program("Second", on: pipeWire)
        let processorTime = try crowd.processorTime()
        let ownTime = Self.processorTime
        var (verdicts, interruptions, ends): ([Duration], [Duration], [Duration]) = ([], [], [])
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
        let spent = (Self.processorTime - ownTime) / verdicts.count
        Self.check(setting, spent)
        report(setting, "from activate() to its return:          ", verdicts)
        report(setting, "to the other program's handler, began:  ", interruptions)
        report(setting, "from deactivate() to its handler, ended:", ends)
        if setting.processes > 0 {
            let spent = try (crowd.processorTime() - processorTime) / (setting.processes * verdicts.count)
            print(
                "soak: \(setting.testDescription): each spends \(Int(spent / .microseconds(1))) us on a turn of others"
            )
        }
        if setting.crowd > 0 {
            let bytes = (try watcher.memory() - memory) / setting.crowd
            print("soak: \(setting.testDescription): each is \(bytes) bytes in another program's memory")
            #expect(bytes < 2048)
        }
        await crowd.kill()
        await watcher.kill()
        for program in [first, second] { await program.manager.close() }
        await pipeWire.stop()
    }

    /// The processor time of this process, which has both programs.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The results by the number of other programs, as long as they have no session.
    private static let empty = Locked<[Int: Duration]>([:])

    /// The cost of an interruption must stay within a factor of two beside any number of sessions.
    /// (Its latency may not: fifty programs without a session that receive it need the processors
    /// too.)
    private static func check(_ setting: Setting, _ spent: Duration) {
        print("soak: \(setting.testDescription): the two spend \(Int(spent / .microseconds(1))) us on a turn")
        empty.withLock { empty in
            if setting.crowd == 0 { empty[setting.processes] = spent }
            guard let baseline = empty[setting.processes] ?? empty[0] else { return }
            #expect(spent < baseline * 2)
        }
    }

    @Test func theEndOfAKilledProgramIsNotifiedAtOnce() async throws {
        let pipeWire = try await PrivatePipeWire()
        let music = try await Program("Music", on: pipeWire)
        var received: [Duration] = []
        for _ in 0..<max(soakRuns, 100) {
            try await music.session.activate()
            music.times.clear()
            let other = try await Crowd(.exclusive, sessions: 1, in: 1, on: pipeWire)
            _ = try await music.time(of: .interrupted)
            let killed = MonotonicTime.now
            await other.kill()
            received.append(try await music.time(of: .inactive).since(killed))
        }
        report(Setting(), "from SIGKILL to the other's handler:    ", received)
        #expect(received.percentile(99) < .milliseconds(50))
        await music.manager.close()
        await pipeWire.stop()
    }

    private func report(_ setting: Setting, _ name: String, _ values: [Duration]) {
        let figures = [50, 99, 100].map { "\(Int(values.percentile($0) / .microseconds(1)))" }
        let text = "p50 \(figures[0]), p99 \(figures[1]), max \(figures[2]) us"
        print("soak: \(setting.testDescription): \(name) \(text)")
    }
}
