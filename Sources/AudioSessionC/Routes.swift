import AudioSessionCore
public import CAudioSession
import Glibc

/// A port that C programs can read for as long as it lasts.
final class Port: Sendable {
    private let words: [Word?]
    private let address: UInt

    init(_ port: PortDescription) {
        let texts: [String?] = [
            port.name, port.uid, port.typeReason, port.channels.joined(separator: ","), port.nodeName,
            port.deviceName,
            port.routeName,
        ]
        words = texts.map { $0.map(Word.init) }
        let pointer = UnsafeMutablePointer<as_port>.allocate(capacity: 1)
        pointer.initialize(
            to: as_port(
                size: UInt32(MemoryLayout<as_port>.size), type: as_port_type(port.type),
                direction: port.direction == .output ? AS_DIRECTION_OUTPUT : AS_DIRECTION_INPUT,
                is_uncertain: port.isUncertain, name: words[0]?.pointer, uid: words[1]?.pointer,
                hint: port.hint.map(as_port_type.init) ?? AS_PORT_UNKNOWN, is_through_filter: port.isThroughFilter,
                needs_profile_change: port.needsProfileChange, type_reason: words[2]?.pointer,
                channels: words[3]?.pointer, node_name: words[4]?.pointer, device_name: words[5]?.pointer,
                route_name: words[6]?.pointer))
        address = UInt(bitPattern: pointer)
    }

    deinit { UnsafeMutablePointer<as_port>(bitPattern: address)?.deallocate() }

    var pointer: UnsafePointer<as_port>? { UnsafePointer(bitPattern: address) }
}

/// A route whose ports C programs can read for as long as it lasts.
final class Route: Sendable {
    private let outputs: [Port]
    private let inputs: [Port]

    init(_ route: RouteDescription) {
        outputs = route.outputs.map(Port.init)
        inputs = route.inputs.map(Port.init)
    }

    private func ports(_ direction: as_direction) -> [Port] {
        switch direction {
        case AS_DIRECTION_OUTPUT: outputs
        case AS_DIRECTION_INPUT: inputs
        default: []
        }
    }

    func count(_ direction: as_direction) -> Int { ports(direction).count }

    func port(_ direction: as_direction, _ index: UInt32) throws(Failure) -> Port {
        let ports = ports(direction)
        guard index < ports.count else {
            throw .badParam(
                "The index \(index) is out of range: the route has \(ports.count) ports in this direction.")
        }
        return ports[Int(index)]
    }
}

/// A string that stays where it is. It ends at a zero byte, which no name has.
final class Word: Sendable {
    private let address: UInt

    init(_ text: String) { address = UInt(bitPattern: strdup(text)) }

    deinit { free(UnsafeMutableRawPointer(bitPattern: address)) }

    var pointer: UnsafePointer<CChar>? { UnsafePointer(bitPattern: address) }
}

@c @implementation
public func as_route_count(_ route: OpaquePointer?, _ direction: as_direction) -> UInt32 {
    count(route, Route.self) { $0.count(direction) }
}

@c @implementation
public func as_route_port(
    _ route: OpaquePointer?, _ direction: as_direction, _ index: UInt32, _ port: UnsafeMutablePointer<as_port>?
) -> as_status {
    answer {
        let route = try Handles.all.find(route, Route.self)
        let found = try route.port(direction, index)
        guard let value = found.pointer?.pointee else { return }
        try write(value, to: port, first: MemoryLayout<as_port>.offset(of: \.hint) ?? 32)
    }
}

@c @implementation
public func as_route_copy(_ route: OpaquePointer?, _ copy: UnsafeMutablePointer<OpaquePointer?>?) -> as_status {
    copy?.pointee = nil
    return answer {
        try give(copy, "copy") { try Handles.all.find(route, Route.self) }
    }
}

@c @implementation
public func as_route_free(_ route: OpaquePointer?) -> as_status {
    guard route != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(route, Route.self) }
}
