import PipeWireGraph

/// A bounded buffer of the events that one listener has not taken yet.
///
/// An `AsyncStream` waits on no actor. Its consumer would move to a thread of Swift's pool after
/// each event to wait for the next one, which wakes one more thread.
final class EventBuffer<Element: Sendable>: Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Element?, Never>
    }

    private struct State {
        /// The buffered events; `nil` for those already taken.
        var elements: [Element?] = []
        var taken = 0
        var waiters: [Waiter] = []
        var lastWaiter: UInt64 = 0
        var isFinished = false
        var ended: (@Sendable () -> Void)?

        /// Takes the oldest event. Returns `nil` if there is none yet, and `.some(nil)` if the
        /// sequence has ended.
        mutating func take() -> Element?? {
            guard taken < elements.count else { return isFinished ? .some(nil) : nil }
            let element = elements[taken].take()
            taken += 1
            if taken * 2 > elements.count {
                elements.removeFirst(taken)
                taken = 0
            }
            return .some(element)
        }

        /// Appends an event, and drops the oldest one if the buffer is full.
        /// - Returns: The event that was dropped because the buffer was full.
        mutating func append(_ element: Element, atMost capacity: Int) -> Element? {
            elements.append(element)
            return elements.count - taken > capacity ? take() ?? nil : nil
        }
    }

    private let state = Locked(State())
    private let capacity: Int
    private let dropped: Locked<Int>

    /// Makes a buffer for one loop.
    /// - Parameter dropped: A count that is increased for each event that is dropped.
    init(capacity: Int, dropped: Locked<Int>) { (self.capacity, self.dropped) = (max(1, capacity), dropped) }

    /// Sets the handler to call once no listener is left, or calls it at once if that is already
    /// so.
    func onEnd(_ ended: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.ended = ended }
            return state.isFinished
        }
        if isFinished { ended() }
    }

    func send(_ element: Element) {
        // What is dropped is released outside the lock.
        let (waiter, surplus): (Waiter?, Element?) = state.withLock { state in
            guard !state.isFinished else { return (nil, nil) }
            guard state.waiters.isEmpty else { return (state.waiters.removeFirst(), nil) }
            let surplus = state.append(element, atMost: capacity)
            // Counted within the lock: a listener that takes the next event reads the new count.
            if surplus != nil { dropped.withLock { $0 += 1 } }
            return (nil, surplus)
        }
        waiter?.continuation.resume(returning: element)
        withExtendedLifetime(surplus) {}
    }

    /// Discards the buffered events.
    func discard() {
        // What is discarded is released outside the lock.
        let discarded: [Element?] = state.withLock { state in
            defer { (state.elements, state.taken) = ([], 0) }
            return state.elements
        }
        withExtendedLifetime(discarded) {}
    }

    /// Ends the sequence after the buffered events.
    func finish() {
        let (waiters, ended) = state.withLock { state in
            state.isFinished = true
            defer { (state.waiters, state.ended) = ([], nil) }
            return (state.waiters, state.ended)
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
        ended?()
    }

    func next(isolation actor: isolated (any Actor)?) async -> Element? {
        let (element, number) = state.withLock { state in
            state.lastWaiter += 1
            return (state.take(), state.lastWaiter)
        }
        if let element { return element }
        return await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let element: Element?? = state.withLock { state in
                    if let element = state.take() { return element }
                    // The handler below may have run before.
                    if Task.isCancelled { return .some(nil) }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let element { continuation.resume(returning: element) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: nil)
        }
    }
}

/// The buffers of one sequence: one for each of its loops.
///
/// The first buffer is filled from the moment that the sequence is made. A buffer whose loop has
/// ended waits for the next loop, which then misses nothing.
final class EventBuffers<Element: Sendable>: Sendable {
    let dropped: Locked<Int>
    private let make: @Sendable () -> EventBuffer<Element>
    private let idle: Locked<EventBuffer<Element>?>

    init(dropped: Locked<Int>, make: @escaping @Sendable () -> EventBuffer<Element>) {
        (self.dropped, self.make) = (dropped, make)
        idle = Locked(make())
    }

    deinit { idle.withLock(\.self)?.finish() }

    func take() -> EventBuffer<Element> { idle.withLock { $0.take() } ?? make() }

    func recycle(_ buffer: EventBuffer<Element>) {
        let isKept = idle.withLock { idle in
            guard idle == nil else { return false }
            idle = buffer
            return true
        }
        if !isKept { buffer.finish() }
    }
}

/// The hold that an iterator and its copies have on a buffer.
final class EventReader<Element: Sendable>: Sendable {
    let buffer: EventBuffer<Element>
    private let buffers: EventBuffers<Element>

    init(_ buffers: EventBuffers<Element>) {
        self.buffers = buffers
        buffer = buffers.take()
    }

    var droppedCount: Int { buffers.dropped.withLock(\.self) }

    deinit { buffers.recycle(buffer) }
}
