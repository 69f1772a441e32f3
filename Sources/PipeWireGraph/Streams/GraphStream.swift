package import AudioSessionCore
import CPipeWireShim

/// The common part of streams that play and streams that record. It is created, used and released
/// on the loop's thread, and released before its connection, never from within `receive`.
package class GraphStream {
    /// PipeWire's state of a stream.
    package enum State: Sendable, Hashable {
        case error, unconnected, connecting, paused, streaming
    }

    /// The state of the stream, with its node and a message.
    package struct Status: Sendable, Hashable {
        package var state: State
        /// The stream's node, from `paused` on.
        package var node: ObjectID?
        /// A message of the server. With another state than `error` the stream survives it, for
        /// example if there is no target.
        package var message: String?

        package init(state: State, node: ObjectID? = nil, message: String? = nil) {
            self.state = state
            self.node = node
            self.message = message
        }
    }

    /// The activity of the real-time thread, as of its last cycle. Each number is exact, but two of
    /// them may be of different cycles.
    package struct Report: Sendable, Hashable {
        /// The number of calls of the process callback.
        package var cycles: UInt64 = 0
        /// The number of frames passed to PipeWire, including silence, or received with an open
        /// gate.
        package var frames: UInt64 = 0
        /// The start of the callback whose event closed the gate.
        package var gateEventTime: MonotonicTime?
        /// The time at which the gate closed.
        package var gateTime: MonotonicTime?
        /// The number of frames in a cycle of the graph, at the graph's rate.
        package var quantum = 0
        /// The sample rate of the graph, in frames per second.
        package var graphRate = 0
        /// The latency between the process callback and the device, as PipeWire reports it.
        package var delay: Duration = .zero
        /// The start of the last cycle that played a frame of the ring or of the callback.
        package var lastSoundTime: MonotonicTime?
        /// The number of received frames for which the ring had no room.
        package var dropped: UInt64 = 0
        /// The level of each channel that is recorded.
        package var levels: [CaptureStream.Level] = []

        package init() {}
    }

    /// The shim's function that creates a stream of one kind.
    typealias Create = (
        OpaquePointer, UnsafePointer<cpw_stream_options>, OpaquePointer?, UnsafePointer<cpw_stream_events>,
        UnsafeMutableRawPointer, UnsafeMutablePointer<Int32>
    ) -> OpaquePointer?

    private let object: ShimObject<Status>

    var handle: OpaquePointer { object.handle }

    init(
        on connection: Connection, exchange: SampleExchange?, canceller: EchoCanceller? = nil, rate: Int,
        active: Bool,
        properties: [(String, String)], receive: @escaping (Status) -> Void, create: Create
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .creatingStream, isStream: true, receive: receive,
            destroy: { cpw_stream_destroy($0) }
        ) { user, code in
            withProperties(properties + [GraphStream.mark]) { list, count in
                var options = cpw_stream_options(
                    rate: UInt32(clamping: rate), channels: UInt32(exchange?.channels ?? 1), start_active: active,
                    properties: list, property_count: count, callback: exchange?.callback?.handle,
                    canceller: canceller?.handle)
                var events = GraphStream.events
                return create(connection.handle, &options, exchange?.ring?.handle, &events, user, &code)
            }
        }
    }

    /// Distinguishes the library's own streams from those that other code of the process renders.
    private static let mark = (PropertyKey.sessionStream.rawValue, "true")

    private static let events = cpw_stream_events(
        state: { user, state, node, message in
            ShimObject.deliver(user, Status(shim: state, node: node, message: message))
        })

    /// Closes or opens the gate. From the next cycle on, a stream with a closed gate plays silence,
    /// and neither reads its ring nor calls its callback; or it discards what it receives.
    package func setGate(closed: Bool) { cpw_stream_set_gate(handle, closed) }

    /// Replaces the gate triggers: the removal of one of these nodes closes the gate, before the
    /// removal is reported.
    package func setGateTriggers(_ nodes: [ObjectID]) {
        nodes.map(\.rawValue).withUnsafeBufferPointer { ids in
            cpw_stream_set_gate_triggers(handle, ids.baseAddress, ids.count)
        }
    }

    /// Changes properties of the stream's node.
    package func setProperties(_ properties: [(String, String)]) {
        withProperties(properties) { list, count in
            guard let list else { return }
            _ = cpw_stream_set_properties(handle, list, count)
        }
    }

    /// The report without what only streams that play, or only those that record, have.
    var commonReport: Report {
        var raw = cpw_stream_report()
        cpw_stream_get_report(handle, &raw)
        var report = Report()
        report.cycles = raw.cycles
        report.frames = raw.frames
        report.gateEventTime = .init(shim: raw.gate_event_time)
        report.gateTime = .init(shim: raw.gate_time)
        report.quantum = Int(raw.quantum)
        report.graphRate = Int(raw.rate)
        report.delay = .nanoseconds(raw.delay_ns)
        return report
    }
}

extension GraphStream.Status {
    init(shim state: cpw_stream_state, node: UInt32, message: UnsafePointer<CChar>?) {
        self.init(
            state: GraphStream.State(state), node: node == .max ? nil : ObjectID(node),
            message: message.map { String(foreign: $0) })
    }
}

extension GraphStream.State {
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
    /// Converts a time of the shim; 0 means never, and becomes `nil`.
    init?(shim nanoseconds: UInt64) {
        guard nanoseconds != 0 else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
