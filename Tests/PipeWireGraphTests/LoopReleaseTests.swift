import AudioSessionTestKit
import CPipeWireShim
import PipeWireGraph
import Testing

@Suite("The end of a loop", .timeLimit(.minutes(10)))
struct LoopReleaseTests {
    /// The work of the loop's thread, and the events of the test.
    private final class Work: Sendable {
        let log = EventLog<String>()
        let gate = Semaphore()

        static func of(_ context: UnsafeMutableRawPointer?) -> Work {
            guard let context else { preconditionFailure("the loop was given one") }
            return Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
        }
    }

    @Test("Dropping a loop does not wait for its thread, which may be busy")
    func release() async throws {
        let work = Work()
        var code: Int32 = 0
        let loop = cpw_loop_create(
            false, false,
            { context in
                let work = Work.of(context)
                work.log.append("busy")
                work.gate.wait()
            }, { Work.of($0).log.append("finished") }, Unmanaged.passUnretained(work).toOpaque(), &code)
        let started = try #require(loop)
        cpw_loop_wake(started)
        try await work.log.wait(for: "the work") { $0 == ["busy"] }
        cpw_loop_release(started)
        work.log.append("released")
        // Once for the current work, and once for the last.
        for _ in 1...2 { work.gate.signal() }
        try await work.log.wait(for: "the end") { $0.last == "finished" }
        #expect(work.log.events.prefix(2) == ["busy", "released"])
    }
}
