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

    /// The last cycle of the real-time thread. Each number is exact; two may be of different
    /// cycles.
    package struct Report: Sendable, Hashable, GraphStreamReport {
        /// The number of calls of the process callback.
        package var cycles: UInt64 = 0
        /// Frames that were received with an open gate.
        package var frames: UInt64 = 0
        /// Frames of these that found no room in the ring.
        package var dropped: UInt64 = 0
        /// How often frames were dropped.
        package var overruns: UInt64 = 0
        /// When the callback began whose event closed the gate.
        package var gateEventTime: MonotonicTime?
        /// When the gate closed.
        package var gateTime: MonotonicTime?
        /// Frames of the graph's cycle, at the graph's rate.
        package var quantum = 0
        /// The graph's frames per second.
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
    /// - Parameter canceller: A new one, of the stream's rate. One channel is recorded then, and all
    ///   channels of the exchange receive it without its echo.
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
        report.overruns = raw.overruns
        withUnsafeBytes(of: raw.levels) { bytes in
            report.levels = bytes.bindMemory(to: cpw_level.self).prefix(channels).map {
                Level(peak: $0.peak, meanSquare: $0.mean_square)
            }
        }
        return report
    }
}
