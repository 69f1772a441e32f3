import AudioSessionCore
import AudioSessionPlayback
import CAudioSession
import PipeWireGraph

/// The frames that an input or recorder has captured and a C program has not read yet.
///
/// The queue is bounded: a program that is too slow loses the oldest frames. It is empty when a
/// recording begins. What an input captures from its start to its stop is a recording here.
final class SampleQueue: Sendable {
    private struct State {
        var samples: [Float] = []
        /// The index of the oldest sample. What is before it was read.
        var first = 0
        var dropped: UInt64 = 0
        var isClosed = false
        /// Whether the stream is stopped. The end of its recording may not be in the queue yet.
        var isStopped = true
        /// The number of recordings whose end is not in the queue yet. A recording can begin while
        /// the one before it is being completed.
        var openRecordings = 0

        var count: Int { samples.count - first }

        mutating func drop(_ count: Int) {
            first += count
            // Moving the rest costs at most as much as appending it did.
            guard first > samples.count / 2 else { return }
            samples.removeFirst(first)
            first = 0
        }

        mutating func begin() {
            isStopped = false
            openRecordings += 1
            drop(count)
        }
    }

    let channels: Int
    private let capacity: Int
    private let state = LockedCondition(State())

    /// Makes an empty queue.
    /// - Parameter capacity: in frames.
    init(channels: Int, capacity: Int) {
        self.channels = channels
        self.capacity = max(1, capacity) * channels
    }

    /// The frames that can be read, and those that were lost.
    var counts: (waiting: UInt64, dropped: UInt64) {
        state.update { (UInt64($0.count / channels), $0.dropped) }
    }

    func append(_ samples: [Float]) {
        state.update { state in
            let excess = state.count + samples.count - capacity
            if excess > 0 {
                state.dropped += UInt64(excess / channels)
                state.drop(min(excess, state.count))
            }
            state.samples += samples.suffix(capacity)
        }
    }

    /// Receives each event of the stream, in order.
    ///
    /// The state is `stopped` before the last frames of a recording are in the queue. The event
    /// `finished` follows these frames.
    func receive(_ event: AudioRecorder.Event) {
        state.update { state in
            switch event {
            case .stateChanged(.stopped, _): state.isStopped = true
            // A paused stream that runs again continues its recording.
            case .stateChanged: if state.isStopped { state.begin() }
            case .finished: state.openRecordings = max(0, state.openRecordings - 1)
            default: break
            }
        }
    }

    func close() { state.update { $0.isClosed = true } }

    /// Reads frames, and waits for those that were not captured yet.
    /// - Parameter samples: room for the frames.
    /// - Returns: the number of frames read, and why it is not all of them.
    func read(
        into samples: UnsafeMutableBufferPointer<Float>, within limit: UInt32
    ) -> (frames: Int, failure: Failure?) {
        var (count, failure) = (0, nil as Failure?)
        let deadline = duration(ofLimit: limit).map { MonotonicTime.now + $0 }
        let isDone = state.wait(until: deadline) { state in
            let part = min(samples.count - count, state.count)
            for index in 0..<part { samples[count + index] = state.samples[state.first + index] }
            state.drop(part)
            count += part
            if count < samples.count {
                if state.isClosed {
                    failure = .inputClosed
                } else if state.openRecordings == 0 {
                    failure = .inputStopped
                }
            }
            return count == samples.count || failure != nil
        }
        return (count / channels, isDone ? failure : .readTimedOut)
    }
}

extension Failure {
    fileprivate static let inputClosed = Self(
        status: AS_ERROR_CLOSED,
        message: "The input or recorder was destroyed while the call waited. Make another one.")
    fileprivate static let inputStopped = Self(
        status: AS_ERROR_STOPPED,
        message: "The input or recorder is stopped, so nothing is captured. Start it first.")
    fileprivate static let readTimedOut = Self(
        status: AS_ERROR_TIMED_OUT,
        message: "Fewer frames were captured within the limit of the call. The input or recorder may be paused, "
            + "which its state says. Read the rest later, or allow more time.")
}
