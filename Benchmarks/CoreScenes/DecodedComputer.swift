import AudioSessionCore
import CPipeWireShim
import CorePods
import PipeWireGraph

/// The same computer with PipeWire's callbacks: bytes are read and texts decoded first.
package final class DecodedComputer {
    private var computer: Computer
    private let plugged = core_pods_create(true)
    private let pulled = core_pods_create(false)
    private var last: UInt32 = 1_000_000
    private lazy var decoder = GraphDecoder(receive: { [unowned self] in computer.send($0) }, failed: { _ in })

    package init(streams: Int) { computer = Computer(streams: streams) }

    package func sinkComesAndGoes() {
        last += 1
        withCallbacks { events, user in core_pods_notify_sink(events, user, last) }
        computer.send(.barrier(.routes))
        withCallbacks { events, user in events.pointee.global_removed(user, last) }
        computer.send(.barrier(.routes))
    }

    package func jackIsPluggedAndPulled() {
        for pods in [plugged, pulled] {
            guard let pods else { continue }
            withCallbacks { events, user in core_pods_notify(pods, events, user, Card.id.rawValue) }
            computer.send(.barrier(.routes))
        }
    }

    private func withCallbacks(
        _ body: (UnsafePointer<cpw_connection_events>, UnsafeMutableRawPointer) -> Void
    ) {
        withUnsafePointer(to: GraphDecoder.events) { body($0, Unmanaged.passUnretained(decoder).toOpaque()) }
    }
}
