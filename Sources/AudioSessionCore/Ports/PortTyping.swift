/// The decision table for the type of a port. The first rule that answers decides.
///
/// Two decisions need more of the graph than one port and precede the table: which nodes are no
/// port, and which hardware is behind a filter. See ``AudioGraph/port(for:direction:)``.
package enum PortTyping {
    package static func classify(_ evidence: PortEvidence) -> PortClassification {
        decide(table, evidence)
            ?? PortClassification(.unknown, isUncertain: true, why: "the data does not reveal the type")
    }

    /// The rules in order. The bus precedes the route's own kind, because a USB converter whose
    /// mixer has a speaker is not a built-in speaker.
    private static let table: [PortRule] = [
        airPlay,
        { $0.isBluetooth ? decide(bluetooth, $0) : nil },
        fireWire, avb, network, loopbackCard, usb, describedAsUSB,
        { $0.isTypedByRoute(.output) ? markAssumed(decide(outputs, $0), $0) : nil },
        { $0.isTypedByRoute(.input) ? markAssumed(decide(inputs, $0), $0) : nil },
        virtual,
    ]

    private static func decide(_ rules: [PortRule], _ evidence: PortEvidence) -> PortClassification? {
        for rule in rules {
            if let answer = rule(evidence) { return answer }
        }
        return nil
    }

    private static func markAssumed(_ answer: PortClassification?, _ evidence: PortEvidence) -> PortClassification? {
        guard var answer, evidence.isRouteAssumed else { return answer }
        answer.isUncertain = true
        answer.why += "; the card does not say which of its routes is active"
        return answer
    }
}

extension PortEvidence {
    /// Whether the rules for sound cards apply. Some tools show only a node's description.
    fileprivate func isTypedByRoute(_ direction: PortDirection) -> Bool {
        guard self.direction == direction else { return false }
        return isOnCard || (isDescribedOnly && !isDescribedAsVirtual)
    }

    var isDescribedAsVirtual: Bool { PortNameMatcher(node?.properties[.nodeDescription] ?? "").contains("virtual") }
}

// MARK: - Buses

extension PortTyping {
    private static let fireWireDrivers: Set<String> = [
        "snd_bebob", "snd_dice", "snd_fireworks", "snd_oxfw", "snd_firewire_digi00x", "snd_firewire_motu",
        "snd_fireface", "snd_firewire_tascam", "snd_isight",
    ]

    private static func fireWire(_ evidence: PortEvidence) -> PortClassification? {
        if evidence.nodeName.hasPrefix("ffado_") {
            return PortClassification(.fireWire, why: "a node of the FireWire driver ffado")
        }
        if evidence.bus == .firewire { return PortClassification(.fireWire, why: "on the FireWire bus") }
        guard let driver = evidence[.alsaDriverName], fireWireDrivers.contains(driver) else { return nil }
        return PortClassification(.fireWire, why: "a card of the FireWire driver \(driver)")
    }

    private static let loopbackDrivers = ["snd_aloop", "snd_dummy"]
    private static let loopbackPlaces = loopbackDrivers.map { "platform-\($0)" }
    private static let loopbackNames = ["Loopback", "Dummy"]
    private static let loopbackKeys: [PropertyKey] = [.alsaCardID, .alsaCardName, .alsaID]

    private static func loopbackCard(_ evidence: PortEvidence) -> PortClassification? {
        let isLoopback =
            evidence[.alsaDriverName].map(loopbackDrivers.contains) ?? false
            || loopbackKeys.contains { evidence[$0].map(loopbackNames.contains) ?? false }
            || loopbackPlaces.contains { evidence[.deviceName]?.holds($0) ?? false || evidence.nodeName.holds($0) }
        return isLoopback ? PortClassification(.virtual, why: "a virtual card of the kernel, without hardware") : nil
    }

    private static func usb(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.bus == .usb || evidence[.alsaDriverName] == "snd_usb_audio" else { return nil }
        let shape = evidence[.deviceFormFactor].map { ", form factor \($0)" } ?? ""
        return PortClassification(.usbAudio, hint: hint(evidence), why: "on the USB bus" + shape)
    }

    private static func describedAsUSB(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.isDescribedOnly,
            PortNameMatcher(evidence.node?.properties[.nodeDescription] ?? "").contains("usb")
        else { return nil }
        return PortClassification(
            .usbAudio, isUncertain: true, why: "its description says USB, and no other data is known")
    }

    /// Returns the probable device on a USB bus. The form factor is derived from the product's
    /// name, so it precedes the route, which describes the mixer.
    private static func hint(_ evidence: PortEvidence) -> PortType? {
        hint(evidence[.deviceFormFactor] ?? "", evidence.direction)
            ?? hint(evidence.kind?.rawValue ?? "", evidence.direction)
    }

    private static func hint(_ word: String, _ direction: PortDirection) -> PortType? {
        switch (word, direction) {
        case ("headphone", .output), ("headphones", .output), ("headset", .output): .headphones
        case ("line", .output), ("spdif", .output): .lineOut
        case ("hdmi", .output): .hdmi
        case ("headset", .input), ("mic", .input), ("microphone", .input), ("webcam", .input): .headsetMic
        case ("line", .input), ("spdif", .input): .lineIn
        default: nil
        }
    }
}
