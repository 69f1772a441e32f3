package import AudioSessions
package import PipeWireGraph

/// How a write or a drain ended.
package struct WriteOutcome: Sendable {
    package var error: AudioSessionError?
    /// The number of its frames that are in the ring, or were played.
    package var frameCount: Int
}

/// The writing side of an output's ring. It serves writes one after the other, each until all of
/// its frames are in the ring.
///
/// The ring has one writer, and calls come from any thread, so a lock protects each access.
package final class OutputWriter: Sendable {
    private typealias Waiter = CheckedContinuation<WriteOutcome, Never>

    /// A waiting write, or a drain, which waits until all earlier frames were played.
    private struct Write {
        let id: UInt64
        var samples: [Float]
        /// The number of its frames that are in the ring.
        var done = 0
        /// The last frame before a drain, once the drain is the first waiter.
        var drained: UInt64?
        let isDrain: Bool
        var waiter: Waiter?

        func ended(_ error: AudioSessionError?) -> WriteOutcome { WriteOutcome(error: error, frameCount: done) }
    }

    private struct State {
        var writes: [Write] = []
        /// The outcomes of writes for which the caller does not wait yet.
        var outcomes: [UInt64: WriteOutcome] = [:]
        var last: UInt64 = 0
        /// The frame before which all were played or dropped, as of the last drain.
        var played: UInt64 = 0
        /// The reason why nothing can be written now.
        var obstacle: AudioSessionError? = .stopped
    }

    let ring: FrameRing
    private let state = Locked(State())

    package init(_ ring: FrameRing) { self.ring = ring }

    // MARK: The program

    /// Writes as many frames as fit, and none while a write waits.
    /// - Parameter afterStart: Whether a stopped output accepts none.
    /// - Returns: The number of these frames.
    func writeAvailable(_ samples: Span<Float>, afterStart: Bool = false) throws(AudioSessionError) -> Int {
        try check(samples.count)
        return try state.withLock { state throws(AudioSessionError) in
            if let obstacle = state.obstacle, afterStart || obstacle.code == .closed { throw obstacle }
            guard state.writes.isEmpty, !samples.isEmpty else { return 0 }
            ring.setEnded(false)
            return ring.write(samples)
        }
    }

    /// Begins a write of these samples.
    /// - Returns: The number of a waiting write; `nil` if all frames are in the ring.
    package func begin(_ samples: [Float]) throws(AudioSessionError) -> UInt64? {
        try check(samples.count)
        return try begin(samples, isDrain: false)
    }

    /// Begins a drain, which waits for ``endDrain()``.
    /// - Returns: The number of a waiting drain; `nil` if nothing was written since the last one.
    func beginDrain() throws(AudioSessionError) -> UInt64? { try begin([], isDrain: true) }

    private func begin(_ samples: [Float], isDrain: Bool) throws(AudioSessionError) -> UInt64? {
        try state.withLock { state throws(AudioSessionError) in
            if let obstacle = state.obstacle { throw obstacle }
            var write = Write(id: state.last + 1, samples: samples, isDrain: isDrain)
            if state.writes.isEmpty, advance(&write, played: state.played) { return nil }
            state.last = write.id
            state.writes.append(write)
            return write.id
        }
    }

    /// Waits for the end of a write or a drain. A cancelled task ends it.
    func finish(_ id: UInt64) async -> WriteOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let outcome: WriteOutcome? = state.withLock { state in
                    if let outcome = state.outcomes.removeValue(forKey: id) { return outcome }
                    guard let index = state.writes.firstIndex(where: { $0.id == id }) else {
                        return WriteOutcome(error: nil, frameCount: 0)
                    }
                    state.writes[index].waiter = waiter
                    return nil
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        } onCancel: {
            fail(id, .cancelled)
        }
    }

    /// Ends a write or a drain that waits. What it has written is played.
    func fail(_ id: UInt64, _ error: AudioSessionError) {
        let write: Write? = state.withLock { state in
            guard let index = state.writes.firstIndex(where: { $0.id == id }) else { return nil }
            let write = state.writes.remove(at: index)
            if write.waiter == nil { state.outcomes[id] = write.ended(error) }
            return write
        }
        if let write { write.waiter?.resume(returning: write.ended(error)) }
        // Those behind it need not wait for a timer, which a paused output has not.
        serve()
    }

    /// Drops frames that were written and not taken.
    func flush() {
        state.withLock { state in
            ring.flush()
            state.played = ring.written
            for index in state.writes.indices { state.writes[index].drained = nil }
        }
        serve()
    }

    /// The number of frames that were written and not taken.
    var waiting: Int {
        let written = ring.written
        return Int(clamping: written - min(ring.read, written))
    }

    // MARK: The output

    /// The number of frames to take before the first write can continue by a substantial part, or
    /// end.
    var awaited: Int? {
        state.withLock { state in
            guard let write = state.writes.first else { return nil }
            if write.isDrain { return waiting }
            let rest = write.samples.count / ring.channels - write.done
            return max(0, min(rest, ring.capacity / 2) - ring.writable)
        }
    }

    /// The last frame before the first waiter, if that is a drain and the frame was taken.
    var drained: UInt64? { state.withLock { drainedEnd($0) } }

    /// Ends the first waiter, if it is a drain and all frames before it were taken.
    package func endDrain() {
        state.withLock { state in
            if let end = drainedEnd(state) { state.played = end }
        }
        serve()
    }

    /// Whether a caller waits for the first write or drain.
    var hasWaiter: Bool { state.withLock { $0.writes.first?.waiter != nil } }

    /// Continues writes as far as there is room.
    package func serve() {
        let ended: [Write] = state.withLock { state in
            var ended: [Write] = []
            while !state.writes.isEmpty, advance(&state.writes[0], played: state.played) {
                let write = state.writes.removeFirst()
                if write.waiter != nil { ended.append(write) } else { state.outcomes[write.id] = write.ended(nil) }
            }
            return ended
        }
        for write in ended { write.waiter?.resume(returning: write.ended(nil)) }
    }

    /// Accepts writes from now on.
    package func open() { state.withLock { if $0.obstacle?.code == .stopped { $0.obstacle = nil } } }

    /// Fails waiting and later writes with this error.
    /// - Parameter flushes: Whether frames that were written and not taken are dropped. Those of a
    ///   write that fails always are, because its caller writes them again.
    func end(_ error: AudioSessionError, flushes: Bool = true) {
        let ended: [Write] = state.withLock { state in
            guard state.obstacle?.code != .closed else { return [] }
            state.obstacle = error
            if flushes || !state.writes.isEmpty {
                ring.flush()
                state.played = ring.written
            }
            defer { state.writes = [] }
            for write in state.writes where write.waiter == nil { state.outcomes[write.id] = write.ended(error) }
            return state.writes
        }
        for write in ended { write.waiter?.resume(returning: write.ended(error)) }
    }

    // MARK: Under the lock

    /// The last frame before the first waiter, if that is a drain and the frame was taken.
    private func drainedEnd(_ state: State) -> UInt64? {
        guard let drain = state.writes.first, drain.isDrain else { return nil }
        let end = drain.drained ?? ring.written
        return ring.read >= end ? end : nil
    }

    /// Continues a write as far as there is room.
    /// - Parameter played: The frame before which all were played.
    /// - Returns: Whether the write is done.
    private func advance(_ write: inout Write, played: UInt64) -> Bool {
        if write.isDrain {
            // A drain waits for the empty ring, so it is no underrun.
            ring.setEnded(true)
            let end = write.drained ?? ring.written
            write.drained = end
            return played >= end
        }
        ring.setEnded(false)
        let start = write.done * ring.channels
        if start < write.samples.count { write.done += ring.write(write.samples.span.extracting(start...)) }
        return write.done * ring.channels >= write.samples.count
    }

    private func check(_ count: Int) throws(AudioSessionError) {
        guard count.isMultiple(of: ring.channels) else {
            throw AudioSessionError(
                .badParam,
                "\(count) samples are no whole frames of \(ring.channels) channels. "
                    + "Write as many samples for each channel.")
        }
    }
}

extension AudioSessionError {
    static let stopped = AudioSessionError(
        .stopped, "The output is stopped, so nothing can be written to it. Call start() first.")
    static let cancelled = AudioSessionError(
        .cancelled, "The task that wrote to the output was cancelled. What it had written is played.")
    static let writeTimedOut = AudioSessionError(
        .timedOut,
        "The output did not play enough within the limit of the call. It may be paused, which its state says. "
            + "Write the rest or drain again, or allow more time.")
}
