import AudioSessions
import Dispatch
import Glibc
import PipeWireGraph

/// Performs `audiosession duck` and `audiosession pause`: holds a session until the end is
/// requested.
struct Hold: Sendable {
    let silencing: Silencing
    let remote: String?
    let output: LineOutput
    let isJSON: Bool

    /// Holds the session until the end is requested or the time limit passes.
    ///
    /// - Parameters:
    ///   - ending: The request to end.
    ///   - limit: The time limit; `nil` for none.
    /// - Throws: The failure of the session or of the output.
    func run(until ending: Ending, within limit: Duration?) async throws(ToolFailure) {
        let lines = RunOutput(output, ending: ending)
        do throws(ToolFailure) {
            try await hold(until: ending, within: limit, lines)
        } catch {
            await lines.drain()
            // A failure of the output is a request to end as well.
            throw error == .stopped ? lines.failure ?? error : error
        }
        await lines.drain()
        if let failure = lines.failure { throw failure }
    }

    private func hold(until ending: Ending, within limit: Duration?, _ lines: RunOutput) async throws(ToolFailure) {
        let session = try await ending.unlessRequested { () async throws(ToolFailure) -> SilencingSession in
            try await connect(lines)
        }
        if isJSON { lines.post(RunFormat.ready(session.session.id.description)) }
        let observation = session.observeEndOfInterruption {
            // This fails while another session has precedence. When that session ends, another
            // end of an interruption follows.
            Task { try? await session.session.activate() }
        }
        do throws(AudioSessionError) {
            if !ending.isRequested { try await session.session.activate() }
        } catch {
            await session.close()
            throw ending.isRequested ? ToolFailure.stopped : .session(error)
        }
        endWithInput(ending)
        // Without --json nothing is printed, so a script may close the output and go on.
        _ = await ending.wait(atMost: limit, orUntilAbandoned: isJSON ? output : nil)
        observation.cancel()
        await session.close()
    }

    private func connect(_ lines: RunOutput) async throws(ToolFailure) -> SilencingSession {
        let onEvent: @Sendable (JSONValue) -> Void = { lines.post($0) }
        do {
            return try await SilencingSession(
                silencing, remote: remote, name: "audiosession", onEvent: isJSON ? onEvent : nil)
        } catch {
            throw .session(error)
        }
    }

    /// Requests the end when standard input is a pipe and its writer closes it, as a script does
    /// when it ends. Nothing is read, because the input may belong to the script.
    private func endWithInput(_ ending: Ending) {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        DispatchQueue(label: "audiosession.input").async {
            _ = waitForAny(of: [.hungUp(STDIN_FILENO), .readable(ending.descriptor)])
            ending.request()
        }
    }
}
