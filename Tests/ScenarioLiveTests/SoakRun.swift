import AudioSessionCore
import AudioSessions
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// Twenty programs that act at random, and the faults that are injected.
final class SoakRun {
    let pipeWire: PrivatePipeWire
    private let watcher: AudioSessionManager
    private let card: VirtualCard
    private var random: SplitMix64
    private(set) var all: [SoakProgram] = []
    private(set) var counts: [String: Int] = [:]
    private(set) var usage: [(memory: Int, files: Int)] = []
    private var stops: [(program: SoakProgram, start: ContinuousClock.Instant, end: ContinuousClock.Instant)] = []
    private(set) var longestStop = Duration.zero
    private(set) var longestTaking = Duration.zero
    private var isPlugged = false
    private static let size = 20
    private static let veterans = 4
    private static let timeLimit = Duration.seconds(40)

    init(seed: UInt64) async throws {
        random = SplitMix64(seed: seed)
        pipeWire = try await PrivatePipeWire()
        card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        watcher = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Watcher"))
        for number in 0..<Self.size { try await start(isVeteran: number < Self.veterans) }
    }

    private var alive: [SoakProgram] { all.filter { $0.isAlive && !$0.isKilled } }
    /// The programs that answer.
    private var awake: [SoakProgram] { alive.filter { !$0.isStopped } }

    private func start(isVeteran: Bool = false) async throws {
        let kind = SoakProgram.Kind.all[all.count % SoakProgram.Kind.all.count]
        let program = try await SoakProgram(all.count, kind, isVeteran: isVeteran, on: pipeWire)
        all.append(program)
        // A program that finds no PipeWire at its start prints that, and ends.
        try await waitUntil("program \(program.number) is ready", within: Self.timeLimit) {
            try #require(program.isAlive)
            return program.session != nil
        }
    }

    // MARK: Actions

    func play(until end: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < end {
            try await continueDuePrograms()
            try await step()
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...40, using: &random)))
        }
    }

    private func step() async throws {
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<4: try await restartPipeWire()
        case 4..<8: try await restartSessionManager()
        case 8..<28: try await killProgram()
        case 28..<40: stopProgram()
        case 40..<70: try await moveJack()
        case 70..<75: await turnSilentMode()
        default: command()
        }
    }

    private func command() {
        guard let program = awake.randomElement(using: &random) else { return }
        // A program with many pending commands gets no more.
        guard program.commands.count - program.replies.count < 16 else { return }
        let commands = [
            "activate", "activate", "activate", "activate", "play tone 440", "play tone 880", "deactivate",
            "deactivate",
            "deactivate silent", "pause", "stop", "auto on", "auto off", "background on", "background off",
            "background off", "volume 0.5", "noisy ignore", "noisy pause", "why", "state", "route", "nonsense",
        ]
        program.send(commands.randomElement(using: &random) ?? "state")
        counts["commands", default: 0] += 1
    }

    private func killProgram() async throws {
        guard let program = alive.filter({ !$0.isVeteran }).randomElement(using: &random) else { return }
        program.isKilled = true
        program.process.signal(SIGKILL)
        await program.process.exited()
        program.endInput()
        counts["kills", default: 0] += 1
        try await start()
    }

    private func stopProgram() {
        guard stops.count < 5, let program = awake.randomElement(using: &random) else { return }
        // The first is stopped for longer than all others wait for it.
        let duration = counts["stops"] == nil ? 30_000 : Int.random(in: 100...8000, using: &random)
        program.isStopped = true
        program.process.signal(SIGSTOP)
        let now = ContinuousClock.now
        stops.append((program, now, now + .milliseconds(duration)))
        counts["stops", default: 0] += 1
    }

    private func continueDuePrograms(_ now: ContinuousClock.Instant = .now) async throws {
        for stop in stops where stop.end <= now {
            stop.program.process.signal(SIGCONT)
            stop.program.isStopped = false
            longestStop = max(longestStop, ContinuousClock.now - stop.start)
        }
        stops.removeAll { $0.end <= now }
        let ended = all.filter { !$0.isKilled && !$0.isAlive }
        try #require(
            ended.isEmpty, "\(ended.map { "program \($0.number): \(String(describing: $0.process.exitStatus))" })")
    }

    private func restartPipeWire() async throws {
        counts["restarts of PipeWire", default: 0] += 1
        await pipeWire.killDaemon()
        try await pipeWire.startDaemon()
        isPlugged = false
        do {
            try await card.reconnect(within: .seconds(1))
        } catch let error where error.code == .timedOut {
            try await untilTaken()
        }
    }

    private func restartSessionManager() async throws {
        counts["restarts of the session manager", default: 0] += 1
        try await pipeWire.restartSessionManager(gracefully: Bool.random(using: &random))
        try await untilTaken()
    }

    /// A starting session manager sets parameters of every stream, and PipeWire reads no more from
    /// it until the stream's program has answered. So it may have to wait for a stopped program,
    /// and for nothing else.
    private func untilTaken() async throws {
        let start = ContinuousClock.now
        while true {
            do {
                try await card.waitUntilTaken(within: .seconds(1))
                longestTaking = max(longestTaking, ContinuousClock.now - start)
                return
            } catch let error where error.code == .timedOut {
                guard ContinuousClock.now - start < Self.timeLimit else { throw error }
                try await continueDuePrograms()
            }
        }
    }

    private func continueAllPrograms() async throws { try await continueDuePrograms(stops.map(\.end).max() ?? .now) }

    private func moveJack() async throws {
        counts["jacks", default: 0] += 1
        isPlugged.toggle()
        _ = try await isPlugged ? card.plug("headphones") : card.unplug("headphones")
    }

    private func turnSilentMode() async {
        counts["silent modes", default: 0] += 1
        try? await watcher.setSilentMode(!watcher.isSilentMode)
    }

    // MARK: Halts

    /// All programs pause, report their states, and must agree.
    func halt(_ name: String) async throws {
        try await continueAllPrograms()
        let end = ContinuousClock.now + Self.timeLimit
        var difference: String?
        try await waitUntil(
            "\(name), all agree: \(difference ?? "")", within: Self.timeLimit, every: .milliseconds(100)
        ) {
            difference = try await disagreement(until: end)
            return difference == nil
        }
        counts["halts", default: 0] += 1
    }

    /// The contradictions in what programs report.
    private func disagreement(until end: ContinuousClock.Instant) async throws -> String? {
        for program in alive { for command in ["state", "why"] { program.send(command) } }
        for program in alive {
            let what = "program \(program.number) has answered \(program.commands.suffix(4))"
            try await waitUntil(what, within: end - .now) {
                try #require(program.isAlive, "program \(program.number) ended")
                return program.replies.count >= program.commands.count
            }
        }
        let overview = await watcher.overview
        let late = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Late"))
        let seen = await late.overview
        await late.close()
        guard seen.sessions.map(Line.init) == overview.sessions.map(Line.init) else {
            return "a new program sees \(seen.sessions.map(Line.init)), not \(overview.sessions.map(Line.init))"
        }
        if let wrong = overview.wrong { return wrong }
        for program in alive {
            if let wrong = program.wrong(in: overview) { return "program \(program.number) \(wrong)" }
        }
        return nil
    }

    private struct Line: Equatable {
        var session: String
        var state: SoundOverview.State

        init(_ session: SoundOverview.Session) {
            (self.session, state) = (session.id.session.description, session.state)
        }
    }

    /// Everything is released, and then the usage of each veteran is recorded.
    func rest() async throws {
        try await halt("before a rest")
        for program in alive { for command in ["stop", "deactivate", "background off"] { program.send(command) } }
        try await halt("at rest")
        let overview = await watcher.overview
        #expect(overview.sessions.isEmpty, "\(overview.sessions)")
        usage.append(try await idleUsage())
    }

    /// The largest usage of a veteran. A stream ends on its own thread, which may still run: so it
    /// waits until no more files are open than at an earlier rest after playing, up to a deadline.
    private func idleUsage() async throws -> (memory: Int, files: Int) {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            let all = try self.all.filter(\.isVeteran).map { (program: $0, usage: try $0.usage()) }
            guard let largest = all.max(by: { $0.usage.files < $1.usage.files }) else { return (0, 0) }
            let isMore = usage.dropFirst().map(\.files).max().map { largest.usage.files > $0 } ?? false
            guard isMore, .now < end else {
                if isMore { print("soak: program \(largest.program.number) holds", try largest.program.files()) }
                return (all.map(\.usage.memory).max() ?? 0, largest.usage.files)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Ends all programs as requested by a command.
    func end() async throws {
        for program in alive {
            program.send("quit")
            program.endInput()
        }
        for program in all where !program.isKilled {
            #expect(await program.process.exited() == .code(0), "program \(program.number)")
        }
        let overview = await watcher.overview
        #expect(overview.sessions.isEmpty && overview.malformedTokens == 0 && overview.surplusTokens == 0)
    }

    func clear() async {
        await watcher.close()
        await card.close()
        await pipeWire.stop()
    }
}

extension SoundOverview {
    /// The conditions that must never occur.
    fileprivate var wrong: String? {
        let active = sessions.filter { $0.state == .active }
        let exclusive = active.filter { !$0.traits.isMixable }
        if exclusive.count > 1 { return "\(exclusive.count) are active: \(exclusive)" }
        if let stuck = sessions.first(where: { $0.state == .interrupted && $0.interruptedBy.isEmpty }) {
            return "interrupted without a blocker: \(stuck)"
        }
        let areDucking = active.contains { $0.traits.duckedGain != nil }
        if let low = active.first(where: { $0.duckedGain < 1 }), !areDucking {
            return "ducked without a ducker: \(low)"
        }
        return nil
    }
}

extension SoakProgram {
    /// The claims of its own that others contradict.
    fileprivate func wrong(in overview: SoundOverview) -> String? {
        guard let state = replies.last(where: { $0["reply"]?.text == "state" }),
            let why = replies.last(where: { $0["reply"]?.text == "why" })
        else { return "says nothing" }
        let seen = overview.sessions.first { $0.id.session.description == session }
        let word = seen.map { $0.state == .advised ? "inactive" : $0.state.rawValue } ?? "inactive"
        guard state["state"]?.text == word else { return "says \(state), and is \(word)" }
        if let seen, seen.state == .active, let gain = state["gain"]?.text.flatMap(Float.init),
            abs(gain - seen.gain) > 0.001
        {
            return "says \(state), and its gain is \(seen.gain)"
        }
        let isSilent = why["audible"]?.text == "false"
        if isSilent, why["causes"]?.elements.isEmpty ?? true { return "cannot say why it is silent: \(why)" }
        return nil
    }
}
