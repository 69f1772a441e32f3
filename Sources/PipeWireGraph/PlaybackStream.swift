package import AudioSessionCore
import CPipeWireShim

/// A stream that plays what is in a ring. To be made, used and dropped on the loop's thread, and dropped before its
/// connection is, but never from within `receive`.
package final class PlaybackStream {
    package enum State: Sendable, Hashable {
        case error, unconnected, connecting, paused, streaming
    }

    /// What PipeWire told of the stream.
    package struct Status: Sendable, Hashable {
        package var state: State
        /// The stream's node, from `paused` on.
        package var node: ObjectID?
        /// With a state other than `error`: a complaint, that there is nothing to play to for example, which the
        /// stream survives.
        package var message: String?

        package init(state: State, node: ObjectID? = nil, message: String? = nil) {
            self.state = state
            self.node = node
            self.message = message
        }
    }

    /// What the real-time thread last did; each figure for itself is exact, together they may be of two cycles.
    package struct Report: Sendable, Hashable {
        /// Times that the process callback ran.
        package var cycles: UInt64 = 0
        /// Frames handed to PipeWire, silence included.
        package var frames: UInt64 = 0
        /// Start of the last cycle.
        package var cycleTime: MonotonicTime?
        /// Start of the last cycle that handed out a frame of the ring.
        package var lastSoundTime: MonotonicTime?
        /// When the callback began that brought the news that closed the gate.
        package var gateEventTime: MonotonicTime?
        /// When the gate closed.
        package var gateTime: MonotonicTime?
        /// Frames of the graph's cycle, at the graph's rate.
        package var quantum = 0
        package var graphRate = 0
        /// From the process callback to the device, as PipeWire reports it.
        package var delay: Duration = .zero

        package init() {}
    }

    private let connection: Connection
    private let handle: OpaquePointer
    private let context: Unmanaged<Handler>

    private final class Handler {
        var receive: (Status) -> Void
        init(_ receive: @escaping (Status) -> Void) { self.receive = receive }
    }

    /// - Parameters:
    ///   - active: Whether the graph runs the stream from the start.
    ///   - properties: What others see of it: `media.role`, `media.name`, `node.name` …
    ///   - receive: Called on the loop's thread, synchronously from PipeWire's callback.
    package init(
        on connection: Connection, ring: FrameRing, rate: Int, active: Bool = false,
        properties: [(String, String)], receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        self.connection = connection
        let context = Unmanaged.passRetained(Handler(receive))
        self.context = context
        var code: Int32 = 0
        let handle: OpaquePointer? = withProperties(properties) { list, count in
            var options = cpw_stream_options(
                rate: UInt32(clamping: rate), channels: UInt32(ring.channels), start_active: active,
                properties: list, property_count: count)
            var events = Self.events
            return cpw_stream_create(connection.handle, &options, ring.handle, &events, context.toOpaque(), &code)
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
            cpw_stream_destroy(handle)
            context.release()
            withExtendedLifetime(connection) {}
        }
    }

    private static let events = cpw_stream_events(
        state: { context, state, node, message in
            let status = Status(shim: state, node: node, message: message)
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().receive(status)
        })

    /// Lets the graph run the stream, or stop running it: an inactive one costs no processor time.
    package func setActive(_ active: Bool) { _ = cpw_stream_set_active(handle, active) }

    /// Closed: silence from the next cycle on, and nothing is read from the ring.
    package func setGate(closed: Bool) { cpw_stream_gate(handle, closed) }

    /// From now on the gate closes by itself when one of these nodes goes, before `receive` or anybody else hears of it.
    package func setGuard(_ nodes: [ObjectID]) {
        nodes.map(\.rawValue).withUnsafeBufferPointer { ids in
            cpw_stream_guard(handle, ids.baseAddress, ids.count)
        }
    }

    /// A linear factor, 0 to 8; anything else is ignored.
    package func setVolume(_ volume: Float) { cpw_stream_set_volume(handle, volume) }

    /// Ducking: a linear factor, 0 to 1, besides the volume; anything else is ignored. Moves there evenly.
    package func setDuck(_ gain: Float) { cpw_stream_set_duck(handle, gain) }

    package func setProperties(_ properties: [(String, String)]) {
        withProperties(properties) { list, count in
            guard let list else { return }
            _ = cpw_stream_set_properties(handle, list, count)
        }
    }

    package var report: Report {
        var raw = cpw_stream_report()
        cpw_stream_report_now(handle, &raw)
        var report = Report()
        report.cycles = raw.cycles
        report.frames = raw.frames
        report.cycleTime = .init(shim: raw.cycle_time)
        report.lastSoundTime = .init(shim: raw.last_sound_time)
        report.gateEventTime = .init(shim: raw.gate_event_time)
        report.gateTime = .init(shim: raw.gate_time)
        report.quantum = Int(raw.quantum)
        report.graphRate = Int(raw.rate)
        report.delay = .nanoseconds(raw.delay_ns)
        return report
    }
}

extension PlaybackStream.Status {
    init(shim state: cpw_stream_state, node: UInt32, message: UnsafePointer<CChar>?) {
        self.init(
            state: PlaybackStream.State(state), node: node == .max ? nil : ObjectID(node),
            message: message.map { String(cString: $0) })
    }
}

extension PlaybackStream.State {
    fileprivate init(_ raw: cpw_stream_state) {
        switch raw {
        case CPW_STREAM_UNCONNECTED: self = .unconnected
        case CPW_STREAM_CONNECTING: self = .connecting
        case CPW_STREAM_PAUSED: self = .paused
        case CPW_STREAM_STREAMING: self = .streaming
        default: self = .error
        }
    }
}

extension MonotonicTime {
    /// `nil` where the shim says "never".
    init?(shim nanoseconds: UInt64) {
        guard nanoseconds != 0 else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
