import PipeWireGraph

/// What is still to be told to one listener.
///
/// Not an `AsyncStream`: that one waits on no actor. Whoever takes events on one would go to a thread of Swift's pool after each
/// event, to wait there for the next: a thread more to be woken.
final class EventBuffer<Element: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Element?, Never>

    private struct State {
        /// `nil`: taken.
        var elements: [Element?] = []
        var taken = 0
        var waiters: [Waiter] = []
        var dropped = 0
        var isFinished = false
        var ended: (@Sendable () -> Void)?

        /// `nil`: there is none yet; a `nil` in it: there will be none.
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

        /// - Returns: what there was no place for.
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

    /// - Parameter ended: is called once nobody listens any more, or at once if that is so already.
    func onEnd(_ ended: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if !state.isFinished { state.ended = ended }
            return state.isFinished
        }
        if isFinished { ended() }
    }

    func send(_ element: Element) {
        // What is dropped goes when the lock is free.
        let (waiter, dropped): (Waiter?, Element?) = state.withLock { state in
            guard !state.isFinished else { return (nil, nil) }
            guard state.waiters.isEmpty else { return (state.waiters.removeFirst(), nil) }
            return (nil, state.append(element, atMost: capacity))
        }
        withExtendedLifetime(dropped) {}
        waiter?.resume(returning: element)
    }

    /// What was not taken yet can still be.
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

/// The hold that sequences and their iterators have on a buffer. When they are gone nobody listens any more.
final class EventReader<Element: Sendable>: Sendable {
    let buffer: EventBuffer<Element>

    init(_ buffer: EventBuffer<Element>) { self.buffer = buffer }

    deinit { buffer.finish() }
}
