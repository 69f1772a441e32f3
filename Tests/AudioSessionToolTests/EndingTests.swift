import Foundation
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct EndingTests {
    /// `nohup` ignores SIGHUP. A shell without job control ignores SIGINT for a program in the
    /// background, which a script must still be able to end.
    @Test func onlySIGHUPStaysIgnored() {
        #expect(Ending.signals { _ in false } == [SIGINT, SIGTERM, SIGHUP])
        #expect(Ending.signals { _ in true } == [SIGINT, SIGTERM])
    }

    // MARK: Operations

    @Test func aRequestEndsAnOperationThatIgnoresCancellation() async throws {
        let ending = try Ending()
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (finished, finish) = AsyncStream.makeStream(of: Void.self)
        let run = Task {
            try await ending.unlessRequested { () async throws(ToolFailure) -> Void in
                start.finish()
                // The cancellation of one task does not cancel another.
                await Task { for await _ in finished {} }.value
            }
        }
        for await _ in started {}
        ending.request()
        await #expect(throws: ToolFailure.stopped) { try await run.value }
        finish.finish()
    }

    @Test func anOperationThatFinishesFirstHasItsOutcome() async throws {
        let ending = try Ending()
        let value = try await ending.unlessRequested { () async throws(ToolFailure) -> Int in 7 }
        #expect(value == 7)
        await #expect(throws: ToolFailure.connectionLost) {
            try await ending.unlessRequested { () async throws(ToolFailure) -> Void in throw .connectionLost }
        }
    }

    @Test func noOperationStartsAfterARequest() async throws {
        let ending = try Ending()
        ending.request()
        await #expect(throws: ToolFailure.stopped) {
            try await ending.unlessRequested { () async throws(ToolFailure) -> Void in
                Issue.record("it was started")
            }
        }
    }

    // MARK: The end of the input

    @Test func theEndOfAPipeIsNoticedWithoutReadingIt() throws {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading.fileDescriptor
        try pipe.fileHandleForWriting.write(contentsOf: Data("rest".utf8))
        #expect(waitForAny(of: [.hungUp(reader)], milliseconds: 0) == [])
        try pipe.fileHandleForWriting.close()
        #expect(waitForAny(of: [.hungUp(reader)]) == [0])
        #expect(pipe.fileHandleForReading.availableData == Data("rest".utf8))
    }

    @Test func theEndOfASocketIsNoticedWithoutReadingIt() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        try #require(write(ends[1], "rest", 4) == 4)
        #expect(waitForAny(of: [.hungUp(ends[0])], milliseconds: 0) == [])
        shutdown(ends[1], Int32(SHUT_WR))
        #expect(waitForAny(of: [.hungUp(ends[0])]) == [0])
    }
}
