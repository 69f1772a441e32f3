import Glibc
import PipeWireGraph
import Testing

@Suite("The priority of a loop's thread")
struct LoopPriorityTests {
    private actor Somebody {
        private let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(isUrgent: Bool) throws { executor = try LoopExecutor(isUrgent: isUrgent) }

        func niceness() -> Int32 { niceValue() }

        func nicenessOfAThreadFromHere() -> Int32? { onThread(niceValue) }
    }

    /// What a thread of this program would have if it asked.
    private var allowed: Int32? {
        onThread {
            let before = niceValue()
            return setpriority(ofThread, 0, -11) == 0 ? niceValue() : before
        }
    }

    @Test("An urgent one has that of PipeWire's own processes where the system allows it, and all others their own")
    func urgent() async throws {
        let (urgent, other) = (try Somebody(isUrgent: true), try Somebody(isUrgent: false))
        let found = await (urgent: urgent.niceness(), other: other.niceness())
        #expect(found.urgent == allowed)
        #expect(found.other == onThread(niceValue))
    }

    @Test("Who is started by it does not inherit that")
    func inherited() async throws {
        let urgent = try Somebody(isUrgent: true)
        let found = await urgent.nicenessOfAThreadFromHere()
        #expect(found == onThread(niceValue))
    }
}

// With 0 this is the calling thread, on Linux.
private let ofThread = Int32(PRIO_PROCESS.rawValue)

private func niceValue() -> Int32 { getpriority(ofThread, 0) }

private func onThread(_ body: @escaping @Sendable () -> Int32) -> Int32? {
    final class Work: Sendable {
        let body: @Sendable () -> Int32
        let result = Locked<Int32?>(nil)
        init(_ body: @escaping @Sendable () -> Int32) { self.body = body }
    }
    let work = Work(body)
    var thread = pthread_t()
    let started = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
            work.result.withLock { $0 = work.body() }
            return nil
        }, Unmanaged.passUnretained(work).toOpaque())
    guard started == 0 else { return nil }
    pthread_join(thread, nil)
    return work.result.withLock { $0 }
}
