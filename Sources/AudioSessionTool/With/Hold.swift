import AudioSessions
import Glibc
import PipeWireGraph

/// Performs `audiosession duck` and `audiosession pause`: holds a session until the end is asked for.
struct Hold: Sendable {
    let silencing: Silencing
    let remote: String?
    let output: LineOutput
    let isJSON: Bool

    /// - Parameter limit: how long at most.
    func run(until ending: Ending, within limit: Duration?) async throws(ToolFailure) {
        let lines = RunOutput(output, ending: ending)
        let tell: @Sendable (JSONValue) -> Void = { lines.post($0) }
        do throws(AudioSessionError) {
            let session = try await SilencingSession(
                silencing, remote: remote, name: "audiosession", tell: isJSON ? tell : nil)
            if isJSON { lines.post(RunFormat.ready(session.session.id.description)) }
            let observation = session.observeEndOfInterruption {
                // Refused while another session keeps the sound; its end is the next end of an interruption.
                Task { try? await session.session.activate() }
            }
            do throws(AudioSessionError) {
                try await session.session.activate()
            } catch {
                await session.close()
                throw error
            }
            endWithInput(ending)
            _ = await ending.wait(atMost: limit, orUntilAbandoned: output)
            observation.cancel()
            await session.close()
        } catch {
            throw .session(error)
        }
        if let failure = lines.failure { throw failure }
    }

    /// A pipe whose writer ends, because the script that holds it has ended. What is written to it means nothing.
    private func endWithInput(_ ending: Ending) {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        Task {
            var input = LineInput(ending: ending, limit: 1)
            while await input.next() != nil {}
            ending.request()
        }
    }
}
