// The profile of a Bluetooth device determines the type, the route only the form of the device.
extension PortTyping {
    static let bluetooth: [PortRule] = [handsFree, lowEnergy, car, musicProfile, byCodec, byShape]

    /// The call profile precedes the car: a car kit in a call has type HFP.
    private static func handsFree(_ evidence: PortEvidence) -> PortClassification? {
        if let profile = evidence.bluetoothProfile, ["headset", "handsfree"].contains(where: profile.hasPrefix) {
            return PortClassification(.bluetoothHFP, why: "Bluetooth profile \(profile)")
        }
        if evidence.node?.properties[.factoryName]?.holds(".sco.") ?? false {
            return PortClassification(.bluetoothHFP, why: "a node of Bluetooth's voice link (SCO)")
        }
        if evidence.routeName.holds("-hf-") {
            return PortClassification(.bluetoothHFP, why: "the hands-free route of a Bluetooth device")
        }
        guard evidence.direction == .input, evidence.node?.properties.flag(.bluezLoopback) ?? false else {
            return nil
        }
        return PortClassification(.bluetoothHFP, why: "using this microphone switches the device to hands-free")
    }

    private static func lowEnergy(_ evidence: PortEvidence) -> PortClassification? {
        if let profile = evidence.bluetoothProfile, ["bap", "asha"].contains(where: profile.hasPrefix) {
            return PortClassification(.bluetoothLE, why: "Bluetooth profile \(profile)")
        }
        guard evidence.node?.properties[.bluezSet] != nil || evidence.routeName.holds("-set-") else { return nil }
        return PortClassification(.bluetoothLE, why: "a set of LE Audio devices")
    }

    private static func car(_ evidence: PortEvidence) -> PortClassification? {
        guard evidence[.deviceFormFactor] == "car" || evidence.kind == .car || evidence.routeName.hasPrefix("car-")
        else { return nil }
        return PortClassification(.carAudio, why: "a Bluetooth device with the form factor of a car")
    }

    private static func musicProfile(_ evidence: PortEvidence) -> PortClassification? {
        guard let profile = evidence.bluetoothProfile, profile.hasPrefix("a2dp") else { return nil }
        return PortClassification(.bluetoothA2DP, why: "Bluetooth profile \(profile)")
    }

    private static func byCodec(_ evidence: PortEvidence) -> PortClassification? {
        guard let codec = evidence.node?.properties[.bluezCodec] else { return nil }
        let type: PortType =
            switch codec {
            case "cvsd", "msbc", "lc3_swb": .bluetoothHFP
            case "lc3", "g722": .bluetoothLE
            default: .bluetoothA2DP
            }
        return PortClassification(type, why: "Bluetooth codec \(codec)")
    }

    /// Classifies by the form of the device. Loudspeakers and headphones without a microphone have
    /// only A2DP, all others two profiles or more.
    private static func byShape(_ evidence: PortEvidence) -> PortClassification? {
        if evidence.direction == .input {
            return PortClassification(
                .bluetoothHFP, isUncertain: true,
                why: "the microphone of a Bluetooth device whose profile is not known")
        }
        let shapes = ["speaker", "headphone", "hifi", "portable"]
        let isPlaybackOnly =
            evidence[.deviceFormFactor].map(shapes.contains)
            ?? shapes.contains { shape in
                evidence.routeName.hasPrefix(shape)
            }
        return PortClassification(
            .bluetoothA2DP, isUncertain: !isPlaybackOnly || evidence.route == nil,
            why: isPlaybackOnly ? "the playback route of a Bluetooth device" : "Bluetooth; its profile is not known")
    }
}

extension PortEvidence {
    var isBluetooth: Bool {
        if self[.deviceAPI]?.hasPrefix("bluez") ?? false || bus == .bluetooth { return true }
        let keys: [PropertyKey] = [.bluezProfile, .bluezAddress, .bluezCodec, .bluezSet, .bluezLoopback]
        if keys.contains(where: { node?.properties[$0] != nil }) { return true }
        if node?.properties[.factoryName]?.hasPrefix("api.bluez5.") ?? false { return true }
        let prefixes = ["bluez_output.", "bluez_input.", "bluez_sink.", "bluez_source."]
        if prefixes.contains(where: nodeName.hasPrefix) || self[.deviceName]?.hasPrefix("bluez_card.") ?? false {
            return true
        }
        return isBluetoothRoute
    }

    /// Whether the route is named after the form of a Bluetooth device, as no card's mixer path is.
    private var isBluetoothRoute: Bool {
        guard route != nil, self[.deviceAPI] == nil, bus == nil else { return false }
        let parts = routeName.split(separator: "-")
        let shapes = [
            "headset", "handsfree", "microphone", "speaker", "headphone", "portable", "car", "hifi", "phone",
            "bluetooth",
        ]
        guard let first = parts.first, let last = parts.last, parts.count < 4 else { return false }
        return shapes.contains(String(first)) && ["input", "output"].contains(last)
    }

    /// The profile that carries the sound, with PulseAudio's underscores converted to PipeWire's
    /// spelling.
    ///
    /// The node's own profile comes first, then the device's active one if the route is part of it.
    /// Otherwise the profile is what all profiles of the route have in common.
    var bluetoothProfile: String? {
        if !isOtherRoute, let own = node?.properties[.bluezProfile] ?? profileInNodeName { return Self.spelled(own) }
        guard let device else { return nil }
        if let active = device.activeProfile, active.name != "off", isPart(of: active) {
            return Self.spelled(active.name)
        }
        let names = device.profiles.filter { route?.profiles.contains($0.index) ?? false }.map {
            Self.spelled($0.name)
        }
        guard let first = names.first else { return nil }
        let family = first.prefix { $0 != "-" }
        return names.allSatisfy { $0.hasPrefix(family) } ? first : nil
    }

    private func isPart(of profile: DeviceProfile) -> Bool {
        route.map { $0.profiles.isEmpty || $0.profiles.contains(profile.index) } ?? true
    }

    /// The profile at the end of the node's name, which older session managers append.
    private var profileInNodeName: String? {
        guard nodeName.hasPrefix("bluez_"), let last = nodeName.split(separator: ".").last else { return nil }
        return ["a2dp", "headset", "handsfree", "bap", "asha"].contains { last.hasPrefix($0) } ? String(last) : nil
    }

    private static func spelled(_ profile: String) -> String { profile.replacing("_", with: "-") }
}
