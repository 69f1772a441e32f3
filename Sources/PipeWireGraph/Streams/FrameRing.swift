import CPipeWireShim

/// A queue of frames (interleaved 32-bit floats) between one writer and the real-time thread of a stream.
///
/// Sendable, because each function says who may call it: the writer is one thread or actor of its own. Counts go up
/// for ever: frame n is the n-th that was ever written.
package final class FrameRing: @unchecked Sendable {
    let handle: OpaquePointer
    package let channels: Int
    /// In frames.
    package let capacity: Int

    /// The most that a ring holds, in frames.
    package static let maximumCapacity = Int(CPW_RING_MAX_FRAMES)
    package static let maximumChannels = Int(CPW_MAX_CHANNELS)

    /// `nil` if memory is short, or a number is out of bounds.
    package init?(channels: Int, capacity: Int) {
        guard (1...Self.maximumChannels).contains(channels), (1...Self.maximumCapacity).contains(capacity),
            let handle = cpw_ring_create(UInt32(channels), UInt32(capacity))
        else { return nil }
        self.handle = handle
        self.channels = channels
        self.capacity = capacity
    }

    deinit { cpw_ring_release(handle) }

    // MARK: The writer

    /// Frames that there is room for.
    package var writable: Int { Int(cpw_ring_writable(handle)) }

    /// Takes as many whole frames as there is room for, and returns their number.
    package func write(_ samples: Span<Float>) -> Int {
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return Int(cpw_ring_write(handle, base, UInt32(clamping: buffer.count / channels)))
        }
    }

    /// Drops what was written and not yet read.
    package func flush() { cpw_ring_flush(handle) }

    /// Says whether what was written is the end, so that running empty is no underrun.
    package func setEnded(_ ended: Bool) { cpw_ring_set_ended(handle, ended) }

    // MARK: The reader

    /// Copies frames out, as the real-time thread does; for whoever stands in for it. Returns their number.
    package func take(into samples: inout MutableSpan<Float>) -> Int {
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return Int(cpw_ring_read(handle, base, UInt32(clamping: buffer.count / channels)))
        }
    }

    // MARK: Anybody

    /// Frames written since the beginning.
    package var written: UInt64 { cpw_ring_written_count(handle) }
    /// Frames read or dropped since the beginning.
    package var read: UInt64 { cpw_ring_read_count(handle) }
    /// Times that the reader ran dry before the end.
    package var underruns: UInt64 { cpw_ring_underruns(handle) }
}
