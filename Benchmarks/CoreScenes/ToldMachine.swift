import AudioSessionCore
import CPipeWireShim
import CorePods
import PipeWireGraph

/// The same computer with PipeWire's callbacks: bytes are read and texts decoded first.
package final class ToldMachine {
    private var machine: Machine
    private let plugged = core_pods_create(true)
    private let pulled = core_pods_create(false)
    private var last: UInt32 = 1_000_000
    private lazy var decoder = GraphDecoder(receive: { [unowned self] in machine.send($0) }, failed: { _ in })

    package init(streams: Int) { machine = Machine(streams: streams) }

    package func sinkComesAndGoes() {
        last += 1
        withCallbacks { events, user in core_pods_tell_sink(events, user, last) }
        machine.send(.barrier(.routes))
        withCallbacks { events, user in events.pointee.global_removed(user, last) }
        machine.send(.barrier(.routes))
    }

    package func jackIsPluggedAndPulled() {
        for pods in [plugged, pulled] {
            guard let pods else { continue }
            withCallbacks { events, user in core_pods_tell(pods, events, user, Card.id.rawValue) }
            machine.send(.barrier(.routes))
        }
    }

    private func withCallbacks(
        _ body: (UnsafePointer<cpw_connection_events>, UnsafeMutableRawPointer) -> Void
    ) {
        withUnsafePointer(to: GraphDecoder.events) { body($0, Unmanaged.passUnretained(decoder).toOpaque()) }
    }
}
