import AudioSessionCore
import PipeWireGraph

/// Builds a graph from the objects of a dump.
///
/// Objects are collected first, because the links of an excerpt can only be resolved once all
/// objects are known.
struct DumpReader {
    var nodes: [DumpNode] = []
    var devices: [DumpDevice] = []
    var links: [DumpLink] = []
    private var defaults: [String: String] = [:]
    private var clock = ClockSettings()
    private var isSilentMode = false

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
        case .link: if let link = DumpLink(object) { links.append(link) }
        case .metadata: readMetadata(object)
        case nil: break
        }
    }

    mutating func finish() -> AudioGraph {
        repair()
        var graph = AudioGraph()
        for device in devices { graph.devices[device.id] = device.device }
        for node in nodes {
            graph.nodes[node.id] = Node(id: node.id, properties: node.properties)
            if node.isRunning { graph.runningNodes.insert(node.id) }
            if node.isMuted { graph.mutedNodes.insert(node.id) }
            if !node.volumes.isEmpty { graph.volumes[node.id] = node.volumes }
        }
        for link in links { graph.links[link.link.id] = link.link }
        graph.defaultSinkName = defaults["default.audio.sink"] ?? markedDefault(.output)
        graph.defaultSourceName = defaults["default.audio.source"] ?? markedDefault(.input)
        graph.configuredSinkName = defaults["default.configured.audio.sink"]
        graph.configuredSourceName = defaults["default.configured.audio.source"]
        graph.clock = clock
        graph.isSilentMode = isSilentMode
        return graph
    }

    private mutating func readMetadata(_ object: JSONValue) {
        let name = (object["props"] ?? object["info"]?["props"])?["metadata.name"]?.text
        // Entries with another subject concern one object, such as a stream's target.
        for entry in object["metadata"]?.elements ?? [] where (entry["subject"]?.integer ?? 0) == 0 {
            guard let key = entry["key"]?.text, let value = entry["value"] else { continue }
            switch name {
            case nil, "default": readDefault(key, value)
            case "settings": readSetting(key, value)
            default: return
            }
        }
    }

    /// Reads a default, which is JSON, or a string that contains JSON, as some tools write it.
    private mutating func readDefault(_ key: String, _ value: JSONValue) {
        let parsed = value.text.flatMap { try? JSONReader.value(in: Array($0.utf8)) } ?? value
        defaults[key] = (parsed["name"] ?? value["name"])?.text
    }

    private mutating func readSetting(_ key: String, _ value: JSONValue) {
        if key == SilentMode.key {
            isSilentMode = SilentMode.isOn(value.text)
        } else {
            _ = clock.set(key, value.text)
        }
    }

    private func markedDefault(_ direction: PortDirection) -> String? {
        let marked = nodes.first { node in
            node.isMarkedDefault
                && MediaClass(rawValue: node.properties[.mediaClass] ?? "")?.directions == [direction]
        }
        return marked.flatMap { $0.properties[.nodeName] ?? $0.properties[.nodeDescription] }
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
///
/// All kinds of objects share one numbering, as in PipeWire. An excerpt may number each kind
/// separately.
struct DumpIDs {
    /// All numbers are below this one, because a fake system numbers its own objects from here on.
    /// It exceeds ``DumpReader/objectLimit`` and ``DumpReader/linkLimit`` together.
    static let limit: UInt32 = 100_000

    private var taken: Set<ObjectID> = []
    private var next = Self.limit - 1

    mutating func take(_ wanted: ObjectID?) -> ObjectID {
        guard let wanted, wanted.rawValue < Self.limit, taken.insert(wanted).inserted else { return unused() }
        return wanted
    }

    private mutating func unused() -> ObjectID {
        while !taken.insert(ObjectID(next)).inserted { next -= 1 }
        return ObjectID(next)
    }
}
