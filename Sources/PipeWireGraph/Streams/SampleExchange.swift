import CPipeWireShim

/// The source or the destination of the samples of a stream's real-time thread.
package enum SampleExchange: Sendable {
    case ring(FrameRing)
    case callback(SampleCallback)

    package var channels: Int {
        switch self {
        case .ring(let ring): ring.channels
        case .callback(let callback): callback.channels
        }
    }

    package var ring: FrameRing? { if case .ring(let ring) = self { ring } else { nil } }
    package var callback: SampleCallback? { if case .callback(let callback) = self { callback } else { nil } }
}

/// A C function that renders or receives samples on the real-time thread, with its context.
///
/// Sendable, because the object behind it is shared by reference and each of its functions may be
/// called on any thread.
package final class SampleCallback: @unchecked Sendable {
    package typealias Render =
        @convention(c) (
            _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ frames: UInt32,
            _ channels: UInt32, _ rate: UInt32, _ time: UInt64
        ) -> Void
    package typealias Receive =
        @convention(c) (
            _ context: UnsafeMutableRawPointer?, _ samples: UnsafePointer<Float>, _ frames: UInt32,
            _ channels: UInt32, _ rate: UInt32, _ time: UInt64
        ) -> Void
    package typealias Destroy = @convention(c) (_ context: UnsafeMutableRawPointer?) -> Void

    let handle: OpaquePointer
    package let channels: Int

    /// Makes a callback that renders samples; `nil` if there is no memory, or the number of
    /// channels is out of bounds.
    /// - Parameter destroy: Called once, when neither this object nor a stream needs the context
    ///   any longer, and never on the real-time thread. If the result is `nil`, it is called at
    ///   once.
    package convenience init?(
        rendering render: Render, context: UnsafeMutableRawPointer?, channels: Int, destroy: Destroy?
    ) {
        self.init(cpw_callback_create_render(UInt32(clamping: channels), render, context, destroy), channels)
    }

    /// Makes a callback that receives samples. The parameters are those of
    /// ``init(rendering:context:channels:destroy:)``.
    package convenience init?(
        receiving receive: Receive, context: UnsafeMutableRawPointer?, channels: Int, destroy: Destroy?
    ) {
        self.init(cpw_callback_create_receive(UInt32(clamping: channels), receive, context, destroy), channels)
    }

    private init?(_ handle: OpaquePointer?, _ channels: Int) {
        guard let handle else { return nil }
        self.handle = handle
        self.channels = channels
    }

    deinit { cpw_callback_release(handle) }

    /// Whether each call is timed, for ``lateCalls``.
    package func setTimed(_ isTimed: Bool) { cpw_callback_set_timed(handle, isTimed) }

    /// The number of frames that were rendered or received since the beginning.
    package var frames: UInt64 { cpw_callback_frames(handle) }
    /// The number of timed calls that took longer than their frames last.
    package var lateCalls: UInt64 { cpw_callback_late(handle) }
}
