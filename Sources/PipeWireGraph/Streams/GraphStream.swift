package import AudioSessionCore
import CPipeWireShim

/// What a stream that plays and one that records have in common. To be made, used and dropped on the loop's thread, and
/// dropped before its connection is, but never from within `receive`.
package class GraphStream {
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

    /// Of the shim: makes a stream of one kind.
    typealias Create = (
        OpaquePointer, UnsafePointer<cpw_stream_options>, OpaquePointer, UnsafePointer<cpw_stream_events>,
        UnsafeMutableRawPointer, UnsafeMutablePointer<Int32>
    ) -> OpaquePointer?

    private let object: ShimObject<Status>

    var handle: OpaquePointer { object.handle }

    init(
        on connection: Connection, ring: FrameRing, rate: Int, active: Bool, properties: [(String, String)],
        receive: @escaping (Status) -> Void, create: Create
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .creatingStream, receive: receive, destroy: { cpw_stream_destroy($0) }
        ) { user, code in
            withProperties(properties) { list, count in
                var options = cpw_stream_options(
                    rate: UInt32(clamping: rate), channels: UInt32(ring.channels), start_active: active,
                    properties: list, property_count: count)
                var events = GraphStream.events
                return create(connection.handle, &options, ring.handle, &events, user, &code)
            }
        }
    }

    private static let events = cpw_stream_events(
        state: { user, state, node, message in
            ShimObject.deliver(user, Status(shim: state, node: node, message: message))
        })

    /// Closed: from the next cycle on nothing is read from the ring, and silence played; or what comes is thrown away.
    package func setGate(closed: Bool) { cpw_stream_set_gate(handle, closed) }

    /// From now on the gate closes by itself when one of these nodes goes, before `receive` or anybody else hears of it.
    package func setGateTriggers(_ nodes: [ObjectID]) {
        nodes.map(\.rawValue).withUnsafeBufferPointer { ids in
            cpw_stream_set_gate_triggers(handle, ids.baseAddress, ids.count)
        }
    }

    package func setProperties(_ properties: [(String, String)]) {
        withProperties(properties) { list, count in
            guard let list else { return }
            _ = cpw_stream_set_properties(handle, list, count)
        }
    }

    var shimReport: cpw_stream_report {
        var report = cpw_stream_report()
        cpw_stream_get_report(handle, &report)
        return report
    }
}

/// What the real-time thread last did; each figure for itself is exact, together they may be of two cycles.
protocol GraphStreamReport {
    var cycles: UInt64 { get set }
    var frames: UInt64 { get set }
    var gateEventTime: MonotonicTime? { get set }
    var gateTime: MonotonicTime? { get set }
    var quantum: Int { get set }
    var graphRate: Int { get set }
    var delay: Duration { get set }
}

extension GraphStreamReport {
    mutating func note(_ report: cpw_stream_report) {
        cycles = report.cycles
        frames = report.frames
        gateEventTime = .init(shim: report.gate_event_time)
        gateTime = .init(shim: report.gate_time)
        quantum = Int(report.quantum)
        graphRate = Int(report.rate)
        delay = .nanoseconds(report.delay_ns)
    }
}

extension GraphStream.Status {
    init(shim state: cpw_stream_state, node: UInt32, message: UnsafePointer<CChar>?) {
        self.init(
            state: GraphStream.State(state), node: node == .max ? nil : ObjectID(node),
            message: message.map { String(cString: $0) })
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
    /// `nil` where the shim says "never".
    init?(shim nanoseconds: UInt64) {
        guard nanoseconds != 0 else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
