import CPipeWireShim

/// A queue of frames (interleaved 32-bit floats) between one writer and the real-time thread of a
/// stream.
///
/// Sendable, because each section says who may call its functions. The writer is one thread or
/// actor. Counts never wrap: frame n is the n-th frame ever written.
package final class FrameRing: @unchecked Sendable {
    let handle: OpaquePointer
    package let channels: Int
    /// The capacity in frames.
    package let capacity: Int

    /// The largest capacity in frames.
    package static let maximumCapacity = Int(CPW_RING_MAX_FRAMES)
    package static let maximumChannels = Int(CPW_MAX_CHANNELS)
    /// The highest rate of a stream, in frames per second.
    package static let maximumRate = Int(CPW_MAX_RATE)

    /// Makes an empty ring. `nil` if memory is exhausted, or a number is out of range.
    ///
    /// - Parameter isForCapture: Whether the real-time thread writes, so that no write may cause a
    ///   page fault.
    package init?(channels: Int, capacity: Int, isForCapture: Bool = false) {
        guard (1...Self.maximumChannels).contains(channels), (1...Self.maximumCapacity).contains(capacity),
            let handle = cpw_ring_create(UInt32(channels), UInt32(capacity))
        else { return nil }
        if isForCapture { cpw_ring_make_resident(handle) }
        self.handle = handle
        self.channels = channels
        self.capacity = capacity
    }

    deinit { cpw_ring_release(handle) }

    // MARK: Writer

    /// The number of frames that there is room for.
    package var writable: Int { Int(cpw_ring_writable(handle)) }

    /// Copies as many whole frames as there is room for, and returns their number.
    package func write(_ samples: Span<Float>) -> Int {
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return Int(cpw_ring_write(handle, base, UInt32(clamping: buffer.count / channels)))
        }
    }

    /// Discards what was written and not yet read.
    package func flush() { cpw_ring_flush(handle) }

    /// Sets whether the frames written so far are the last ones, so that an empty ring is no
    /// underrun.
    package func setEnded(_ ended: Bool) { cpw_ring_set_ended(handle, ended) }

    // MARK: Reader

    /// Copies frames out and returns their number, for a test in place of the real-time thread.
    package func take(into samples: inout MutableSpan<Float>) -> Int {
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return Int(cpw_ring_read(handle, base, UInt32(clamping: buffer.count / channels)))
        }
    }

    // MARK: Any thread

    /// Frames written since the ring was made.
    package var written: UInt64 { cpw_ring_written_count(handle) }
    /// Frames read or discarded since the ring was made.
    package var read: UInt64 { cpw_ring_read_count(handle) }
    /// How often the ring was empty before its end.
    package var underruns: UInt64 { cpw_ring_underruns(handle) }
    /// Frames that were missing then.
    package var missing: UInt64 { cpw_ring_missing(handle) }
}
