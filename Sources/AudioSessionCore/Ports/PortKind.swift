/// The kind of a device route, from `port.type`: the only typed information about a route.
///
/// Both of PipeWire's device plugins share this list. Most values occur only with Bluetooth.
package enum PortKind: String, Sendable, Hashable {
    case unknown, aux, speaker, headphones, line, mic, headset, handset, earpiece, spdif, hdmi, tv, radio, video
    case usb, bluetooth, portable, handsfree, car, hifi, phone, network, analog
}

/// Kinds derived from the names of routes and profiles, for cards without `port.type` and for nodes
/// without a route.
///
/// Names are identifiers of PipeWire and ALSA, the same in every language, whereas descriptions are
/// translated.
package enum CardNames {
    /// Returns the kind of a route by its name, as PipeWire's mixer paths and ALSA's use cases name
    /// it.
    package static func kind(ofRoute name: String) -> PortKind? {
        if let device = useCaseDevice(in: name) { return kind(ofUseCaseDevice: device) }
        return mixerPaths.first { name.contains($0.part) }?.kind
    }

    /// Returns the kind of a node's only route by the node's profile, such as `hdmi-stereo` or
    /// `HiFi: Mic: source`.
    package static func kind(ofProfile name: String) -> PortKind? {
        if let device = useCaseDevice(in: name) { return kind(ofUseCaseDevice: device) }
        return profiles.first { name.hasPrefix($0.part) }?.kind
    }

    /// Returns the kind of a use case device. ALSA's use case manager defines a vocabulary,
    /// followed by a number; other names are free text.
    private static func kind(ofUseCaseDevice name: String) -> PortKind {
        useCaseDevices[String(name.prefix { $0.isASCII && $0.isLetter })] ?? .unknown
    }

    /// Returns the use case device in a name of a route, profile or node.
    ///
    /// It is `Mic1` in "[In] Mic1", in "HiFi: Mic1: source" and in
    /// "alsa_input.platform-sound.HiFi__Mic1__source". Names with a PCM instead (`hw:0`) stand for
    /// several devices.
    package static func useCaseDevice(in name: String) -> String? {
        for prefix in ["[Out] ", "[In] "] where name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
        for (separator, pcm) in [(": ", "hw:"), ("__", "hw_")] {
            let parts = name.split(separator: separator)
            guard parts.count == 3, ["sink", "source"].contains(parts[2]) else { continue }
            return parts[1].contains(pcm) ? nil : String(parts[1])
        }
        return nil
    }

    /// Returns the profile at the end of a card node's name, such as `hdmi-stereo`.
    package static func profile(inNodeName name: String) -> String? {
        guard ["alsa_output.", "alsa_input."].contains(where: name.hasPrefix) else { return nil }
        var parts = name.split(separator: ".").dropFirst()
        // The session manager numbers the nodes of equal cards.
        if parts.count > 2, let last = parts.last, last.allSatisfy(\.isNumber) { parts.removeLast() }
        return parts.count > 1 ? parts.last.map(String.init) : nil
    }

    private static let useCaseDevices: [String: PortKind] = [
        "Speaker": .speaker, "Line": .line, "Mic": .mic, "Headphones": .headphones, "Headset": .headset,
        "Handset": .handset, "Bluetooth": .bluetooth, "Earpiece": .earpiece, "SPDIF": .spdif, "HDMI": .hdmi,
    ]

    /// The mixer paths, with longer names before the names that they contain.
    private static let mixerPaths: [(part: String, kind: PortKind)] = [
        ("analog-output-speaker", .speaker), ("analog-output-headphones", .headphones),
        ("analog-output-lineout", .line), ("output-chat", .headset), ("chat-output", .headset),
        ("chat-input", .headset), ("game-common", .headset), ("usb-gaming-headset-output", .headphones),
        ("usb-gaming-headset-input", .headset), ("virtual-surround", .headphones), ("hdmi-output", .hdmi),
        ("iec958", .spdif), ("multichannel", .line), ("input-linein", .line), ("input-mic-line", .analog),
        ("input-headset-mic", .headset), ("-mic", .mic), ("input-fm", .radio), ("input-radio", .radio),
        ("input-tvtuner", .video), ("input-video", .video), ("analog-", .analog),
    ]

    private static let profiles: [(part: String, kind: PortKind)] = [
        ("hdmi-", .hdmi), ("iec958-", .spdif), ("multichannel-", .line), ("analog-", .analog),
        ("stereo-fallback", .analog), ("mono-fallback", .analog),
    ]
}
