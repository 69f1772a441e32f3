import AudioSessionCore
public import CAudioSession
import Glibc

/// A route whose words C programs can read for as long as it lasts.
final class Route: Sendable {
    private struct Port {
        let description: PortDescription
        let name: Word
        let uid: Word

        init(_ description: PortDescription) {
            self.description = description
            name = Word(description.name)
            uid = Word(description.uid)
        }
    }

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

    func port(_ direction: as_direction, _ index: UInt32) throws(Failure) -> as_port {
        let ports = ports(direction)
        guard index < ports.count else {
            throw .badParam("The route has \(ports.count) ports there, and none of number \(index).")
        }
        let port = ports[Int(index)]
        return as_port(
            size: UInt32(MemoryLayout<as_port>.size), type: as_port_type(port.description.type), direction: direction,
            is_uncertain: port.description.isUncertain, name: port.name.pointer, uid: port.uid.pointer)
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
    let route = try? Handles.all.find(route, Route.self)
    return UInt32(route?.count(direction) ?? 0)
}

@c @implementation
public func as_route_port(
    _ route: OpaquePointer?, _ direction: as_direction, _ index: UInt32, _ port: UnsafeMutablePointer<as_port>?
) -> as_status {
    answer {
        let route = try Handles.all.find(route, Route.self)
        try write(route.port(direction, index), \.size, to: port)
    }
}

@c @implementation
public func as_route_copy(_ route: OpaquePointer?, _ copy: UnsafeMutablePointer<OpaquePointer?>?) -> as_status {
    copy?.pointee = nil
    return answer {
        guard let copy else { throw Failure.badParam("There is nowhere to write the copy to: it is NULL.") }
        copy.pointee = Handles.all.add(try Handles.all.find(route, Route.self))
    }
}

@c @implementation
public func as_route_free(_ route: OpaquePointer?) -> as_status {
    guard route != nil else { return AS_OK }
    return answer { _ = try Handles.all.take(route, Route.self) }
}
