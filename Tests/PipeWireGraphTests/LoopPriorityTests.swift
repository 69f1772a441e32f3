import CPipeWireTestServer
import Glibc
import PipeWireGraph
import Testing

@Suite("The priority of a loop's thread")
struct LoopPriorityTests {
    private actor LoopActor {
        private let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(isUrgent: Bool) throws { executor = try LoopExecutor(isUrgent: isUrgent) }

        func niceness() -> Int32 { niceValue() }

        func nicenessOfAThreadFromHere() -> Int32? { onThread(niceValue) }

        func turn() -> UInt64 { cpt_turn_of_this_thread() }

        func turnOfAThreadFromHere() -> UInt64? { onThread(cpt_turn_of_this_thread) }
    }

    /// The program's value, or the calling thread's if that is higher: libdispatch gives its
    /// threads values of their own.
    private var own: Int32? { onThread { max(niceValue(), getpriority(ofThread, id_t(getpid()))) } }

    /// The value that a thread of this program would get. A program whose nice value is not 0 does
    /// not request one.
    private var allowed: Int32? {
        let before = own ?? 0
        return onThread {
            return before == 0 && setpriority(ofThread, 0, -11) == 0 ? niceValue() : before
        }
    }

    @Test("An urgent loop has the priority of PipeWire's own processes where the system allows it")
    func urgent() async throws {
        let (urgent, other) = (try LoopActor(isUrgent: true), try LoopActor(isUrgent: false))
        let found = await (urgent: urgent.niceness(), other: other.niceness())
        #expect(found.urgent == allowed)
        #expect(found.other == own)
    }

    @Test("Threads and processes that it starts do not inherit the priority")
    func inherited() async throws {
        let urgent = try LoopActor(isUrgent: true)
        let found = await urgent.nicenessOfAThreadFromHere()
        #expect(found == own)
    }

    @Test("An urgent loop has a short time slice, if the kernel allows it, and no other thread has")
    func turns() async throws {
        let (urgent, other) = (try LoopActor(isUrgent: true), try LoopActor(isUrgent: false))
        let usual = onThread(cpt_turn_of_this_thread)
        let isKnown = usual.map { $0 > 0 } ?? false
        guard own == 0 else {
            #expect(await urgent.turn() == usual)
            return
        }
        #expect(await urgent.turn() == (isKnown ? 700_000 : 0))
        #expect(await urgent.turnOfAThreadFromHere() == usual)
        #expect(await other.turn() == usual)
    }
}

// With 0 this is the calling thread, on Linux.
private let ofThread = Int32(PRIO_PROCESS.rawValue)

private func niceValue() -> Int32 { getpriority(ofThread, 0) }

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let result = Locked<Result?>(nil)
    let work = Work { result.withLock { $0 = body() } }
    var thread = pthread_t()
    let started = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
            work.body()
            return nil
        }, Unmanaged.passUnretained(work).toOpaque())
    guard started == 0 else { return nil }
    pthread_join(thread, nil)
    return result.withLock { $0 }
}
