import Testing

@testable import AudioSessionTestKit

extension ProgramTests {
    /// The keys of iOS 5: both routes in the change's dictionary, and the property that has the same.
    @Test func aProgramOf2011ReadsDescriptionsOfRoutes() async throws {
        try await withHeadphones { compiler, pipeWire, card in
            let program = try Program(
                "routes", await compiler.compile("Tests/AudioSessionCLiveTests/Programs/routes.c"), [],
                Compiler.environment(pipeWire))
            try await program.hear("passed")
            try await tell(program, "route", "on Headphones")
            try await card.unplug("headphones")
            try await program.hear("from Headphones to Speaker, reason 2")
            try await tell(program, "route", "on Speaker, as was told")
            try await card.plug("headphones")
            try await program.hear("from Speaker to Headphones, reason 1")
            try await tell(program, "route", "on Headphones, as was told")
            #expect(try await program.end() == .code(0))
        }
    }
}
