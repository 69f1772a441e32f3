import AudioSessionCore
import PipeWireGraph

extension DeviceRoute {
    /// Reads a device route from a dump.
    ///
    /// - Parameters:
    ///   - dump: the JSON object of the route.
    ///   - offset: the position in the list, which replaces a missing index.
    ///   - profiles: the profiles of the device, to which names are resolved.
    init(dump: JSONValue, offset: Int, profiles: inout DumpProfiles) {
        let info = Self.information(dump["info"])
        let name = dump["name"]?.text ?? ""
        self.init(
            index: dump["index"]?.integer ?? offset,
            direction: Self.direction(dump["direction"], name: name, portType: info["port.type"]),
            name: name, description: dump["description"]?.text ?? "",
            priority: Self.priority(dump["priority"]), availability: Availability(dump: dump["available"]),
            portType: info["port.type"], availabilityGroup: info["port.availability-group"],
            productName: info["device.product.name"],
            profiles: (dump["profiles"]?.elements ?? []).prefix(DumpDevice.listLimit).compactMap {
                profiles.profile($0)?.index
            },
            devices: (dump["devices"]?.elements ?? []).compactMap(\.integer),
            device: dump["device"]?.integer, isMuted: dump["props"]?["mute"]?.flag ?? false,
            volumes: dump["props"]?.channelVolumes ?? [])
    }

    /// Completes an active device route with properties that only the list of all routes contains.
    func completed(by routes: [DeviceRoute]) -> DeviceRoute {
        guard let known = routes.first(where: isSame) else { return self }
        var route = self
        route.portType = portType ?? known.portType
        route.availabilityGroup = availabilityGroup ?? known.availabilityGroup
        route.productName = productName ?? known.productName
        if profiles.isEmpty { route.profiles = known.profiles }
        if devices.isEmpty { route.devices = known.devices }
        if description.isEmpty { route.description = known.description }
        return route
    }

    /// Parses a flat list of keys and values after their count. An excerpt may truncate it
    /// anywhere.
    private static func information(_ info: JSONValue?) -> [String: String] {
        var pairs: [String: String] = [:]
        for (key, value) in info?.members ?? [] { pairs[key] = value.text }
        var rest = (info?.elements ?? [])[...]
        if let first = rest.first, case .number = first { rest = rest.dropFirst() }
        while rest.count > 1 {
            let pair = rest.prefix(2)
            if let key = pair.first?.text, let value = pair.last?.text { pairs[key] = value }
            rest = rest.dropFirst(2)
        }
        return pairs
    }

    /// Reads a priority, which is an unsigned 32-bit number.
    private static func priority(_ value: JSONValue?) -> Int {
        value?.integer.flatMap(UInt32.init(exactly:)).map(Int.init) ?? 0
    }

    private static func direction(_ value: JSONValue?, name: String, portType: String?) -> PortDirection {
        switch value?.text?.lowercased() {
        case "input", "0": .input
        case "output", "1": .output
        default: name.hasPrefix("[In]") || name.contains("input") || portType == "mic" ? .input : .output
        }
    }
}

extension Availability {
    init(dump value: JSONValue?) {
        self =
            switch value?.text?.lowercased() {
            case "yes", "available", "2": .yes
            case "no", "not available", "1": .no
            default: .unknown
            }
    }
}

extension JSONValue {
    /// The linear volumes of a `Props` object, one for each channel. The list is empty if one of
    /// them is no volume.
    var channelVolumes: [Float] {
        let numbers = (self["channelVolumes"]?.elements ?? []).prefix(64).map { $0.text.flatMap { Float($0) } }
        let volumes = numbers.compactMap(\.self).filter { $0.isFinite && $0 >= 0 }
        return volumes.count == numbers.count ? volumes : []
    }
}

extension [DeviceRoute] {
    /// Completes truncated names of device routes from their indexes.
    ///
    /// Graphics cards number their routes like their connectors. A name is inferred from the index
    /// only if the neighboring routes follow that numbering.
    func namedByNeighbors() -> [DeviceRoute] {
        let named = filter { !$0.name.isEmpty }
        guard !named.isEmpty, named.allSatisfy({ $0.name == "hdmi-output-\($0.index)" }) else { return self }
        return map { route in
            var route = route
            if route.name.isEmpty, route.portType == "hdmi" { route.name = "hdmi-output-\(route.index)" }
            return route
        }
    }
}
