import AudioSessionCore
import PipeWireGraph

/// Builds a graph from the objects of a dump.
///
/// Objects are collected first, because the links of an excerpt can only be resolved once all
/// objects are known.
struct DumpReader {
    var nodes: [DumpNode] = []
    var devices: [DumpDevice] = []
    private var links: [Link] = []
    private var defaults: [String: String] = [:]

    /// Limit for the number of objects, above that of any real computer. Resolving links is a
    /// search, so the limit bounds its time.
    static let objectLimit = 10_000
    static let linkLimit = 50_000

    mutating func read(_ object: JSONValue) throws(PipeWireDumpError) {
        guard nodes.count + devices.count <= Self.objectLimit, links.count <= Self.linkLimit else {
            throw .notADump(
                reason: "more than \(Self.objectLimit) nodes and devices or \(Self.linkLimit) links")
        }
        switch DumpKind(object) {
        case .node: nodes.append(DumpNode(object))
        case .device: devices.append(DumpDevice(object))
        case .link: if let link = link(object) { links.append(link) }
        case .metadata: readMetadata(object)
        case nil: break
        }
    }

    mutating func finish() -> AudioGraph {
        repair()
        var graph = AudioGraph()
        for device in devices { graph.devices[device.id] = device.device }
        for node in nodes { graph.nodes[node.id] = Node(id: node.id, properties: node.properties) }
        for link in links { graph.links[link.id] = link }
        graph.defaultSinkName = defaults["default.audio.sink"] ?? markedDefault(.output)
        graph.defaultSourceName = defaults["default.audio.source"] ?? markedDefault(.input)
        return graph
    }

    /// Reads metadata whose value is JSON, or a string that contains JSON, as some tools write it.
    private mutating func readMetadata(_ object: JSONValue) {
        let name = (object["props"] ?? object["info"]?["props"])?["metadata.name"]?.text
        guard name == nil || name == "default" else { return }
        for entry in object["metadata"]?.elements ?? [] {
            guard let key = entry["key"]?.text, let value = entry["value"] else { continue }
            let parsed = value.text.flatMap { try? JSONReader.value(in: Array($0.utf8)) } ?? value
            defaults[key] = (parsed["name"] ?? value["name"])?.text
        }
    }

    private func markedDefault(_ direction: PortDirection) -> String? {
        let marked = nodes.first { node in
            node.isMarkedDefault
                && MediaClass(rawValue: node.properties[.mediaClass] ?? "")?.directions == [direction]
        }
        return marked.flatMap { $0.properties[.nodeName] ?? $0.properties[.nodeDescription] }
    }

    /// Reads a link and numbers it by its position, because no other object refers to a link's
    /// number.
    private func link(_ object: JSONValue) -> Link? {
        let info = object["info"] ?? object
        func end(_ name: String, _ key: PropertyKey) -> ObjectID? {
            (info[name]?.integer ?? info["props"]?[key.rawValue]?.integer).flatMap(UInt32.init(exactly:)).map(
                ObjectID.init)
        }
        guard let output = end("output-node-id", .linkOutputNode), let input = end("input-node-id", .linkInputNode)
        else { return nil }
        return Link(id: ObjectID(UInt32(links.count)), outputNode: output, inputNode: input)
    }
}

/// The kinds of objects that describe ports.
private enum DumpKind: String {
    case node = "Node"
    case device = "Device"
    case link = "Link"
    case metadata = "Metadata"

    /// Determines the kind from the type, "PipeWire:Interface:Node" with or without a version
    /// suffix. Without a type, the content decides.
    init?(_ object: JSONValue) {
        if let type = object["type"]?.text {
            guard let last = type.split(separator: ":").last?.split(separator: "/").first,
                let kind = DumpKind(rawValue: String(last))
            else { return nil }
            self = kind
            return
        }
        if object["metadata"] != nil {
            self = .metadata
        } else if object["info"]?["params"]?["EnumRoute"] != nil || object["info"]?["props"]?["device.name"] != nil {
            self = .device
        } else if object["info"]?["props"]?["node.name"] != nil {
            self = .node
        } else {
            return nil
        }
    }
}

/// Assigns numbers to objects that have none or whose number is already taken.
struct DumpIDs {
    private var taken: Set<ObjectID> = []
    private var next: UInt32 = .max - 1

    mutating func take(_ wanted: Int?) -> ObjectID {
        guard let wanted = wanted.flatMap(UInt32.init(exactly:)).map(ObjectID.init), taken.insert(wanted).inserted
        else { return unused() }
        return wanted
    }

    mutating func unused() -> ObjectID {
        while !taken.insert(ObjectID(next)).inserted { next -= 1 }
        return ObjectID(next)
    }
}
