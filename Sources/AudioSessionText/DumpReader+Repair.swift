import AudioSessionCore
import PipeWireGraph

// A running PipeWire states the class and the owner of every object. Quoted text often omits
// them. This extension infers the missing links from names and from overlapping tool output.
extension DumpReader {
    mutating func repair() {
        assignIDs()
        replaceMonitors()
        for index in nodes.indices {
            if nodes[index].properties[.mediaClass] == nil, let mediaClass = mediaClass(of: nodes[index]) {
                nodes[index].properties[.mediaClass] = mediaClass.rawValue
            }
            if let device = device(of: nodes[index]) { nodes[index].properties[.deviceID] = device.description }
        }
        shareCardProperties()
    }

    /// Numbers all objects, and changes the references between them to the new numbers.
    private mutating func assignIDs() {
        var ids = DumpIDs()
        var deviceIDs: [ObjectID: ObjectID] = [:]
        for index in devices.indices {
            let id = ids.take(devices[index].wantedID)
            devices[index].id = id
            devices[index].device.id = id
            if let wanted = devices[index].wantedID { deviceIDs[wanted] = deviceIDs[wanted] ?? id }
        }
        var nodeIDs: [ObjectID: ObjectID] = [:]
        for index in nodes.indices {
            let id = ids.take(nodes[index].wantedID)
            nodes[index].id = id
            if let wanted = nodes[index].wantedID { nodeIDs[wanted] = nodeIDs[wanted] ?? id }
            if let device = nodes[index].properties.objectID(.deviceID).flatMap({ deviceIDs[$0] }) {
                nodes[index].properties[.deviceID] = device.description
            }
        }
        for index in links.indices {
            let link = links[index].link
            links[index].link = Link(
                id: ids.take(links[index].wantedID), outputNode: nodeIDs[link.outputNode] ?? link.outputNode,
                inputNode: nodeIDs[link.inputNode] ?? link.inputNode)
        }
    }

    /// Replaces the monitor sources of PulseAudio's view. A monitor stands for its sink unless the
    /// dump contains that sink.
    private mutating func replaceMonitors() {
        let suffix = ".monitor"
        let names = Set(nodes.compactMap { $0.properties[.nodeName] })
        nodes = nodes.compactMap { node in
            let name = node.properties[.nodeName] ?? ""
            guard name.hasSuffix(suffix) || node.raw["device.class"]?.text == "monitor" else { return node }
            let sink = String(name.dropLast(suffix.count))
            guard name.hasSuffix(suffix), !names.contains(sink) else { return nil }
            var node = node
            node.properties[.nodeName] = sink
            node.properties[.nodeDescription] = node.properties[.nodeDescription]?.replacing("Monitor of ", with: "")
            node.properties[.mediaClass] = MediaClass.sink.rawValue
            return node
        }
    }

    /// Copies card properties from a node to its card if the card has none. Text tools print them
    /// with the node.
    private mutating func shareCardProperties() {
        let keys: [PropertyKey] = [
            .deviceAPI, .deviceBus, .deviceFormFactor, .alsaDriverName, .alsaCardName, .alsaCardID, .bluezAddress,
        ]
        for index in devices.indices {
            let own = nodes.filter { $0.properties.objectID(.deviceID) == devices[index].id }
            for key in keys where devices[index].device.properties[key] == nil {
                devices[index].device.properties[key] = own.lazy.compactMap { $0.properties[key] }.first
            }
        }
    }
}

// MARK: - Which device

extension DumpReader {
    private func device(of node: DumpNode) -> ObjectID? {
        if let id = node.properties.objectID(.deviceID), devices.contains(where: { $0.id == id }) { return id }
        let matches: [(DumpNode, DumpDevice) -> Bool] = [isShownWith, isNamedAfter, isOfSameCard]
        for matches in matches {
            if let device = devices.first(where: { matches(node, $0) }) { return device.id }
        }
        return isNameless(node) ? deviceByDescription(node) : nil
    }

    /// Whether the reader created the card for the excerpt of this sink or source. Sinks and
    /// sources are numbered separately.
    private func isShownWith(_ node: DumpNode, _ device: DumpDevice) -> Bool {
        guard let label = node.label, device.label == "card-of-\(label)" else { return false }
        let routes = device.device.routes + device.device.activeRoutes
        let directions = node.properties[.mediaClass].flatMap(MediaClass.init)?.directions ?? []
        return routes.isEmpty || routes.contains { directions.contains($0.direction) }
    }

    /// Whether the names match: `alsa_output.X.profile` belongs to `alsa_card.X`.
    private func isNamedAfter(_ node: DumpNode, _ device: DumpDevice) -> Bool {
        guard let node = node.properties[.nodeName]?.afterNamespace, let device = device.device.name?.afterNamespace
        else { return false }
        return !device.isEmpty && (node == device || node.hasPrefix(device + "."))
    }

    private func isOfSameCard(_ node: DumpNode, _ device: DumpDevice) -> Bool {
        guard let card = node.raw["alsa.card"]?.text, node.properties[.deviceID] == nil else { return false }
        return (device.raw["alsa.card"] ?? device.raw["api.alsa.card"])?.text == card
    }

    private func isNameless(_ node: DumpNode) -> Bool {
        node.properties[.nodeName] == nil && node.properties[.deviceID] == nil
    }

    /// Finds the card whose description begins the node's description. The rest names the node's
    /// part.
    private func deviceByDescription(_ node: DumpNode) -> ObjectID? {
        guard let text = node.properties[.nodeDescription] else { return nil }
        let matching = devices.filter { device in
            guard let description = device.device.properties[.deviceDescription] else { return false }
            return text == description || text.hasPrefix(description + " ")
        }
        func length(_ device: DumpDevice) -> Int { device.device.properties[.deviceDescription]?.count ?? 0 }
        return matching.max { length($0) < length($1) }?.id
    }
}

extension String {
    fileprivate var afterNamespace: String? {
        for prefix in ["alsa_output.", "alsa_input.", "alsa_card.", "bluez_output.", "bluez_input.", "bluez_card."] {
            if hasPrefix(prefix) { return String(dropFirst(prefix.count)) }
        }
        return nil
    }
}

// MARK: - Which class

extension DumpReader {
    private func mediaClass(of node: DumpNode) -> MediaClass? {
        switch node.raw["pactl.object"]?.text?.lowercased() {
        case "sink": return .sink
        case "source": return .source
        default: return classByFactory(node) ?? classByName(node) ?? classByStream(node) ?? classOfDefault(node)
        }
    }

    private func classByFactory(_ node: DumpNode) -> MediaClass? {
        let factory = node.properties[.factoryName] ?? ""
        if factory.hasSuffix(".sink") || factory == "support.null-audio-sink" { return .sink }
        return factory.hasSuffix(".source") ? .source : nil
    }

    private func classByName(_ node: DumpNode) -> MediaClass? {
        let name = node.properties[.nodeName] ?? ""
        let sinks = ["alsa_output.", "bluez_output.", "bluez_sink.", "raop_", "raop-"]
        if sinks.contains(where: name.hasPrefix) { return .sink }
        if ["alsa_input.", "bluez_input.", "bluez_source."].contains(where: name.hasPrefix) { return .source }
        let words = PortNameMatcher(name)
        return words.contains("sink") ? .sink : words.contains("source") ? .source : nil
    }

    private func classByStream(_ node: DumpNode) -> MediaClass? {
        let path = node.properties[.objectPath] ?? ""
        let stream = node.raw["api.alsa.pcm.stream"]?.text ?? String(path.split(separator: ":").last ?? "")
        if stream == "playback" { return .sink }
        if stream == "capture" { return .source }
        let names = [node.properties[.alsaID], node.properties[.alsaName]].compactMap(\.self)
        return names.contains { PortNameMatcher($0).contains("hdmi") } ? .sink : nil
    }

    /// The class of a node that `wpctl status` marks with an asterisk. Of two defaults, the one
    /// that is not the source is the sink.
    private func classOfDefault(_ node: DumpNode) -> MediaClass? {
        guard node.isMarkedDefault else { return nil }
        let hasSink = nodes.contains { other in
            other.isMarkedDefault && other.properties[.mediaClass] == MediaClass.sink.rawValue
        }
        return hasSink ? .source : .sink
    }
}
