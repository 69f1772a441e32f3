package import AudioSessionCore
import CPipeWireShim

/// Hears what is played to one sink and to no other. To be made, used and dropped on the loop's thread.
package final class SinkTapStream {
    private let handle: OpaquePointer
    private let context: Unmanaged<Handler>
    // Frees after the tap: the tap's links are its objects.
    private let connection: Connection

    /// All since the last reset, from one moment.
    package struct Report: Sendable, Hashable {
        package var cycles: UInt64
        package var frames: UInt64
        package var loudFrames: UInt64
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
        failed: { Handler.of($0).failed(String(cString: $2)) })

    /// - Parameters:
    ///   - sink: its `node.name`. While there is none the tap is deaf; it listens as soon and as often as there is.
    ///   - threshold: a frame is loud if one of its samples is above this, by amount.
    ///   - attached: the sink that the tap is linked to now. The tap may not be dropped from within.
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
            cycles: raw.cycles, frames: raw.frames, loudFrames: raw.loud_frames,
            firstLoudTime: raw.first_loud_time == 0 ? nil : MonotonicTime(nanoseconds: raw.first_loud_time),
            lastLoudTime: raw.last_loud_time == 0 ? nil : MonotonicTime(nanoseconds: raw.last_loud_time),
            peak: raw.peak)
    }

    /// Begins counting anew: of what was heard before the call nothing is reported any more.
    package func reset() { cpw_tap_reset(handle) }
}
