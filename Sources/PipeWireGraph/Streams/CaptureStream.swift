package import AudioSessionCore
import CPipeWireShim

/// A stream that records into a ring.
package final class CaptureStream: GraphStream {
    /// One channel over the last twentieth of a second; full scale is 1.
    package struct Level: Sendable, Hashable {
        package var peak: Float
        package var meanSquare: Float

        package init(peak: Float = 0, meanSquare: Float = 0) {
            self.peak = peak
            self.meanSquare = meanSquare
        }
    }

    /// What the real-time thread last did; each figure for itself is exact, together they may be of two cycles.
    package struct Report: Sendable, Hashable, GraphStreamReport {
        /// Times that the process callback ran.
        package var cycles: UInt64 = 0
        /// Frames that came while the gate was open.
        package var frames: UInt64 = 0
        /// Those of them that found no room in the ring.
        package var dropped: UInt64 = 0
        /// Times that this happened.
        package var overruns: UInt64 = 0
        /// When the callback began that brought the news that closed the gate.
        package var gateEventTime: MonotonicTime?
        /// When the gate closed.
        package var gateTime: MonotonicTime?
        /// Frames of the graph's cycle, at the graph's rate.
        package var quantum = 0
        package var graphRate = 0
        /// From the device to the process callback, as PipeWire reports it.
        package var delay: Duration = .zero
        /// One for each channel.
        package var levels: [Level] = []

        package init() {}
    }

    private let channels: Int

    /// Parameters as those of ``PlaybackStream``. The stream is the ring's one writer, and runs at once.
    package init(
        on connection: Connection, ring: FrameRing, rate: Int,
        properties: [(String, String)], receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        channels = ring.channels
        try super.init(
            on: connection, ring: ring, rate: rate, active: true, properties: properties, receive: receive,
            create: cpw_capture_create)
    }

    /// Muted: silence is recorded.
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
