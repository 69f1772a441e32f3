import AudioSessionTestKit
import SessionStories
import TestSupport
import Testing

@testable import AudioSessionTool

/// Many programs that activate at the same moment.
@Suite(.liveFirst, .serialized, .timeLimit(.minutes(10))) struct RaceTests {
    @Test func oneOfSixteenSimultaneousProgramsWins() async throws {
        let pipeWire = try await PrivatePipeWire()
        let tools = try (0..<16).map { _ in try LiveTool("run", "--remote", pipeWire.remote) }
        var programs: [StoryProgram] = []
        // Their uuids serve as names.
        for tool in tools { programs.append(try await StoryProgram(tool)) }
        for program in programs { try await program.configure(as: StoryKind("music")) }
        for round in 0..<100 {
            for program in programs { program.clearEvents() }
            try await ask("activate", programs)
            let winner = try await winner(among: programs)
            for program in programs {
                let words = program.events.map { $0.word.hasPrefix("began") ? "began" : $0.word }
                #expect(words == (program === winner ? ["on"] : ["on", "began"]), "round \(round)")
            }
            try await ask("deactivate", programs)
        }
        await pipeWire.stop()
    }

    /// Sends to all at once, and then waits for their answers.
    private func ask(_ command: String, _ programs: [StoryProgram]) async throws {
        for program in programs { try program.tool.send(command) }
        for program in programs { #expect(try await program.reply()["ok"] as? Bool == true) }
    }

    /// Waits until the oldest has been interrupted by no program, and every other one by one more
    /// than another.
    private func winner(among programs: [StoryProgram]) async throws -> StoryProgram {
        let end = ContinuousClock.now + .seconds(60)
        var causes: [[String]] = []
        repeat {
            try #require(ContinuousClock.now < end, "they do not agree: \(causes.map(\.count))")
            causes = []
            for program in programs { causes.append(try await program.causes()) }
        } while causes.map(\.count).sorted() != Array(programs.indices)
        let winner = try #require(programs.indices.first { causes[$0].isEmpty })
        for index in programs.indices where index != winner {
            #expect(causes[index].contains("interrupted:\(programs[winner].session)"))
        }
        return programs[winner]
    }
}
