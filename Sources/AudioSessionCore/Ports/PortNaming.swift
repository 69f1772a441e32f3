extension PortDescription {
    /// Makes the description of a port.
    /// - Parameter node: The node that the program's stream is linked to, which may be a filter;
    ///   `evidence` describes the hardware.
    package init(_ answer: PortClassification, _ evidence: PortEvidence, through node: Node?) {
        var uid = evidence.uid(answer.type)
        if answer.isThroughFilter { uid += "/through/" + (node?.label ?? "") }
        self.init(
            type: answer.type, name: evidence.portName(answer.type), uid: uid, direction: evidence.direction,
            isUncertain: answer.isUncertain, typeReason: answer.why, hint: answer.hint,
            isThroughFilter: answer.isThroughFilter, channels: node?.channels ?? [],
            nodeName: node?.label, deviceName: evidence.device?.name,
            routeName: evidence.route.flatMap { $0.name.isEmpty ? nil : $0.name },
            needsProfileChange: evidence.isOtherRoute && node == nil)
    }
}

extension Node {
    /// The channel names, parsed from "FL,FR" or from a list in brackets.
    var channels: [String] {
        (properties[.audioPosition] ?? "").utf8.split { !$0.isAlphanumeric }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

extension Properties {
    /// The number of ``Node/channels``, counted without making the array.
    var channelCount: Int {
        var (count, isInWord) = (0, false)
        for byte in (self[.audioPosition] ?? "").utf8 {
            if byte.isAlphanumeric, !isInWord { count += 1 }
            isInWord = byte.isAlphanumeric
        }
        return count
    }
}

extension PortEvidence {
    /// Returns the port's name for the user. A separate device has its own name, a part of the
    /// computer that of its type.
    func portName(_ type: PortType) -> String {
        let names: [String?] =
            switch type {
            case .hdmi, .displayPort: [route?.productName, routeText, nodeText]
            case .usbAudio, .fireWire: [deviceNameWithRoute, nodeText, routeText]
            case .airPlay, .network, .avb, .virtual: [nodeText, deviceText, routeText]
            case _ where mapping != nil: [nodeText, routeText, deviceText]
            default: isBluetooth ? [deviceText, nodeText, routeText] : [routeText, nodeText, deviceText]
            }
        return names.lazy.compactMap { $0 }.first { !$0.isEmpty } ?? type.rawValue
    }

    /// Returns the port's uid. It consists of names that PipeWire derives from the hardware's place
    /// or serial number and from the mixer.
    ///
    /// It never contains numbers of one run of the daemon, or text in the user's language.
    func uid(_ type: PortType) -> String {
        if isBluetooth { return "\(bluetoothAddress)/\(bluetoothKind(type))/\(direction.rawValue)" }
        if [.airPlay, .network, .avb].contains(type), let name = node?.name { return cardlessUID(name) }
        if let route, let card = device?.name ?? node?.label {
            return "\(card)/\(routeLabel(route))" + (mapping.map { "/" + $0 } ?? "")
        }
        if let name = node?.name { return cardlessUID(name) + duplexSuffix }
        return "\(device?.name ?? node?.label ?? routeName)/\(direction.rawValue)"
    }

    /// The part of the profile that the node plays, if other nodes play to the same route at the
    /// same time, as those for games and for chat of a headset do.
    private var mapping: String? {
        guard let route, let device, let nodeProfile else { return nil }
        let others = device.activeRoutes.filter { $0.name == route.name && $0.direction == route.direction }
        return Set(others.compactMap(\.device)).count > 1 ? nodeProfile : nil
    }

    private func routeLabel(_ route: DeviceRoute) -> String {
        route.name.isEmpty ? "\(direction.rawValue) \(route.index)" : route.name
    }

    /// The suffix for nodes of both directions, which are two ports.
    private var duplexSuffix: String { node?.mediaClass == .duplex ? "/\(direction.rawValue)" : "" }

    /// Returns the uid of a port without a card. Older versions number AirPlay receivers in the
    /// order of discovery, so the receiver's own name is used. Newer ones append its address, which
    /// the network may change. A receiver with two kinds of addresses has two nodes.
    private func cardlessUID(_ name: String) -> String {
        if name.hasPrefix("raop-sink-"), let text = node?.properties[.nodeDescription] { return "raop-sink/\(text)" }
        guard name.hasPrefix("raop_sink.") else { return name }
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let port = parts.popLast(), UInt16(port) != nil else { return name }
        let version: Substring
        if parts.last?.contains(":") == true {
            parts.removeLast()
            version = "ipv6"
        } else if parts.count > 5, parts.suffix(4).allSatisfy({ UInt8($0) != nil }) {
            parts.removeLast(4)
            version = "ipv4"
        } else {
            return name
        }
        return (parts + [version, port]).joined(separator: ".")
    }

    /// The Bluetooth address, which is the same in all names that PipeWire derives from it, in any
    /// profile and version.
    private var bluetoothAddress: String {
        if let address = node?.properties[.bluezSet] ?? self[.bluezAddress] { return address.uppercased() }
        for name in [device?.name, node?.name] {
            guard let part = name?.split(separator: ".").dropFirst().first else { continue }
            return part.replacing("_", with: ":").uppercased()
        }
        return node?.label ?? routeName
    }

    /// Returns the kind in the uid of a Bluetooth port. A headset's two modes are two ports, of
    /// which one exists at a time; a car is not a mode.
    private func bluetoothKind(_ type: PortType) -> String {
        switch type {
        case .bluetoothHFP: "HFP"
        case .bluetoothLE: "LE"
        default: "A2DP"
        }
    }
}

// MARK: - Texts for the user

extension PortEvidence {
    private var routeText: String? { route?.description }

    private var nodeText: String? {
        guard let node else { return nil }
        return node.properties[.nodeDescription] ?? node.properties[.nodeNick] ?? node.properties[.mediaName]
            ?? node.name
    }

    private var deviceText: String? {
        let keys: [PropertyKey] = [.deviceDescription, .deviceNick, .deviceProductName, .alsaCardName]
        return keys.lazy.compactMap { self[$0] }.first
    }

    private var deviceNameWithRoute: String? {
        guard let text = deviceText else { return nil }
        let routes =
            device?.routes.filter { $0.direction == direction && $0.isUsable(in: device?.activeProfile) } ?? []
        guard isOtherRoute || routes.count > 1, let routeText, !routeText.isEmpty else { return text }
        return "\(text): \(routeText)"
    }
}
