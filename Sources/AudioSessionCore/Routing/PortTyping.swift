/// Tells what kind of port something is: the decision table, in which the first rule that answers wins.
///
/// Two lines of the table need more of the graph than one port and stand before this one: what is no port at all, and
/// which hardware is behind a filter; see ``AudioGraph/port(for:direction:)``.
package enum PortTyping {
    package static func classify(_ evidence: PortEvidence) -> PortClassification {
        table.decide(evidence)
            ?? PortClassification(.unknown, isUncertain: true, why: "nothing in the data tells what this is")
    }

    /// The bus stands before the route's own kind: a USB converter whose mixer has a speaker is no built-in speaker.
    package static let table: [PortRule] = [
        PortRule("AirPlay", airPlay),
        PortRule("Bluetooth") { $0.isBluetooth ? bluetooth.decide($0) : nil },
        PortRule("FireWire", fireWire),
        PortRule("AVB", avb),
        PortRule("network", network),
        PortRule("loopback card", loopbackCard),
        PortRule("USB", usb),
        PortRule("described as USB", describedAsUSB),
        PortRule("card output") { $0.isTypedByRoute(.output) ? markAssumed(outputs.decide($0), $0) : nil },
        PortRule("card input") { $0.isTypedByRoute(.input) ? markAssumed(inputs.decide($0), $0) : nil },
        PortRule("virtual", virtual),
    ]

    private static func markAssumed(_ answer: PortClassification?, _ evidence: PortEvidence) -> PortClassification? {
        guard var answer, evidence.isRouteAssumed else { return answer }
        answer.isUncertain = true
        answer.why += "; the card does not say which of its routes is active"
        return answer
    }
}

extension PortEvidence {
    /// Whether the rules for sound cards apply. Words for people are all that some tools show of a node.
    fileprivate func isTypedByRoute(_ direction: PortDirection) -> Bool {
        guard self.direction == direction else { return false }
        return isOnCard || (isDescribedOnly && !isDescribedAsVirtual)
    }

    var isDescribedAsVirtual: Bool { PortWords(node?.properties[.nodeDescription] ?? "").contains("virtual") }
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
        return isLoopback ? PortClassification(.virtual, why: "a card of the kernel that leads to no hardware") : nil
    }

    private static func usb(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.bus == .usb || evidence[.alsaDriverName] == "snd_usb_audio" else { return nil }
        let shape = evidence[.deviceFormFactor].map { ", form factor \($0)" } ?? ""
        return PortClassification(.usbAudio, hint: hint(evidence), why: "on the USB bus" + shape)
    }

    private static func describedAsUSB(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence.isDescribedOnly, PortWords(evidence.node?.properties[.nodeDescription] ?? "").contains("usb")
        else { return nil }
        return PortClassification(
            .usbAudio, isUncertain: true, why: "its description says USB; no other data is there")
    }

    /// The form factor comes from the product's name and so stands before the route, which is the mixer's view.
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
