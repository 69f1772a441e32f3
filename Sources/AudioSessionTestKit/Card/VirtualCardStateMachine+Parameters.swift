package import AudioSessionCore
package import PipeWireGraph

extension VirtualCardStateMachine {
    /// All parameters that the device currently shows.
    package var parameters: DeviceParameters {
        var result = DeviceParameters()
        result.profiles = description.profiles.indices.map { parameter(ofProfile: $0) }
        result.activeProfile = profile
        result.isProfileSaved = isProfileSaved
        result.routes = description.routes.indices.map { parameter(ofRoute: $0) }
        result.activeRoutes = nodes.indices.compactMap { activeRoute(of: $0) }
        return result
    }

    /// The availability of a profile. A profile is unavailable while all its routes of one
    /// direction are.
    package func availability(ofProfile index: Int) -> Availability {
        if let fixed = description.profiles[index].availability { return Availability(fixed) }
        for direction in PortDirection.allCases {
            let routes = description.routes.indices.filter {
                description.routes[$0].direction == direction
                    && description.profiles(of: description.routes[$0]).contains(index)
            }
            if !routes.isEmpty, routes.allSatisfy({ availability(of: $0) == .no }) { return .no }
        }
        return .yes
    }

    private func numbers(of ids: [String], _ direction: PortDirection?) -> [Int] {
        ids.compactMap { id in
            description.nodes.first { $0.id == id && (direction == nil || $0.direction == direction) }?.number
        }
    }

    private func parameter(ofProfile index: Int) -> DeviceParameters.Profile {
        let profile = description.profiles[index]
        return DeviceParameters.Profile(
            index: index, name: profile.name, description: profile.description, priority: profile.priority,
            availability: availability(ofProfile: index), sinks: numbers(of: profile.nodes, .output),
            sources: numbers(of: profile.nodes, .input))
    }

    private func parameter(ofRoute index: Int) -> DeviceRoute {
        let route = description.routes[index]
        return DeviceRoute(
            index: index, direction: route.direction, name: route.name, description: route.description,
            priority: route.priority, availability: availability(of: index), portType: route.portType,
            availabilityGroup: route.availabilityGroup,
            productName: availability(of: index) == .no ? nil : route.productName,
            profiles: description.profiles(of: route), devices: Array(Set(numbers(of: route.nodes, nil))).sorted())
    }

    private func activeRoute(of node: Int) -> DeviceParameters.ActiveRoute? {
        guard nodes[node].exists, let index = nodes[node].route else { return nil }
        var route = parameter(ofRoute: index)
        route.device = description.nodes[node].number
        return DeviceParameters.ActiveRoute(
            route: route, profile: profile, isSaved: nodes[node].isSaved, volume: nodes[node].volume,
            isMuted: nodes[node].isMuted, channels: description.nodes[node].channels)
    }
}
