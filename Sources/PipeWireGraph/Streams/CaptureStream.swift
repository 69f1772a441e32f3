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
        var report = commonReport
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
