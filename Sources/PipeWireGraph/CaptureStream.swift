package import AudioSessionCore
import CPipeWireShim

/// A stream that records into a ring. To be made, used and dropped on the loop's thread, and dropped before its
/// connection is, but never from within `receive`.
package final class CaptureStream {
    /// What PipeWire tells of streams does not depend on their direction.
    package typealias Status = PlaybackStream.Status

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
    package struct Report: Sendable, Hashable {
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

    private let connection: Connection
    private let handle: OpaquePointer
    private let channels: Int
    private let context: Unmanaged<Handler>

    private final class Handler {
        var receive: (Status) -> Void
        init(_ receive: @escaping (Status) -> Void) { self.receive = receive }
    }

    /// Parameters as those of ``PlaybackStream``. The stream is the ring's one writer, and runs at once.
    package init(
        on connection: Connection, ring: FrameRing, rate: Int,
        properties: [(String, String)], receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        self.connection = connection
        channels = ring.channels
        let context = Unmanaged.passRetained(Handler(receive))
        self.context = context
        var code: Int32 = 0
        let handle: OpaquePointer? = withProperties(properties) { list, count in
            var options = cpw_stream_options(
                rate: UInt32(clamping: rate), channels: UInt32(ring.channels), start_active: true,
                properties: list, property_count: count)
            var events = Self.events
            return cpw_capture_create(connection.handle, &options, ring.handle, &events, context.toOpaque(), &code)
        }
        guard let handle else {
            context.release()
            throw PipeWireError(code: code, during: .creatingStream)
        }
        self.handle = handle
    }

    deinit {
        context.takeUnretainedValue().receive = { _ in }
        connection.executor.end { [handle, context, connection] in
            cpw_capture_destroy(handle)
            context.release()
            withExtendedLifetime(connection) {}
        }
    }

    private static let events = cpw_stream_events(
        state: { context, state, node, message in
            let status = Status(shim: state, node: node, message: message)
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().receive(status)
        })

    /// Closed: nothing more is recorded from the next cycle on.
    package func setGate(closed: Bool) { cpw_capture_gate(handle, closed) }

    /// Muted: silence is recorded.
    package func setMuted(_ isMuted: Bool) { cpw_capture_mute(handle, isMuted) }

    /// From now on the gate closes by itself when one of these nodes goes, before `receive` or anybody else hears of it.
    package func setGuard(_ nodes: [ObjectID]) {
        nodes.map(\.rawValue).withUnsafeBufferPointer { ids in
            cpw_capture_guard(handle, ids.baseAddress, ids.count)
        }
    }

    package func setProperties(_ properties: [(String, String)]) {
        withProperties(properties) { list, count in
            guard let list else { return }
            _ = cpw_capture_set_properties(handle, list, count)
        }
    }

    package var report: Report {
        var raw = cpw_capture_report()
        cpw_capture_report_now(handle, &raw)
        var report = Report()
        report.cycles = raw.cycles
        report.frames = raw.frames
        report.dropped = raw.dropped
        report.overruns = raw.overruns
        report.gateEventTime = .init(shim: raw.gate_event_time)
        report.gateTime = .init(shim: raw.gate_time)
        report.quantum = Int(raw.quantum)
        report.graphRate = Int(raw.rate)
        report.delay = .nanoseconds(raw.delay_ns)
        withUnsafeBytes(of: raw.levels) { bytes in
            report.levels = bytes.bindMemory(to: cpw_level.self).prefix(channels).map {
                Level(peak: $0.peak, meanSquare: $0.mean_square)
            }
        }
        return report
    }
}
