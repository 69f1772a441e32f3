// These rules classify nodes without a card: receivers in the network, and virtual nodes.
extension PortTyping {
    static func airPlay(_ evidence: PortEvidence) -> PortClassification? {
        if evidence.node?.properties[.sessMedia] == "raop" {
            return PortClassification(.airPlay, why: "an AirPlay receiver (sess.media raop)")
        }
        // The last two are the names of older versions and of PulseAudio.
        guard evidence[.deviceAPI] == nil,
            ["raop_sink.", "raop-sink-", "raop_output."].contains(where: evidence.nodeName.hasPrefix)
        else { return nil }
        return PortClassification(.airPlay, why: "an AirPlay receiver, by the name of its node")
    }

    static func avb(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.isCardless, evidence.nodeName.hasPrefix("avb.") else { return nil }
        return PortClassification(.avb, why: "a node of PipeWire's AVB module")
    }

    static func network(_ evidence: PortEvidence) -> PortClassification? {
        if evidence.node?.properties.flag(.nodeNetwork) ?? false {
            return PortClassification(.network, why: "the node's properties say that it leads into the network")
        }
        let names = ["rtp_session.", "rtp-sink", "rtp-source", "vban_", "roc-s", "tunnel.", "netjack2_"]
        guard evidence.isCardless, names.contains(where: evidence.nodeName.hasPrefix) else { return nil }
        return PortClassification(.network, why: "a network sender or receiver, by the name of its node")
    }

    static func virtual(_ evidence: PortEvidence) -> PortClassification? {
        guard let node = evidence.node, evidence.device == nil, node.deviceID == nil, !evidence.isOnCard
        else { return nil }
        if node.properties[.nodeLinkGroup] != nil {
            return PortClassification(.virtual, why: "a filter that leads to no single device")
        }
        if isKnownToBeVirtual(node) {
            return PortClassification(.virtual, why: "exists in software only; it belongs to no device")
        }
        return PortClassification(.virtual, isUncertain: true, why: "no device is known for it")
    }

    /// Whether a node is certainly virtual. A node of a running PipeWire has a factory or a client.
    /// Without both, the data is an excerpt, and only the node's name can be read.
    private static func isKnownToBeVirtual(_ node: Node) -> Bool {
        let signs: [PropertyKey] = [.factoryName, .clientID]
        if node.properties.flag(.nodeVirtual) || signs.contains(where: { node.properties[$0] != nil }) { return true }
        let words = PortNameMatcher((node.name ?? "") + " " + (node.properties[.nodeDescription] ?? ""))
        return ["virtual", "easyeffects", "null", "combine", "loopback", "echo cancel", "rnnoise", "remap"]
            .contains(where: words.contains)
    }
}
