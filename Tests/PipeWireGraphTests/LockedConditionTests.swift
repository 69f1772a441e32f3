import AudioSessionCore
import Foundation
import PipeWireGraph
import Testing

/// Threads that wait for a change of a value.
@Suite(.timeLimit(.minutes(10))) struct LockedConditionTests {
    @Test func aWaitEndsWithTheUpdateThatMeetsIt() async {
        let value = LockedCondition(0)
        let (seen, continuation) = AsyncStream.makeStream(of: Bool.self)
        Thread.detachNewThread {
            continuation.yield(value.wait(until: nil) { $0 == 2 })
            continuation.finish()
        }
        value.update { $0 = 1 }
        value.update { $0 = 2 }
        for await isMet in seen { #expect(isMet) }
    }

    @Test func aWaitEndsAtItsDeadline() {
        let value = LockedCondition(0)
        let deadline = MonotonicTime.now + .milliseconds(20)
        #expect(!value.wait(until: deadline) { $0 == 1 })
        #expect(MonotonicTime.now >= deadline)
    }

    @Test func aPastDeadlineDoesNotHideAMetCondition() {
        let value = LockedCondition(1)
        #expect(value.wait(until: MonotonicTime(nanoseconds: 0)) { $0 == 1 })
    }
}
