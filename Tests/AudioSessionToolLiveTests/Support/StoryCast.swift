import AudioSessionTestKit
import SessionStories

/// Programs of `audiosession run` beside one PipeWire, which are reused from story to story.
final class StoryCast {
    private let pipeWire: PrivatePipeWire
    private var idle: [StoryProgram] = []

    init(_ pipeWire: PrivatePipeWire) { self.pipeWire = pipeWire }

    /// Programs in the state after their start. Missing ones are all started first, and then
    /// awaited one after the other.
    ///
    /// - Parameter areNew: whether only unused programs will do, because an earlier story would
    ///   have an effect.
    func programs(_ count: Int, areNew: Bool) async throws -> [StoryProgram] {
        var programs: [StoryProgram] = []
        while !areNew, programs.count < count, let program = idle.popLast() { programs.append(program) }
        let tools = try (programs.count..<count).map { _ in
            // The suite's time limit, because a program takes part in all stories of its group.
            try LiveTool("run", "--remote", pipeWire.remote, deadline: .seconds(570))
        }
        for tool in tools { programs.append(try await StoryProgram(tool)) }
        return programs
    }

    /// Ends the program's part in a story. A program that cannot be reset ends.
    func release(_ program: StoryProgram) async throws {
        guard program.isAlive else { return }
        if !program.isStopped, try await program.reset() { idle.append(program) } else { try await program.kill() }
    }

    func end() async throws {
        for program in idle { try await program.kill() }
        idle = []
    }
}
