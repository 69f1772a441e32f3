package import AudioSessionCore
import CPipeWireShim

/// A stream that measures the sound that is played to one sink. It is created, used and released on
/// the loop's thread.
package final class SinkTapStream {
    private let handle: OpaquePointer
    private let context: Unmanaged<Handler>
    // Released after the tap, because the tap's links are objects of the connection.
    private let connection: Connection

    /// The measurements since the last reset, all of one moment.
    package struct Report: Sendable, Hashable {
        package var cycles: UInt64
        package var frames: UInt64
        package var loudFrames: UInt64
        package var gapFrames: UInt64
        package var firstLoudTime: MonotonicTime?
        package var lastLoudTime: MonotonicTime?
        package var peak: Float
    }

    private final class Handler {
        var attached: (ObjectID?) -> Void
        var failed: (String) -> Void

        init(_ attached: @escaping (ObjectID?) -> Void, _ failed: @escaping (String) -> Void) {
            self.attached = attached
            self.failed = failed
        }

        static func of(_ context: UnsafeMutableRawPointer) -> Handler {
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        }
    }

    private static let events = cpw_tap_events(
        attached: { Handler.of($0).attached($1 == .max ? nil : ObjectID($1)) },
        failed: { Handler.of($0).failed(String(foreign: $2)) })

    /// Creates a tap of a sink.
    ///
    /// - Parameters:
    ///   - sink: The `node.name` of the sink, which may appear and be removed at any time.
    ///   - threshold: A frame is loud if the amplitude of one of its samples exceeds this.
    ///   - attached: Receives the sink that the tap is linked to now. It may not release the tap.
    ///   - failed: Called if the tap receives nothing, or not all channels.
    package init(
        sink: String, threshold: Float, over connection: Connection, attached: @escaping (ObjectID?) -> Void,
        failed: @escaping (String) -> Void
    ) throws(PipeWireError) {
        self.connection = connection
        let context = Unmanaged.passRetained(Handler(attached, failed))
        var code: Int32 = 0
        var events = Self.events
        guard
            let handle = cpw_tap_create(
                connection.handle, sink, threshold, &events, context.toOpaque(), &code)
        else {
            context.release()
            throw PipeWireError(code: code, during: .tappingSink)
        }
        self.handle = handle
        self.context = context
    }

    deinit {
        let handler = context.takeUnretainedValue()
        handler.attached = { _ in }
        handler.failed = { _ in }
        connection.executor.end { [handle, context, connection] in
            cpw_tap_destroy(handle)
            context.release()
            withExtendedLifetime(connection) {}
        }
    }

    package var report: Report {
        var raw = cpw_tap_report()
        cpw_tap_get_report(handle, &raw)
        return Report(
            cycles: raw.cycles, frames: raw.frames, loudFrames: raw.loud_frames, gapFrames: raw.gap_frames,
            firstLoudTime: raw.first_loud_time == 0 ? nil : MonotonicTime(nanoseconds: raw.first_loud_time),
            lastLoudTime: raw.last_loud_time == 0 ? nil : MonotonicTime(nanoseconds: raw.last_loud_time),
            peak: raw.peak)
    }

    /// Resets the report: frames received before do not count.
    package func reset() { cpw_tap_reset(handle) }
}
