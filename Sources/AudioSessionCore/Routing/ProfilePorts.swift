/// The outputs that a card would have in other profiles.
struct ProfilePorts: Sendable {
    private let device: Device
    /// With the place of each one's route among all routes of the card.
    private let all: [(usage: PortUsage, place: Int)]
    /// Those that can be used by a switch of the profile.
    let available: [PortUsage]

    /// - Parameter former: the same card's ports before, from which unchanged ones are taken.
    init(_ device: Device, _ graph: AudioGraph, former: Self?) {
        self.device = device
        if let former, former.device.tellsTheSame(as: device) {
            all = former.all
        } else {
            all = device.routes.enumerated().compactMap { place, route in
                guard device.isMissing(route) else { return nil }
                return (graph.usage(of: route, of: device, node: nil), place)
            }
        }
        available = all.filter { device.profile(with: device.routes[$0.place]) != nil }.map(\.usage)
    }

    func isOf(_ device: Device) -> Bool { self.device.isTriviallyIdentical(to: device) }
}

extension Device {
    /// The profile by which the card gets an output that it has not in the active profile; `nil` if it has the output, its jack is
    /// empty, or no profile can be chosen for it.
    ///
    /// The one that keeps most of the inputs in use, and of several the first: cards list stereo before surround. A card that the
    /// user has switched off, or whose channels a program uses directly, is left alone, and so is a Bluetooth headset.
    func profile(with route: DeviceRoute) -> DeviceProfile? {
        guard isMissing(route), route.availability != .no else { return nil }
        let inputs = activeRoutes.filter { $0.direction == .input }.compactMap { used in
            routes.first { $0.isSame(as: used) }
        }
        func kept(_ profile: DeviceProfile) -> Int { inputs.count { $0.isUsable(in: profile) } }
        let candidates = profiles.filter {
            route.profiles.contains($0.index) && $0.availability != .no && $0.isForRoutes
        }
        return candidates.max { (kept($0), -$0.index) < (kept($1), -$1.index) }
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
