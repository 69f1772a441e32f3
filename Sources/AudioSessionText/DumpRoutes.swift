import AudioSessionCore
import PipeWireGraph

extension DeviceRoute {
    /// - Parameter offset: the place in the list, which stands in for a missing index.
    init(dump: JSONValue, offset: Int, profiles: inout DumpProfiles) {
        let info = Self.information(dump["info"])
        let name = dump["name"]?.text ?? ""
        self.init(
            index: dump["index"]?.integer ?? offset,
            direction: Self.direction(dump["direction"], name: name, portType: info["port.type"]),
            name: name, description: dump["description"]?.text ?? "",
            priority: Self.priority(dump["priority"]), availability: Self.availability(dump["available"]),
            portType: info["port.type"], availabilityGroup: info["port.availability-group"],
            productName: info["device.product.name"],
            profiles: (dump["profiles"]?.elements ?? []).prefix(DumpDevice.listLimit).compactMap {
                profiles.profile($0)?.index
            },
            devices: (dump["devices"]?.elements ?? []).compactMap(\.integer),
            device: dump["device"]?.integer, isMuted: dump["props"]?["mute"]?.flag ?? false)
    }

    /// An active route with what only the list of all routes says of it.
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

    /// A flat list of keys and values after their number, which an excerpt may have cut anywhere.
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

    private static func availability(_ value: JSONValue?) -> Availability {
        switch value?.text?.lowercased() {
        case "yes", "available", "2": .yes
        case "no", "not available", "1": .no
        default: .unknown
        }
    }

    /// Priorities are unsigned 32 bit numbers.
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

extension [DeviceRoute] {
    /// Graphics cards number their routes as their connectors: a route whose name is cut off has that of its index, if
    /// its neighbours bear that out.
    func namedByNeighbours() -> [DeviceRoute] {
        let named = filter { !$0.name.isEmpty }
        guard !named.isEmpty, named.allSatisfy({ $0.name == "hdmi-output-\($0.index)" }) else { return self }
        return map { route in
            var route = route
            if route.name.isEmpty, route.portType == "hdmi" { route.name = "hdmi-output-\(route.index)" }
            return route
        }
    }
}
