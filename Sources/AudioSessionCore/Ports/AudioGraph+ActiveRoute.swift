extension AudioGraph {
    package func device(of node: Node) -> Device? { node.deviceID.flatMap { devices[$0] } }

    /// Returns the device route that a node uses, and whether it was assumed from several.
    ///
    /// It is the active route with the node's number. There is none if the session manager has not
    /// selected one, or if the data lacks the numbers. The result is then the most usable route
    /// that can serve the node in the active profile.
    package func activeRoute(of node: Node, direction: PortDirection) -> (route: DeviceRoute, isAssumed: Bool)? {
        guard let device = device(of: node), node.properties[.deviceRoutes] != "0" else { return nil }
        if let number = node.profileDevice,
            let route = device.activeRoutes.first(where: { $0.direction == direction && $0.device == number })
        {
            return (route, false)
        }
        let unnumbered = device.activeRoutes.filter {
            $0.direction == direction && ($0.device == nil || node.profileDevice == nil)
        }
        return choose(from: unnumbered, for: node, of: device)
            ?? choose(from: routes(thatCanServe: node, of: device, direction: direction), for: node, of: device)
    }

    /// Returns all routes that can serve the node in the device's active profile, including those
    /// of empty jacks.
    package func routes(thatCanServe node: Node, of device: Device, direction: PortDirection) -> [DeviceRoute] {
        device.routes.filter { device.canServe(node, by: $0, direction) }
    }

    private func choose(
        from routes: [DeviceRoute], for node: Node, of device: Device
    ) -> (route: DeviceRoute, isAssumed: Bool)? {
        let named = routes.filter { device.name($0, agreesWith: node) }
        let best = named.max { ($0.usability, $0.priority, $1.index) < ($1.usability, $1.priority, $0.index) }
        return best.map { ($0, named.count > 1) }
    }

    /// Whether a port is muted. Cards are muted by their device route, which need not show at the
    /// node.
    func isMuted(_ port: Node, _ direction: PortDirection) -> Bool {
        [port, realNode(behind: port, direction: direction).node].contains { node in
            mutedNodes.contains(node.id) || activeRoute(of: node, direction: direction)?.route.isMuted == true
        }
    }
}

extension DeviceRoute {
    /// Whether both are the same route of one device. An active route is a copy with additional
    /// properties.
    package func isSame(as other: DeviceRoute) -> Bool {
        direction == other.direction
            && (name.isEmpty || other.name.isEmpty ? index == other.index : name == other.name)
    }

    fileprivate func canServe(_ number: Int?) -> Bool {
        guard let number, !devices.isEmpty else { return true }
        return devices.contains(number)
    }

    func isUsable(in profile: DeviceProfile?) -> Bool {
        guard let profile, !profiles.isEmpty else { return true }
        return profiles.contains(profile.index)
    }

    /// The rank among candidate routes: an occupied jack first, then one without a sensor, then an
    /// empty one.
    var usability: Int {
        switch availability {
        case .yes: 2
        case .unknown: 1
        case .no: 0
        }
    }
}

extension Device {
    /// Whether a route of the device can serve one of its nodes in the active profile.
    func canServe(_ node: Node, by route: DeviceRoute, _ direction: PortDirection) -> Bool {
        route.direction == direction && route.canServe(node.profileDevice) && route.isUsable(in: activeProfile)
    }

    /// Whether the names permit that the route belongs to the node.
    ///
    /// Newer versions of PipeWire name a node after its one use case device, and the route too. The
    /// node of a mixer card is named after the part of the profile that makes it.
    fileprivate func name(_ route: DeviceRoute, agreesWith node: Node) -> Bool {
        let profile = node.properties[.deviceProfileName] ?? node.name.flatMap(CardNames.profile(inNodeName:))
        guard let profile else { return true }
        if let device = CardNames.useCaseDevice(in: profile) {
            guard let other = CardNames.useCaseDevice(in: route.name) else { return true }
            return PortNameMatcher(device) == PortNameMatcher(other)
        }
        let parts = profiles.filter { route.profiles.contains($0.index) }.flatMap { $0.name.split(separator: "+") }
        let mappings = parts.compactMap { $0.split(separator: ":").last }
        // Profiles of use cases and of Bluetooth are no lists of nodes.
        guard parts.contains(where: { String($0).holds("put:") }) else { return true }
        return mappings.contains { $0 == profile }
    }
}
