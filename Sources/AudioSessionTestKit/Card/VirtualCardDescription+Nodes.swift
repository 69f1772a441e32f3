import AudioSessionCore

extension VirtualCardDescription {
    /// The properties with which a node is created.
    func nodeProperties(_ index: Int, device: ObjectID) -> [(String, String)] {
        let node = nodes[index]
        let isSink = node.direction == .output
        var properties = node.properties
        properties["node.name"] = node.name
        properties["node.description"] = node.description
        properties["media.class"] = isSink ? "Audio/Sink" : "Audio/Source"
        // A sink uses PipeWire's factory; a source is a stream of this process.
        if isSink { properties["factory.name"] = "support.null-audio-sink" }
        properties["device.id"] = String(device.rawValue)
        properties["card.profile.device"] = String(node.number)
        properties["device.routes"] = String(routes.count { $0.nodes.contains(node.id) })
        properties["audio.position"] = node.position
        properties["priority.session"] = String(node.priority)
        properties["priority.driver"] = String(node.priority)
        // As on real cards, silence follows the last sound. The clock does not stop.
        properties["node.pause-on-idle"] = "false"
        return properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension VirtualCardDescription.Node {
    /// The value of `audio.position` that cards with this number of channels have.
    fileprivate var position: String {
        channels == 1
            ? "MONO" : ["FL", "FR", "RL", "RR", "FC", "LFE", "SL", "SR"].prefix(channels).joined(separator: ",")
    }
}
