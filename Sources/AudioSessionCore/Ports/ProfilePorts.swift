/// The outputs that a card would have in other profiles.
struct ProfilePorts: Sendable {
    private let device: Device
    /// The outputs, each with the index of its route among all routes of the card.
    private let all: [(usage: PortUsage, index: Int)]
    /// The outputs that become usable by a switch of the profile.
    let available: [PortUsage]

    fileprivate init(_ device: Device, _ all: [(usage: PortUsage, index: Int)]) {
        (self.device, self.all) = (device, all)
        available = all.filter { device.profile(with: device.routes[$0.index]) != nil }.map(\.usage)
    }

    func isOf(_ device: Device) -> Bool { self.device.isTriviallyIdentical(to: device) }

    /// Returns the outputs for another state of the card in which they are the same.
    fileprivate func updated(_ device: Device, _ comparison: inout DeviceComparison) -> Self? {
        comparison.isEquivalent(to: self.device) ? Self(device, all) : nil
    }
}

extension AudioGraph {
    /// Derives the outputs of a card's other profiles.
    /// - Parameters:
    ///   - former: The former outputs of the same card, which are reused if they are unchanged.
    ///   - comparison: A comparison of the card with its former states.
    func profilePorts(
        of device: Device, former: ProfilePorts?, _ comparison: inout DeviceComparison
    ) -> ProfilePorts {
        if let same = former?.updated(device, &comparison) { return same }
        var all: [(usage: PortUsage, index: Int)] = []
        for (index, route) in device.routes.enumerated() where device.isMissing(route) {
            all.append((usage(of: route, of: device, node: nil), index))
        }
        return ProfilePorts(device, all)
    }
}

extension Device {
    /// Returns the profile that adds an output to the card; `nil` if the card has the output
    /// already, its jack is empty, or no such profile exists.
    ///
    /// It is the profile that keeps most of the inputs in use, or else the first one, because cards
    /// list stereo before surround. Three kinds of cards are never switched: those that the user
    /// has turned off, those whose channels a program uses directly, and Bluetooth headsets.
    func profile(with route: DeviceRoute) -> DeviceProfile? {
        guard isMissing(route), route.availability != .no else { return nil }
        let inputs = activeRoutes.filter { $0.direction == .input }.compactMap { used in
            routes.first { $0.isSame(as: used) }
        }
        func kept(_ profile: DeviceProfile) -> Int { inputs.count { $0.isUsable(in: profile) } }
        let candidates = profiles.filter {
            route.profiles.contains($0.index) && $0.availability != .no && $0.isForRoutes
        }
        return candidates.max { (kept($0), $1.index) < (kept($1), $0.index) }
    }

    /// Whether the card has an output, but not in the active profile.
    fileprivate func isMissing(_ route: DeviceRoute) -> Bool {
        guard route.direction == .output, let active = activeProfile, active.isForRoutes, !route.profiles.isEmpty,
            properties[.deviceAPI] != "bluez5"
        else { return false }
        return !route.profiles.contains(active.index)
    }

    func profile(named name: String) -> DeviceProfile? { profiles.first { $0.name == name } }
}

extension DeviceProfile {
    fileprivate var isForRoutes: Bool { name != "off" && name != "pro-audio" }
}
