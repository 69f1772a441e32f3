import AudioSessionCore
import AudioSessions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// A program that forges tokens, as many as PipeWire takes, or destroys those of others.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(3))) struct FloodTests {
    @Test func aFloodIsOutlived() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await Onlooker(on: pipeWire)
        let reader = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let plain = try await hold("read", 0, music, pipeWire)
        try await music.session.activate()
        // What a first flood makes the allocator keep is no growth.
        try await flood("churn", "5000", music, pipeWire)
        let memory = try (reader: reader.memory(), plain: plain.memory())
        let time = try reader.processorTime()
        let words = try await flood("churn", "20000", music, pipeWire)
        // It has read all of it when it has seen who comes afterwards; this process has not more to do.
        try await music.expectAllIsWell(on: pipeWire, "after the flood")
        let growth = try (reader: reader.memory() - memory.reader, plain: plain.memory() - memory.plain)
        let spent = try reader.processorTime() - time
        let tokens = Int(words.prefix { $0 != " " }) ?? 0
        let malformed = await music.manager.overview.malformedTokens
        print(
            "flood: \(words): the reader grew by \(growth.reader / 1024) KiB and spent "
                + "\(Int(spent / .microseconds(1)) / max(tokens, 1)) us on each; "
                + "one without this library grew by \(growth.plain / 1024) KiB")
        // Nothing of it is kept here; PipeWire's own library keeps what the reader has not come to yet.
        #expect(growth.reader < 16 << 20)
        #expect(malformed > UInt64(tokens / 4), "\(malformed) of \(words)")
        await end(plain)
        await reader.kill()
        await music.manager.close()
        await pipeWire.stop()
    }

    /// Of 100 kB each. (PipeWire's own library keeps of these what it has not handed over yet.)
    @Test func whatIsHugeIsNotKept() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await Onlooker(on: pipeWire)
        let reader = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let plain = try await hold("read", 0, music, pipeWire)
        let memory = try (reader: reader.memory(), plain: plain.memory())
        try await music.session.activate()
        let words = try await flood("huge", "2000", music, pipeWire)
        try await music.expectAllIsWell(on: pipeWire, "after \(words)")
        #expect(await music.manager.overview.malformedTokens > 0)
        let growth = try (reader: reader.memory() - memory.reader, plain: plain.memory() - memory.plain)
        print(
            "flood: tokens of 100 kB, \(words): the reader grew by \(growth.reader / 1024) KiB, one without this library "
                + "by \(growth.plain / 1024) KiB")
        await end(plain)
        await reader.kill()
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func aFloodThatStaysTakesNoMoreThanItsShare() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await Onlooker(on: pipeWire)
        let reader = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let memory = try reader.memory()
        var floods: [ChildProcess] = []
        for count in [2000, 100] { floods.append(try await hold("hold", count, music, pipeWire)) }
        try await music.wait(for: "the flood") { $0.sessions.count == 1024 + 100 && $0.surplusTokens == 2000 - 1024 }
        let growth = try reader.memory() - memory
        print("flood: 2100 tokens that stay: the reader grew by \(growth / 1024) KiB")
        #expect(growth < 8 << 20)
        // Mixing sessions are in nobody's way, however many.
        try await music.session.activate()
        for flood in floods {
            await end(flood)
        }
        try await music.expectAllIsWell(on: pipeWire, "after the flood")
        await reader.kill()
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func whoComesInTheMiddleOfAFloodIsRightAfterIt() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let first = try await Onlooker(on: pipeWire)
        let flood = try await hold("hold", 2000, first, pipeWire)
        let music = try await Onlooker("Late music", on: pipeWire)
        try await music.wait(for: "the flood") { $0.sessions.count == 1024 }
        try await music.session.activate()
        await end(flood)
        try await music.expectAllIsWell(on: pipeWire, "after the flood")
        for program in [first, music] { await program.manager.close() }
        await pipeWire.stop()
    }

    /// Somebody else's uuid makes nobody somebody else: PipeWire says whose a token is.
    @Test func aForgerIsShownAsWhoItIs() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await Onlooker(on: pipeWire)
        try await music.session.activate()
        let flood = try await hold("hold", 2, music, pipeWire)
        let uuid = music.session.id.description
        try await music.wait(for: "the forgery") { $0.sessions.count { $0.id.session == uuid } == 2 }
        let owners = await music.manager.overview.sessions.filter { $0.id.session == uuid }.map(\.id.processID)
        #expect(owners == [Int(getpid()), Int(flood.id)])
        #expect(music.session.state == .active)
        await end(flood)
        try await music.expectAllIsWell(on: pipeWire, "after the forgery")
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func aTokenThatOthersDestroyIsMadeAnewAndInTheEndGivenUp() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await Onlooker(on: pipeWire)
        let film = try await Onlooker("Film", on: pipeWire)
        try await film.session.activate()
        try await music.session.activate()
        // Three times it is put back into its place, of which its program need not hear. To others it was gone.
        music.told.clear()
        try await flood("destroy", "3", music, pipeWire)
        try await film.told.wait(for: "the end of the interruption") { $0.contains(.stateChanged(.inactive)) }
        try await music.wait(for: "the last of them") { $0.sessions.map(\.state) == [.active] }
        #expect(music.session.state == .active)
        #expect(music.told.events == [])
        try await flood("destroy", "1", music, pipeWire)
        try await music.told.wait(for: "the end of it") { $0.contains(.stateChanged(.inactive)) }
        await film.manager.close()
        try await music.expectAllIsWell(on: pipeWire, "after the destruction")
        await music.manager.close()
        await pipeWire.stop()
    }

    // MARK: The hostile program

    private func end(_ program: ChildProcess) async {
        program.signal(SIGKILL)
        await program.exited()
    }

    /// To its end.
    @discardableResult
    private func flood(
        _ kind: String, _ number: String, _ victim: Onlooker, _ pipeWire: PrivatePipeWire
    ) async throws -> String {
        let arguments = [pipeWire.remote, pipeWire.directory + "/begun", kind, number, victim.session.id.description]
        let result = try await pipeWire.run(testProgram("session-flood"), arguments)
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").last.map(String.init) ?? ""
    }

    /// Returns when all its tokens have been made, or it has seen everything that there is.
    private func hold(
        _ kind: String, _ count: Int, _ victim: Onlooker, _ pipeWire: PrivatePipeWire
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
