import AudioSessionCore
import AudioSessions
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// A program that forges as many tokens as PipeWire accepts, or destroys those of others.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10))) struct FloodTests {
    @Test func aFloodIsSurvived() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let reader = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let plain = try await Flood.hold("read", 0, music, pipeWire)
        try await music.session.activate()
        // Memory that the allocator keeps after a first flood is no growth.
        try await flood("churn", "5000", music, pipeWire)
        let memory = try (reader: reader.memory(), plain: plain.memory())
        let time = try reader.processorTime()
        let words = try await flood("churn", "20000", music, pipeWire)
        // It has read everything once it sees a later session. This process has no more to do.
        try await music.expectUnaffected(on: pipeWire, "after the flood")
        let growth = try (reader: reader.memory() - memory.reader, plain: plain.memory() - memory.plain)
        let spent = try reader.processorTime() - time
        let tokens = Int(words.prefix { $0 != " " }) ?? 0
        let malformed = await music.manager.overview.malformedTokens
        print(
            "flood: \(words): the reader grew by \(growth.reader / 1024) KiB and spent "
                + "\(Int(spent / .microseconds(1)) / max(tokens, 1)) us on each; "
                + "one without this library grew by \(growth.plain / 1024) KiB")
        // This process keeps none of it; PipeWire's own library keeps unread messages of the
        // reader.
        #expect(growth.reader < 16 << 20)
        #expect(malformed > UInt64(tokens / 4), "\(malformed) of \(words)")
        await end(plain)
        await reader.kill()
        await music.manager.close()
        await pipeWire.stop()
    }

    /// The tokens have 100 kB each. PipeWire's own library keeps those that it has not delivered
    /// yet.
    @Test func hugeTokensAreNotKept() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let reader = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let plain = try await Flood.hold("read", 0, music, pipeWire)
        let memory = try (reader: reader.memory(), plain: plain.memory())
        try await music.session.activate()
        let words = try await flood("huge", "2000", music, pipeWire)
        try await music.expectUnaffected(on: pipeWire, "after \(words)")
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

    @Test func aPermanentFloodTakesOnlyItsShare() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let reader = try await Crowd(.watching, sessions: 1, in: 1, on: pipeWire)
        let memory = try reader.memory()
        var floods: [ChildProcess] = []
        for count in [2000, 100] { floods.append(try await Flood.hold("hold", count, music, pipeWire)) }
        try await music.wait(for: "the flood") { $0.sessions.count == 1024 + 100 && $0.surplusTokens == 2000 - 1024 }
        let growth = try reader.memory() - memory
        print("flood: 2100 tokens that stay: the reader grew by \(growth / 1024) KiB")
        #expect(growth < 8 << 20)
        // Mixing sessions block no other, however many.
        try await music.session.activate()
        for flood in floods {
            await end(flood)
        }
        try await music.expectUnaffected(on: pipeWire, "after the flood")
        await reader.kill()
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func aProgramThatStartsDuringAFloodAgreesAfterIt() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let first = try await MusicProgram(on: pipeWire)
        let flood = try await Flood.hold("hold", 2000, first, pipeWire)
        let music = try await MusicProgram("Late music", on: pipeWire)
        try await music.wait(for: "the flood") { $0.sessions.count == 1024 }
        try await music.session.activate()
        await end(flood)
        try await music.expectUnaffected(on: pipeWire, "after the flood")
        for program in [first, music] { await program.manager.close() }
        await pipeWire.stop()
    }

    /// A forged uuid does not replace its session, because PipeWire reports the owner of a token.
    @Test func aForgedTokenIsShownWithItsOwner() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        let flood = try await Flood.hold("hold", 2, music, pipeWire)
        let uuid = music.session.id
        try await music.wait(for: "the forgery") { $0.sessions.count { $0.id.session == uuid } == 2 }
        let owners = await music.manager.overview.sessions.filter { $0.id.session == uuid }.map(\.id.processID)
        #expect(owners == [Int(getpid()), Int(flood.id)])
        #expect(music.session.state == .active)
        await end(flood)
        try await music.expectUnaffected(on: pipeWire, "after the forgery")
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func aTokenThatOthersDestroyIsCreatedAgainUpToALimit() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let film = try await MusicProgram("Film", on: pipeWire)
        try await film.session.activate()
        try await music.session.activate()
        // The token is restored three times, of which its program is not notified. For others it
        // was removed.
        music.received.clear()
        try await flood("destroy", "3", music, pipeWire)
        try await film.received.wait(for: "the end of the interruption") { $0.contains(.stateChanged(.inactive)) }
        try await music.wait(for: "the last of them") { $0.sessions.map(\.state) == [.active] }
        #expect(music.session.state == .active)
        #expect(music.received.events == [])
        try await flood("destroy", "1", music, pipeWire)
        try await music.received.wait(for: "the end of it") { $0.contains(.stateChanged(.inactive)) }
        await film.manager.close()
        try await music.expectUnaffected(on: pipeWire, "after the destruction")
        await music.manager.close()
        await pipeWire.stop()
    }

    /// A program ends that has the maximum number of tokens of a kind, and all others process each
    /// removal.
    @Test(arguments: ["refused", "restored"]) func theEndOfAProgramCostsAboutAsMuchAsHonestTokens(
        _ kind: String
    ) async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        let honest = try await costOfTheEnd(of: "hold", music, pipeWire)
        let hostile = try await costOfTheEnd(of: kind, music, pipeWire)
        print("flood: the end of \(kind) tokens costs \(hostile / 1000) us each, of honest ones \(honest / 1000) us")
        #expect(hostile < 8 * honest)
        try await music.expectUnaffected(on: pipeWire, "after the flood")
        await music.manager.close()
        await pipeWire.stop()
    }

    /// Returns the nanoseconds of the loop's thread for each token.
    private func costOfTheEnd(of kind: String, _ music: MusicProgram, _ pipeWire: PrivatePipeWire) async throws
        -> UInt64
    {
        let count = 1022
        let flood = try await Flood.hold(kind, count, music, pipeWire)
        // Refused tokens are not shown.
        let shown = kind == "refused" ? count - 32 : count
        try await music.wait(for: "the flood") { $0.sessions.count + Int($0.surplusTokens) >= shown }
        let start = await music.manager.processorTimeOfLoop
        await end(flood)
        // Reading a thousand sessions also takes time on the thread of the loop.
        try await waitUntil("its end", within: .seconds(60), every: .milliseconds(100)) {
            await music.manager.overview.sessions.map(\.id.session) == [music.session.id]
        }
        // An answer follows everything before it.
        try await music.session.deactivate()
        try await music.session.activate()
        return (await music.manager.processorTimeOfLoop - start) / UInt64(count)
    }

    /// Sixty cards of 300 routes with texts of 400 bytes, or 200 metadata objects with the session
    /// manager's name. The answers of all cards, about 9 MB, may fill PipeWire's receive buffer,
    /// whose size is a power of two: 16 MiB.
    @Test(arguments: [("cards", 60), ("defaults", 200)]) func inventedObjectsCostOthersNoMemoryAndNoFiles(
        _ kind: String, _ count: Int
    ) async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let reader = try await Crowd(.leaving, sessions: 1, in: 1, on: pipeWire)
        let before = try (memory: reader.memory(), files: reader.openFiles())
        let inventor = try await Flood.hold(kind, count, music, pipeWire)
        if kind == "cards" { try await music.wait(for: "all cards") { $0.refusedObjects > 4400 } }
        // When its session leaves, the reader has read everything before.
        try await music.session.activate()
        try await music.session.deactivate()
        try await music.wait(for: "the reader's end of its session") { $0.sessions.isEmpty }
        let growth = try (memory: reader.memory() - before.memory, files: reader.openFiles() - before.files)
        print("flood: \(count) \(kind): \(growth.memory / 1024) KiB, \(growth.files) files")
        #expect(growth.memory < (16 + 4) << 20)
        #expect(growth.files <= 4)
        await reader.kill()
        await end(inventor)
        await music.manager.close()
        await pipeWire.stop()
    }

    /// The stopped program is elected as the session manager, and answers nothing.
    @Test func aStoppedProgramPreventsNoOtherFromConnecting() async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let music = try await MusicProgram(on: pipeWire)
        let stopped = try await Flood.hold("silent", 1, music, pipeWire)
        let late = try await MusicProgram("Late music", on: pipeWire)
        try await late.session.activate()
        #expect(late.session.state == .active)
        await end(stopped)
        for program in [music, late] { await program.manager.close() }
        await pipeWire.stop()
    }

    // MARK: The hostile program

    private func end(_ program: ChildProcess) async {
        program.signal(SIGKILL)
        await program.exited()
    }

    /// Waits for its end.
    @discardableResult
    private func flood(
        _ kind: String, _ number: String, _ victim: MusicProgram, _ pipeWire: PrivatePipeWire
    ) async throws -> String {
        let arguments = [pipeWire.remote, pipeWire.directory + "/begun", kind, number, victim.session.id.description]
        let result = try await pipeWire.run(testProgram("session-flood"), arguments)
        #expect(result.status == 0, "\(result.output)")
        return result.output.split(separator: "\n").last.map(String.init) ?? ""
    }
}

extension AudioSessionManager {
    /// The processor time of the loop's thread, in nanoseconds.
    fileprivate var processorTimeOfLoop: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
