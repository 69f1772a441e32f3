public import AudioSessionCore
import PipeWireGraph

/// The audio objects of a computer's PipeWire, read from a file.
///
/// The initializer reads the output of `pw-dump`, and objects assembled from quotes in bug reports.
/// Any part may be missing or written as text. Tests and the analysis of reports use such a file in
/// place of the original computer.
///
///     let dump = try PipeWireDump(json: bytes)
///     for port in dump.ports { print(port) }
public struct PipeWireDump: Sendable {
    /// The graph that decoding the same objects of a running PipeWire would produce.
    package let graph: AudioGraph

    /// Every port of the computer, in a stable order.
    ///
    /// The list first contains one port for each node that is a port, with its active device route.
    /// One port for each other device route of each card follows.
    public let ports: [Port]

    /// Reads a dump from JSON or from PipeWire's relaxed variant of JSON.
    ///
    /// Objects that cannot be interpreted are omitted.
    ///
    /// - Parameter json: the bytes of the file: a list of objects, or an object that contains the
    ///   list as `objects`.
    /// - Throws: ``PipeWireDumpError`` if the bytes are not JSON or contain no list of objects.
    public init(json: some Sequence<UInt8>) throws(PipeWireDumpError) {
        let objects = try Self.objects(in: Self.value(in: Array(json)))
        var reader = DumpReader()
        for object in objects { try reader.read(object) }
        graph = reader.finish()
        ports = DumpPorts(graph).all
    }

    /// Parses the bytes without the byte order mark that some editors add.
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
        guard case .array(let list) = objects else { throw .notADump(reason: "“objects” is not a list") }
        return list
    }
}

extension PipeWireDump {
    /// One port of the computer on which the dump was made.
    public struct Port: Sendable, Hashable {
        /// `node.name` of the port's node, or its description without a name. `nil` if no node can
        /// use the port.
        public let node: String?
        /// `device.name` of the port's card.
        public let device: String?
        /// Name of the card's device route.
        public let route: String?
        /// Whether the port is an input or an output.
        public let direction: PortDirection
        /// Whether the port is in use: it has a node, and its device route is active for that node.
        public let active: Bool
        /// The type of the port.
        public let type: PortType
        /// A human-readable name of the port.
        public let name: String
        /// An identifier that is stable across re-plugging and reboots, as far as the dump's data
        /// allows.
        public let uid: String
        /// Whether the data is also consistent with another type.
        public let uncertain: Bool
        /// The reason for the port's type, as one human-readable sentence.
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

    /// Encodes the port with all keys; unknown values are null.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: the encoder's error.
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
    /// Formats the port as one line of text, such as
    /// `* output headphones “Headphones” [alsa_card.pci-…/analog-output-headphones] why`.
    ///
    /// An asterisk marks a port in use. A question mark marks an uncertain type.
    public var description: String {
        "\(active ? "*" : " ") \(direction.rawValue) \(type.rawValue)\(uncertain ? "?" : "") “\(name)” [\(uid)] \(why)"
    }
}
