package import AudioSessionCore
import CPipeWireShim

/// A stream that records into a ring, or to a callback.
package final class CaptureStream: GraphStream {
    /// The level of one channel over the last twentieth of a second. Full scale is 1.
    package struct Level: Sendable, Hashable {
        package var peak: Float
        package var meanSquare: Float

        package init(peak: Float = 0, meanSquare: Float = 0) {
            self.peak = peak
            self.meanSquare = meanSquare
        }
    }

    /// The activity of the real-time thread, as of its last cycle. Each number is exact, but two of
    /// them may be of different cycles.
    package struct Report: Sendable, Hashable, GraphStreamReport {
        /// The number of calls of the process callback.
        package var cycles: UInt64 = 0
        /// The number of frames that were received with an open gate.
        package var frames: UInt64 = 0
        /// The number of these frames for which the ring had no room.
        package var dropped: UInt64 = 0
        /// The start of the callback whose event closed the gate.
        package var gateEventTime: MonotonicTime?
        /// The time at which the gate closed.
        package var gateTime: MonotonicTime?
        /// The number of frames in a cycle of the graph, at the graph's rate.
        package var quantum = 0
        /// The sample rate of the graph, in frames per second.
        package var graphRate = 0
        /// The latency from the device to the process callback, as PipeWire reports it.
        package var delay: Duration = .zero
        /// The level of each channel.
        package var levels: [Level] = []

        package init() {}
    }

    private let channels: Int

    /// Creates a stream that is a ring's only writer, and that runs at once. The parameters are
    /// those of ``PlaybackStream``.
    /// - Parameter canceller: A new canceller of the stream's rate. One channel is then recorded,
    ///   and all channels of the exchange receive it without its echo.
    package init(
        on connection: Connection, exchange: SampleExchange, canceller: EchoCanceller? = nil, rate: Int,
        properties: [(String, String)], receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        channels = exchange.channels
        try super.init(
            on: connection, exchange: exchange, canceller: canceller, rate: rate, active: true,
            properties: properties, receive: receive, create: cpw_capture_create)
    }

    /// Mutes or unmutes the stream. A muted stream records silence.
    package func setMuted(_ isMuted: Bool) { cpw_capture_set_muted(handle, isMuted) }

    package var report: Report {
        var report = Report()
        report.note(shimReport)
        var raw = cpw_capture_report()
        cpw_capture_get_report(handle, &raw)
        report.dropped = raw.dropped
        withUnsafeBytes(of: raw.levels) { bytes in
            report.levels = bytes.bindMemory(to: cpw_level.self).prefix(channels).map {
                Level(peak: $0.peak, meanSquare: $0.mean_square)
            }
        }
        return report
    }
}
