import AudioSessionTestKit
import AudioSessions
import Testing

/// The events that listeners receive, and on which executor.
@Suite(.timeLimit(.minutes(10)))
struct EventSequenceTests {
    /// Receives events on an executor of its own.
    private actor Listener {
        nonisolated let executor = InlineExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var received: [Int] = []
        private(set) var isAtEnd = false

        func listen(to events: EventSequence<Int>) -> Task<Void, Never> {
            Task {
                for await event in events { received.append(event) }
                isAtEnd = true
            }
        }
    }

    @Test func aListenerOnAnActorReceivesAllEventsInOrder() async {
        let (broadcaster, listener) = (EventBroadcaster<Int>(), Listener())
        let task = await listener.listen(to: broadcaster.events(bufferingNewest: 8))
        for number in 0..<100 {
            broadcaster.send(number)
            while await listener.received.count <= number { await Task.yield() }
        }
        broadcaster.finish()
        await task.value
        #expect(await listener.received == Array(0..<100))
        #expect(await listener.isAtEnd)
    }

    @Test func bufferedEventsAreDeliveredBeforeTheEnd() async {
        let broadcaster = EventBroadcaster<Int>()
        let events = broadcaster.events(bufferingNewest: 3)
        for number in 1...5 { broadcaster.send(number) }
        broadcaster.finish()
        broadcaster.send(6)
        var received: [Int] = []
        for await event in events { received.append(event) }
        #expect(received == [3, 4, 5])
        #expect(events.droppedCount == 2)
        for await event in broadcaster.events(bufferingNewest: 3) { received.append(event) }
        #expect(received.count == 3)
    }

    @Test func manyEventsPassThroughASmallBuffer() async {
        let broadcaster = EventBroadcaster<Int>()
        let events = broadcaster.events(bufferingNewest: 4)
        var iterator = events.makeAsyncIterator()
        for number in 0..<1000 {
            broadcaster.send(2 * number)
            broadcaster.send(2 * number + 1)
            #expect(await iterator.next(isolation: nil) == 2 * number)
            #expect(await iterator.next(isolation: nil) == 2 * number + 1)
        }
        #expect(events.droppedCount == 0)
    }

    @Test func aCancelledTaskReceivesTheEnd() async {
        let (broadcaster, listener) = (EventBroadcaster<Int>(), Listener())
        let task = await listener.listen(to: broadcaster.events(bufferingNewest: 8))
        listener.executor.run {}
        task.cancel()
        await task.value
        #expect(await listener.isAtEnd)
        broadcaster.send(1)
        #expect(await listener.received.isEmpty)
    }

    @Test func loopsAtTheSameTimeReceiveEveryEventEach() async {
        let broadcaster = EventBroadcaster<Int>()
        let events = broadcaster.events(bufferingNewest: 8)
        broadcaster.send(1)
        var first = events.makeAsyncIterator()
        var second = events.makeAsyncIterator()
        broadcaster.send(2)
        #expect(await first.next(isolation: nil) == 1)
        #expect(await first.next(isolation: nil) == 2)
        #expect(await second.next(isolation: nil) == 2)
        broadcaster.finish()
        #expect(await first.next(isolation: nil) == nil)
        #expect(await second.next(isolation: nil) == nil)
        #expect(events.droppedCount == 0)
    }

    @Test func aLoopThatFollowsAnotherMissesNothing() async {
        let broadcaster = EventBroadcaster<Int>()
        let events = broadcaster.events(bufferingNewest: 8)
        for number in 1...3 { broadcaster.send(number) }
        for await event in events where event == 2 { break }
        broadcaster.send(4)
        broadcaster.finish()
        var rest: [Int] = []
        for await event in events { rest.append(event) }
        #expect(rest == [3, 4])
    }

    @Test func aCancelledLoopEndsAlone() async {
        let (broadcaster, listener) = (EventBroadcaster<Int>(), Listener())
        let events = broadcaster.events(bufferingNewest: 8)
        let task = await listener.listen(to: events)
        var other = events.makeAsyncIterator()
        listener.executor.run {}
        task.cancel()
        await task.value
        broadcaster.send(1)
        #expect(await other.next(isolation: nil) == 1)
        // The cancelled loop's buffer waits for the next loop.
        var next = events.makeAsyncIterator()
        #expect(await next.next(isolation: nil) == 1)
    }

    @Test func eachSlowLoopCounts() async {
        let broadcaster = EventBroadcaster<Int>()
        let events = broadcaster.events(bufferingNewest: 1)
        let (first, second) = (events.makeAsyncIterator(), events.makeAsyncIterator())
        for number in 1...3 { broadcaster.send(number) }
        #expect(events.droppedCount == 4)
        withExtendedLifetime((first, second)) {}
    }

    @Test func aDiscardedBacklogIsFollowedByLaterEvents() async {
        let broadcaster = EventBroadcaster<Int>()
        var iterator = broadcaster.events(bufferingNewest: 3).makeAsyncIterator()
        for number in 1...5 { broadcaster.send(number) }
        #expect(iterator.backlog.discard() == 2)
        broadcaster.send(6)
        #expect(await iterator.next(isolation: nil) == 6)
        #expect(iterator.backlog.discard() == 2, "discarded events are not dropped")
    }

    @Test func aReleasedSequenceBuffersNothing() {
        let broadcaster = EventBroadcaster<Value>()
        weak var kept: Value?
        do {
            let value = Value()
            kept = value
            let events = broadcaster.events(bufferingNewest: 8)
            broadcaster.send(value)
            withExtendedLifetime(events) { #expect(kept != nil) }
        }
        #expect(kept == nil)
    }

    private final class Value: Sendable {}
}
