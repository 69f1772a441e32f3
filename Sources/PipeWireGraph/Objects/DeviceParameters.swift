package import AudioSessionCore
import CPipeWireShim

/// A parameter of a device.
package enum DeviceParameter: Sendable, Hashable, CaseIterable {
    /// All profiles of the device (`EnumProfile`).
    case profiles
    /// The profile in use (`Profile`).
    case activeProfile
    /// All routes of the device (`EnumRoute`).
    case routes
    /// The routes in use (`Route`).
    case activeRoutes

    var shim: cpw_device_param {
        switch self {
        case .profiles: CPW_PARAM_ENUM_PROFILE
        case .activeProfile: CPW_PARAM_PROFILE
        case .routes: CPW_PARAM_ENUM_ROUTE
        case .activeRoutes: CPW_PARAM_ROUTE
        }
    }
}

/// The parameters of a device of this process.
package struct DeviceParameters: Sendable, Hashable {
    package struct Profile: Sendable, Hashable {
        package var index: Int
        package var name: String
        package var description: String
        package var priority: Int
        package var availability: Availability
        /// The numbers of the nodes (`card.profile.device`) that belong to the profile.
        package var sinks: [Int]
        package var sources: [Int]

        package init(
            index: Int, name: String, description: String, priority: Int, availability: Availability,
            sinks: [Int], sources: [Int]
        ) {
            self.index = index
            self.name = name
            self.description = description
            self.priority = priority
            self.availability = availability
            self.sinks = sinks
            self.sources = sources
        }
    }

    /// A route in use. `route.device` is the number of its node.
    package struct ActiveRoute: Sendable, Hashable {
        package var route: DeviceRoute
        /// The index of the profile in which the route is active.
        package var profile: Int
        package var isSaved: Bool
        /// The linear volume of all channels.
        package var volume: Float
        package var isMuted: Bool
        package var channels: Int

        package init(
            route: DeviceRoute, profile: Int, isSaved: Bool, volume: Float, isMuted: Bool, channels: Int
        ) {
            self.route = route
            self.profile = profile
            self.isSaved = isSaved
            self.volume = volume
            self.isMuted = isMuted
            self.channels = channels
        }
    }

    package var profiles: [Profile] = []
    /// The position of the profile in use in `profiles`; `nil` if none is in use.
    package var activeProfile: Int?
    package var isProfileSaved = false
    package var routes: [DeviceRoute] = []
    package var activeRoutes: [ActiveRoute] = []

    package init() {}

    func withShim<Result>(_ body: (inout cpw_export_params) -> Result) -> Result {
        let arena = CArena()
        var raw = cpw_export_params(
            profiles: arena.array(profiles.map { $0.shim(arena) }), profile_count: profiles.count,
            active_profile: Int32(clamping: activeProfile ?? -1), save_profile: isProfileSaved,
            routes: arena.array(routes.map { cpw_export_route($0, arena) }), route_count: routes.count,
            active_routes: arena.array(activeRoutes.map { $0.shim(arena) }),
            active_route_count: activeRoutes.count)
        return withExtendedLifetime(arena) { body(&raw) }
    }
}

extension DeviceParameters.Profile {
    fileprivate func shim(_ arena: CArena) -> cpw_export_profile {
        cpw_export_profile(
            profile: cpw_profile(
                index: Int32(clamping: index), name: arena.string(name), description: arena.string(description),
                priority: Int32(clamping: priority), available: availability.rawValue),
            sinks: arena.numbers(sinks), sink_count: sinks.count,
            sources: arena.numbers(sources), source_count: sources.count)
    }
}

extension DeviceParameters.ActiveRoute {
    fileprivate func shim(_ arena: CArena) -> cpw_export_route {
        var raw = cpw_export_route(route, arena)
        raw.profile = Int32(clamping: profile)
        raw.save = isSaved
        raw.volume = volume
        raw.mute = isMuted
        raw.channels = UInt32(clamping: channels)
        return raw
    }
}

extension cpw_export_route {
    fileprivate init(_ route: DeviceRoute, _ arena: CArena) {
        self.init()
        self.route = cpw_route(
            index: Int32(clamping: route.index), is_input: route.direction == .input,
            name: arena.string(route.name), description: arena.string(route.description),
            priority: Int32(clamping: route.priority), available: route.availability.rawValue,
            port_type: arena.optional(route.portType), availability_group: arena.optional(route.availabilityGroup),
            product_name: arena.optional(route.productName), profiles: arena.numbers(route.profiles),
            profile_count: route.profiles.count, devices: arena.numbers(route.devices),
            device_count: route.devices.count, device: Int32(clamping: route.device ?? -1),
            mute: route.isMuted, volumes: nil, volume_count: 0)
    }
}
