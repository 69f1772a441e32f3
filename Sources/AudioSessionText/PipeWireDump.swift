public import AudioSessionCore
import PipeWireGraph

/// What PipeWire knew of a machine's audio when its objects were written to a file.
///
/// Reads the output of `pw-dump`, and the same objects put together from what people quote in bug reports: any part may
/// be missing or written as text. Such a file takes the place of the machine in tests and when a report is looked into.
///
///     let dump = try PipeWireDump(json: bytes)
///     for port in dump.ports { print(port) }
public struct PipeWireDump: Sendable {
    /// The same values that a running PipeWire is decoded to.
    package let graph: AudioGraph

    /// Every port of the machine: first one for each node that is a port, with the route in use, then one for each
    /// other route of each card, in a stable order.
    public let ports: [Port]

    /// - Parameter json: the bytes of the file: a list of objects, or an object that has them as `objects`, in JSON or in
    ///   PipeWire's relaxed form of it.
    /// - Throws: ``PipeWireDumpError``, if the bytes are not JSON or hold no list of objects. Objects of which nothing is
    ///   understood are left out.
    public init(json: some Sequence<UInt8>) throws(PipeWireDumpError) {
        let objects = try Self.objects(in: Self.value(in: Array(json)))
        var reader = DumpReader()
        for object in objects { try reader.read(object) }
        graph = reader.finish()
        ports = DumpPorts(graph).all
    }

    /// Skips the byte order mark that some editors put in front.
    private static func value(in bytes: [UInt8]) throws(PipeWireDumpError) -> JSONValue {
        let mark = "\u{feff}".utf8
        do {
            return try JSONReader.value(in: bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
        } catch {
            throw .malformed(reason: error.reason, line: error.line, column: error.column)
        }
    }

    private static func objects(in value: JSONValue) throws(PipeWireDumpError) -> [JSONValue] {
        if case .array(let objects) = value { return objects }
        guard let objects = value["objects"] else {
            throw .notADump(reason: "it is neither a list nor an object with the key “objects”")
        }
        guard case .array(let list) = objects else { throw .notADump(reason: "“objects” is no list") }
        return list
    }
}

extension PipeWireDump {
    /// One port of the machine that the dump was made on.
    public struct Port: Sendable, Hashable {
        /// `node.name` of the node that leads to the port, else its description; `nil` if no node could.
        public let node: String?
        /// `device.name` of the card.
        public let device: String?
        /// Name of the card's route.
        public let route: String?
        /// Whether it is to play to, or to record from.
        public let direction: PortDirection
        /// Whether the port is in use: it has a node, and the route is the node's active one.
        public let active: Bool
        /// What kind of port it is.
        public let type: PortType
        /// A name for people.
        public let name: String
        /// Names the port across re-plugging and reboots, as far as the dump's data allows.
        public let uid: String
        /// Whether the data allows for another type as well.
        public let uncertain: Bool
        /// Why the port has its type, in one sentence for people.
        public let why: String

        init(_ port: PortDescription, active: Bool) {
            node = port.nodeName
            device = port.deviceName
            route = port.routeName
            direction = port.direction
            self.active = active
            type = port.type
            name = port.name
            uid = port.uid
            uncertain = port.isUncertain
            why = port.typeReason
        }
    }
}

extension PipeWireDump.Port: Encodable {
    private enum CodingKeys: String, CodingKey {
        case node, device, route, direction, active, type, name, uid, uncertain, why
    }

    /// All keys are always there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(node, forKey: .node)
        try container.encode(device, forKey: .device)
        try container.encode(route, forKey: .route)
        try container.encode(direction.rawValue, forKey: .direction)
        try container.encode(active, forKey: .active)
        try container.encode(type.rawValue, forKey: .type)
        try container.encode(name, forKey: .name)
        try container.encode(uid, forKey: .uid)
        try container.encode(uncertain, forKey: .uncertain)
        try container.encode(why, forKey: .why)
    }
}

extension PipeWireDump.Port: CustomStringConvertible {
    /// One line: `* output headphones “Headphones” [alsa_card.pci-…/analog-output-headphones] why`, where the asterisk
    /// marks a port in use and a question mark an uncertain type.
    public var description: String {
        "\(active ? "*" : " ") \(direction.rawValue) \(type.rawValue)\(uncertain ? "?" : "") “\(name)” [\(uid)] \(why)"
    }
}
