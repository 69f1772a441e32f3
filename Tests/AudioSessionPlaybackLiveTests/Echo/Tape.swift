import AudioSessionPlayback
import Glibc

/// Keeps what a callback received, and when. The callback is a function of Swift at the test's own
/// risk: it uses memory that was allocated before.
///
/// Read it when the input is closed.
struct Tape: Sendable {
    private struct Storage {
        var samples: UnsafeMutablePointer<Float>
        var count = 0
        let capacity: Int
        /// The time of each call, with the number of frames until its end.
        var calls: UnsafeMutablePointer<Call>
        var callCount = 0
        let callCapacity: Int
    }

    struct Call {
        var end: Int
        /// The time of the call, and the time at which its first frame was at the microphone, in
        /// seconds.
        var now, time: Double
    }

    private nonisolated(unsafe) let storage: UnsafeMutablePointer<Storage>

    init(seconds: Int) {
        let (capacity, callCapacity) = (seconds * 48_000, seconds * 1000)
        storage = .allocate(capacity: 1)
        storage.initialize(
            to: Storage(
                samples: .allocate(capacity: capacity), capacity: capacity,
                calls: .allocate(capacity: callCapacity), callCapacity: callCapacity))
    }

    var callback: AudioInput.ReceiveCallback {
        .init(
            { context, samples, frames, _, _, time in
                guard let storage = context?.assumingMemoryBound(to: Storage.self) else { return }
                let (count, frames) = (storage.pointee.count, Int(frames))
                guard count + frames <= storage.pointee.capacity,
                    storage.pointee.callCount < storage.pointee.callCapacity
                else { return }
                memcpy(storage.pointee.samples + count, samples, frames * MemoryLayout<Float>.size)
                var now = timespec()
                clock_gettime(CLOCK_MONOTONIC, &now)
                storage.pointee.calls[storage.pointee.callCount] = Call(
                    end: count + frames, now: Double(now.tv_sec) + Double(now.tv_nsec) / 1e9, time: Double(time) / 1e9
                )
                storage.pointee.callCount += 1
                storage.pointee.count = count + frames
            }, context: storage)
    }

    var samples: [Float] { Array(UnsafeBufferPointer(start: storage.pointee.samples, count: storage.pointee.count)) }
    var calls: [Call] { Array(UnsafeBufferPointer(start: storage.pointee.calls, count: storage.pointee.callCount)) }

    func free() {
        storage.pointee.samples.deallocate()
        storage.pointee.calls.deallocate()
        storage.deallocate()
    }
}
