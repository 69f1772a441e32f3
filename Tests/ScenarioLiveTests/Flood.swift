import AudioSessions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// The hostile program, `session-flood`.
enum Flood {
    /// Returns when it has created everything.
    static func hold(
        _ kind: String, _ count: Int, _ victim: MusicProgram, _ pipeWire: PrivatePipeWire
    ) async throws -> ChildProcess {
        let arrival = try #require(FileArrival(in: pipeWire.directory))
        let file = pipeWire.directory + "/" + UUID().uuidString
        let flood = try await pipeWire.launch(
            testProgram("session-flood"),
            [pipeWire.remote, file, kind, "\(count)", victim.session.id.description], log: "flood")
        while !FileManager.default.fileExists(atPath: file), flood.exitStatus == nil {
            await arrival.next(within: .seconds(1))
        }
        try #require(flood.exitStatus == nil)
        return flood
    }
}
