/// A PipeWire device: a card, a headset, the audio part of a screen.
package struct Device: Sendable, Hashable {
    private var facts: Shared<Facts>

    package init(
        id: ObjectID, properties: Properties, routes: [DeviceRoute] = [], activeRoutes: [DeviceRoute] = [],
        profiles: [DeviceProfile] = [], activeProfile: DeviceProfile? = nil
    ) {
        facts = Shared(
            Facts(
                id: id, properties: properties, routes: routes, activeRoutes: activeRoutes, profiles: profiles,
                activeProfile: activeProfile))
    }

    package var name: String? { properties[.deviceName] }

    func isTriviallyIdentical(to other: Self) -> Bool { facts.isTriviallyIdentical(to: other.facts) }

    /// Sets the list of all routes.
    package mutating func learn(routes: [DeviceRoute]) {
        facts.change {
            $0.routes = routes
            $0.reconcileJacks()
        }
    }

    package mutating func learn(activeRoutes: [DeviceRoute]) {
        facts.change {
            $0.activeRoutes = activeRoutes
            $0.reconcileJacks()
        }
    }

    /// The `media.class` of devices that carry audio.
    package static let mediaClass = "Audio/Device"
}

extension Device {
    private struct Facts: Sendable, Hashable {
        var id: ObjectID
        var properties: Properties
        var routes: [DeviceRoute]
        var activeRoutes: [DeviceRoute]
        var profiles: [DeviceProfile]
        var activeProfile: DeviceProfile?

        /// Makes the availability in both lists of routes equal. The lists are queried one after
        /// the other, and may describe different moments.
        mutating func reconcileJacks() {
            for index in activeRoutes.indices {
                let active = activeRoutes[index]
                let known = routes.first { $0.index == active.index && $0.name == active.name }
                guard let known, known.availability != active.availability else { continue }
                activeRoutes[index].availability = known.availability
            }
        }
    }

    package var id: ObjectID {
        get { facts.value.id }
        set { facts.value.id = newValue }
    }

    package var properties: Properties {
        get { facts.value.properties }
        set { facts.value.properties = newValue }
    }

    /// The list of all routes (param EnumRoute).
    package var routes: [DeviceRoute] {
        get { facts.value.routes }
        set { facts.value.routes = newValue }
    }

    /// The list of active routes (param Route).
    package var activeRoutes: [DeviceRoute] {
        get { facts.value.activeRoutes }
        set { facts.value.activeRoutes = newValue }
    }

    package var profiles: [DeviceProfile] {
        get { facts.value.profiles }
        set { facts.value.profiles = newValue }
    }

    package var activeProfile: DeviceProfile? {
        get { facts.value.activeProfile }
        set { facts.value.activeProfile = newValue }
    }
}

/// The state of a jack. `unknown` means that it has no sensor, not that it is empty.
package enum Availability: UInt32, Sendable, Hashable {
    case unknown = 0
    case no = 1
    case yes = 2
}

/// A profile of a device, which determines its nodes.
package struct DeviceProfile: Sendable, Hashable {
    package var index: Int
    package var name: String
    package var availability: Availability

    package init(index: Int, name: String, availability: Availability = .unknown) {
        self.index = index
        self.name = name
        self.availability = availability
    }
}
