import AudioSessions
import Dispatch
import Glibc
import Synchronization

/// The request to end a command that otherwise runs without limit.
///
/// The cause is SIGINT, SIGTERM or SIGHUP, or the reader of the output has closed it. A descriptor
/// represents the request, because a thread may be blocked in a system call when it is made.
package final class Ending: Sendable {
    /// A descriptor that becomes readable when the end is requested.
    package let descriptor: Int32
    private let trigger: Int32

    package init() throws(ToolFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .session(
                AudioSessionError(
                    .resourcesExhausted,
                    "No pipe can be created: \(systemMessage(errno)). Close files, or raise 'ulimit -n'."))
        }
        descriptor = ends[0]
        trigger = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(trigger, F_SETFL, O_NONBLOCK)
    }

    /// Closes the pipe, which wakes all threads that still wait.
    deinit {
        _ = signalTrigger.compareExchange(expected: trigger, desired: -1, ordering: .sequentiallyConsistent)
        close(trigger)
        close(descriptor)
    }

    /// Makes the program's signals request this end. This cannot be undone.
    package func followSignals() {
        signalTrigger.store(trigger, ordering: .releasing)
        for number in Self.signals(isIgnored: InheritedSignals.isIgnored) { signal(number, handleSignal) }
    }

    /// Returns the signals that request the end.
    ///
    /// SIGHUP stays ignored if it is, because `nohup` starts a program that way. SIGINT does not,
    /// because a shell without job control ignores it for each program in the background.
    ///
    /// - Parameter isIgnored: Whether the program ignores a signal.
    static func signals(isIgnored: (Int32) -> Bool) -> [Int32] {
        [SIGINT, SIGTERM] + (isIgnored(SIGHUP) ? [] : [SIGHUP])
    }

    package func request() { writeByte(to: trigger) }

    /// Whether the end has been requested.
    var isRequested: Bool { !waitForAny(of: [.readable(descriptor)], milliseconds: 0).isEmpty }

    /// Performs an operation, unless the end is requested before it has finished.
    ///
    /// A request cancels the operation's task but does not wait for it, because some operations
    /// ignore cancellation.
    ///
    /// - Parameter operation: An operation that may wait for PipeWire, such as connecting.
    /// - Returns: The result of the operation.
    /// - Throws: ``ToolFailure/stopped`` after a request, or the failure of the operation.
    package func unlessRequested<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(ToolFailure) -> Value
    ) async throws(ToolFailure) -> Value {
        guard !isRequested else { throw .stopped }
        // It wakes the thread that waits for a request.
        let finished = try Ending()
        let (outcomes, continuation) = AsyncStream.makeStream(of: Result<Value, ToolFailure>.self)
        let task = Task {
            do throws(ToolFailure) {
                continuation.yield(.success(try await operation()))
            } catch {
                continuation.yield(.failure(error))
            }
            finished.request()
        }
        DispatchQueue(label: "audiosession.start").async { [descriptor] in
            let conditions: [PollCondition] = [.readable(finished.descriptor), .readable(descriptor)]
            if !waitForAny(of: conditions).contains(0) { continuation.yield(.failure(.stopped)) }
        }
        for await outcome in outcomes {
            task.cancel()
            return try outcome.get()
        }
        throw .stopped
    }

    /// Returns when the end is requested, or when the reader of `output` has closed it.
    package func wait(orUntilAbandoned output: LineOutput) async {
        _ = await wait(atMost: nil, orUntilAbandoned: output)
    }

    /// Waits until the end is requested, the reader of `output` has closed it, or the time passes.
    ///
    /// - Parameters:
    ///   - time: The time limit; `nil` for none.
    ///   - output: The output whose reader counts; `nil` for none.
    /// - Returns: Whether the time passed before any of the other causes.
    package func wait(atMost time: Duration?, orUntilAbandoned output: LineOutput?) async -> Bool {
        let milliseconds = time.map { Int32(min(max(0, $0 / .milliseconds(1)), Double(Int32.max - 1))) } ?? -1
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        var conditions: [PollCondition] = [.readable(descriptor)]
        if let output { conditions.append(.abandoned(output.descriptor)) }
        DispatchQueue(label: "audiosession.ending").async { [conditions] in
            continuation.yield(waitForAny(of: conditions, milliseconds: milliseconds).isEmpty)
            continuation.finish()
        }
        return await stream.first { _ in true } ?? false
    }
}

/// The descriptor to which the signal handler writes. A handler has no context of its own, so the
/// program has only one.
private let signalTrigger = Atomic<Int32>(-1)

private func handleSignal(_ number: Int32) {
    let saved = errno
    writeByte(to: signalTrigger.load(ordering: .acquiring))
    errno = saved
}

private func writeByte(to descriptor: Int32) {
    var byte: UInt8 = 0
    // A write to a full pipe may fail, because the pipe is then readable anyway.
    _ = Glibc.write(descriptor, &byte, 1)
}
