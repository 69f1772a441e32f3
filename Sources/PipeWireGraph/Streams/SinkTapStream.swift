package import AudioSessionCore
import CPipeWireShim

/// A stream that measures the sound that is played to one sink. It is created, used and released on
/// the loop's thread.
package final class SinkTapStream {
    private let object: ShimObject<Event>

    package enum Event: Sendable, Hashable {
        /// The sink that the tap is linked to now. Its receiver may not release the tap.
        case attached(ObjectID?)
        /// The tap receives nothing, or not all channels.
        case failed(String)
    }

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

    private static let events = cpw_tap_events(
        attached: { ShimObject<Event>.deliver($0, .attached($1 == .max ? nil : ObjectID($1))) },
        failed: { ShimObject<Event>.deliver($0, .failed(String(foreign: $2))) })

    /// Creates a tap of a sink.
    ///
    /// - Parameters:
    ///   - sink: The `node.name` of the sink, which may appear and be removed at any time.
    ///   - threshold: A frame is loud if the amplitude of one of its samples exceeds this.
    package init(
        sink: String, threshold: Float, over connection: Connection, receive: @escaping (Event) -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .tappingSink, receive: receive, destroy: { cpw_tap_destroy($0) }
        ) { user, code in
            var events = Self.events
            return cpw_tap_create(connection.handle, sink, threshold, &events, user, &code)
        }
    }

    package var report: Report {
        var raw = cpw_tap_report()
        cpw_tap_get_report(object.handle, &raw)
        return Report(
            cycles: raw.cycles, frames: raw.frames, loudFrames: raw.loud_frames, gapFrames: raw.gap_frames,
            firstLoudTime: MonotonicTime(shim: raw.first_loud_time),
            lastLoudTime: MonotonicTime(shim: raw.last_loud_time), peak: raw.peak)
    }

    /// Resets the report: frames received before do not count.
    package func reset() { cpw_tap_reset(object.handle) }
}
