import AudioSessionTestKit
import AudioSessions
import Foundation
import PipeWireGraph
import SessionStories
import TestSupport
import Testing

/// Runs a story with programs, step by step, and compares each with the board alone.
final class StoryStage {
    private let story: Story
    private let pipeWire: PrivatePipeWire
    private let cast: StoryCast
    /// Observes the sessions, and so notices when PipeWire has processed a step.
    private let watcher: AudioSessionManager
    private var board: StoryBoard
    private var programs: [String: StoryProgram] = [:]
    /// The story's own time.
    private var reached = MonotonicTime.now

    struct Missing: Error, CustomStringConvertible {
        let description: String
        /// The computer was so busy that a session may have acted by itself before its time in the
        /// story.
        var isLate = false
    }

    /// Runs the story. A run in which the computer missed a time of the story proves nothing, so it
    /// is repeated.
    static func run(
        _ story: Story, on pipeWire: PrivatePipeWire, with cast: StoryCast, watcher: AudioSessionManager
    ) async throws {
        for runsLeft in (0..<10).reversed() {
            do {
                return try await StoryStage(story, pipeWire, cast, watcher).run()
            } catch let missing as Missing where missing.isLate && runsLeft > 0 {}
        }
    }

    private init(
        _ story: Story, _ pipeWire: PrivatePipeWire, _ cast: StoryCast, _ watcher: AudioSessionManager
    ) {
        self.story = story
        self.pipeWire = pipeWire
        self.cast = cast
        self.watcher = watcher
        board = StoryBoard(story)
    }

    private func run() async throws {
        do {
            try await open()
            for step in story.steps { try await play(step) }
            try await checkEnd()
        } catch {
            try await close()
            throw error
        }
        try await close()
    }

    private func open() async throws {
        // The program that played last matters when one in the background activates.
        let areNew = story.steps.contains { if case .background = $0 { true } else { false } }
        let programs = try await cast.programs(story.roles.count, areNew: areNew)
        for (role, program) in zip(story.roles, programs) {
            program.nameOf = { [weak self] in self?.name(of: $0) }
            self.programs[role.name] = program
        }
        for role in story.roles { try await self.programs[role.name]?.configure(as: role.kind) }
    }

    private func name(of session: String) -> String? { programs.first { $0.value.session == session }?.key }

    private func play(_ step: StoryStep) async throws {
        try checkTime()
        if case .time(let duration) = step {
            reached = MonotonicTime(nanoseconds: reached.nanoseconds + UInt64(duration / .nanoseconds(1)))
            // The story's own clock, which real programs have to keep up with.
            try await Task.sleep(for: reached.since(.now))
        } else {
            reached = .now
            try await perform(step)
        }
        board.play(step)
        try await wait(for: board.stack, after: step)
        for (name, program) in programs where program.isAlive && !program.isStopped {
            try await program.readEvents(board.words(name).count)
            try compare(program.events.map(\.word), name, after: step)
        }
    }

    private func perform(_ step: StoryStep) async throws {
        switch step {
        case .activate(let name): _ = try await program(name).reply(to: "activate")
        case .deactivate(let name, let notify):
            _ = try await program(name).reply(to: notify ? "deactivate" : "deactivate silent")
        case .configure(let name, let kind): try await program(name).configure(as: kind)
        case .background(let name, let isOn):
            _ = try await program(name).reply(to: "background \(isOn ? "on" : "off")")
        case .kill(let name): try await program(name).kill()
        case .stop(let name, let isStopped): try program(name).stop(isStopped)
        case .silentMode(let isOn): try await setSilentMode(isOn)
        case .routeLoss, .daemon, .time: throw missing("no program can do \(step)")
        }
    }

    private func program(_ name: String) throws -> StoryProgram {
        try #require(programs[name], "no program is called \(name)")
    }

    private func setSilentMode(_ isOn: Bool) async throws {
        let tool = try await ToolRun("silent", isOn ? "on" : "off", "--remote", pipeWire.remote)
        #expect(tool.exitCode == 0, "\(tool.errors)")
    }

    /// Whether a session may have acted by itself before the board did.
    private var isLate: Bool { board.timeLeft.map { MonotonicTime.now.since(reached) >= $0 } ?? false }

    private func missing(_ what: String) -> Missing {
        Missing(description: "“\(story.name)”: \(what)", isLate: isLate)
    }

    private func checkTime() throws { if isLate { throw missing("too late for what comes next") } }

    /// Waits, until it is too late for the story at most. The error names what is missing.
    ///
    /// Unlike `waitUntil`, it records no issue, because the run may be repeated.
    private func wait(_ what: @autoclosure () -> String, _ isMet: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while try await !isMet() {
            guard ContinuousClock.now < end, !isLate else { throw missing(what()) }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// A manager has no event for sessions of other programs.
    private func wait(for stack: [String], after step: StoryStep) async throws {
        var seen: [String] = []
        try await wait("the stack after \(step) is \(stack), not \(seen)") {
            seen = await watcher.overview.stack(name)
            return seen == stack
        }
    }

    private func compare(_ words: [String], _ name: String, after step: StoryStep?) throws {
        let wanted = board.words(name)
        guard words != wanted else { return }
        let moment = step.map { "after \($0)" } ?? "in the end"
        throw missing("\(name) received \(words) and not \(wanted), \(moment)")
    }

    /// Checks each program's silence reasons, and that it printed nothing more.
    private func checkEnd() async throws {
        for (name, program) in programs where program.isAlive && !program.isStopped {
            var causes: [String] = []
            try await wait("\(name) is silent because of \(board.causes(name)), not \(causes)") {
                causes = try await program.causes()
                return causes == board.causes(name)
            }
            try compare(program.events.map(\.word), name, after: nil)
        }
    }

    /// Resets all programs for the next story.
    private func close() async throws {
        for program in programs.values { try await cast.release(program) }
        if board.isSilentMode { try await setSilentMode(false) }
        try await waitUntil("no session is left") { await watcher.overview.sessions.isEmpty }
    }
}
