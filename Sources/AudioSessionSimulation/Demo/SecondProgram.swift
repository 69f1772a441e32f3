import AudioSessionTool
import AudioSessions
import FoundationEssentials
import Glibc
import PipeWireGraph

/// Another process of the demonstration. It runs this program again, as `call` or `prompt`.
actor SecondProgram {
    /// The contents of one line of the program's output.
    struct Phase: Decodable, Sendable, Hashable {
        var phase: String
        /// When the program sent its request, in nanoseconds of the clock that all processes share.
        var asked: UInt64
        var t: UInt64

        /// When the program sent its request to PipeWire.
        var askedTime: MonotonicTime { MonotonicTime(nanoseconds: asked) }
        /// When the request was granted.
        var time: MonotonicTime { MonotonicTime(nanoseconds: t) }
    }

    nonisolated let processID: pid_t
    private let output: Int32
    private let ending: Ending
    private var lines: LineInput
    private var isReaped = false

    /// Starts the other program.
    ///
    /// - Parameters:
    ///   - tool: the path of the program.
    ///   - arguments: the arguments of the program.
    ///   - limit: the time limit for the whole run. Waiting fails after it.
    init(_ tool: String, _ arguments: [String], within limit: Duration = .seconds(30)) throws(ToolFailure) {
        let ending = try Ending()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .demo("No pipe can be made: \(systemMessage(errno)). Close files.") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let result = spawn(tool, arguments, output: ends[1])
        close(ends[1])
        guard result.error == 0 else {
            close(ends[0])
            throw .demo("\(tool) cannot be started: \(systemMessage(result.error)).")
        }
        processID = result.processID
        output = ends[0]
        self.ending = ending
        lines = LineInput(descriptor: output, ending: ending, limit: .max)
        Task {
            try await Task.sleep(for: limit)
            ending.request()
        }
    }

    deinit {
        if !isReaped {
            kill(processID, SIGKILL)
            waitpid(processID, nil, 0)
        }
        close(output)
    }

    /// Waits until the program reports this phase.
    func wait(for name: String) async throws(ToolFailure) -> Phase {
        while let line = await nextLine() {
            let phase = try? JSONDecoder().decode(Phase.self, from: Data(line.utf8))
            if let phase, phase.phase == name { return phase }
        }
        throw .demo("The other program ended before it said '\(name)'.")
    }

    /// Asks the program to hang up, and waits until it reports that.
    func leave() async throws(ToolFailure) -> Phase {
        kill(processID, SIGTERM)
        let phase = try await wait(for: "ended")
        while await nextLine() != nil {}
        reap()
        return phase
    }

    /// Kills the program without a chance to release its session.
    ///
    /// - Returns: the moment just before.
    func die() -> MonotonicTime {
        let time = MonotonicTime.now
        kill(processID, SIGKILL)
        reap()
        return time
    }

    private func nextLine() async -> String? {
        var lines = lines
        defer { self.lines = lines }
        return await lines.next()
    }

    private func reap() {
        waitpid(processID, nil, 0)
        isReaped = true
    }
}

private func spawn(_ program: String, _ arguments: [String], output: Int32) -> (processID: pid_t, error: Int32) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    var lists = [[program] + arguments, environment].map { list in list.map { strdup($0) } + [nil] }
    defer { for text in lists.joined() { free(text) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, program, &actions, nil, &lists[0], &lists[1])
    return (process, error)
}
