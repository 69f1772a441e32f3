import PipeWireGraph

/// A bounded buffer of the events that one listener has not taken yet.
///
/// An `AsyncStream` waits on no actor. Its consumer would move to a thread of Swift's pool after
/// each event to wait for the next one, which wakes one more thread.
final class EventBuffer<Element: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Element?, Never>

    private struct State {
        /// The buffered events; `nil` for those already taken.
        var elements: [Element?] = []
        var taken = 0
        var waiters: [Waiter] = []
        var dropped = 0
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
            guard elements.count - taken > capacity else { return nil }
            dropped += 1
            return take() ?? nil
        }
    }

    private let state = Locked(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var dropped: Int { state.withLock { $0.dropped } }

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
        // A dropped event is released outside the lock.
        let (waiter, dropped): (Waiter?, Element?) = state.withLock { state in
            guard !state.isFinished else { return (nil, nil) }
            guard state.waiters.isEmpty else { return (state.waiters.removeFirst(), nil) }
            return (nil, state.append(element, atMost: capacity))
        }
        withExtendedLifetime(dropped) {}
        waiter?.resume(returning: element)
    }

    /// Ends the sequence after the buffered events.
    func finish() {
        let (waiters, ended) = state.withLock { state in
            state.isFinished = true
            defer { (state.waiters, state.ended) = ([], nil) }
            return (state.waiters, state.ended)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
        ended?()
    }

    func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await withTaskCancellationHandler {
            if let element = state.withLock({ $0.take() }) { return element }
            return await withCheckedContinuation(isolation: actor) { waiter in
                let element = state.withLock { state in
                    let element = state.take()
                    if element == nil { state.waiters.append(waiter) }
                    return element
                }
                if let element { waiter.resume(returning: element) }
            }
        } onCancel: {
            finish()
        }
    }
}

/// The reference of sequences and iterators to a buffer. When the last one is released, the buffer
/// has no listener.
final class EventReader<Element: Sendable>: Sendable {
    let buffer: EventBuffer<Element>

    init(_ buffer: EventBuffer<Element>) { self.buffer = buffer }

    deinit { buffer.finish() }
}
