/// The volume of a port, as the user sees and sets it.
package struct Mixer: Sendable, Hashable {
    /// The volumes, linear, one for each channel; never empty.
    package var volumes: [Float]
    package var isMuted: Bool
    /// The object to which the volumes are written.
    package var location: Location

    package enum Location: Sendable, Hashable {
        /// An active route of a card, for its node `number`.
        case route(ObjectID, index: Int, number: Int)
        case node(ObjectID)
    }

    package var level: Float { min(volumes.max() ?? 0, 1).cubeRoot }

    /// Returns the command that sets the loudest channel to a level, 0 to 1, and keeps the balance.
    package func command(level: Float) -> GraphCommand {
        let linear = level * level * level
        let loudest = volumes.max() ?? 0
        let scaled = volumes.map { loudest > 0 ? $0 / loudest * linear : linear }
        return switch location {
        case .route(let device, let index, let number):
            .setRouteVolumes(device, index: index, number: number, scaled)
        case .node(let node): .setNodeVolumes(node, scaled)
        }
    }
}

extension AudioGraph {
    /// Returns the mixer of a node; `nil` if it is unknown. A card's volume is that of its device
    /// route, which the node need not show.
    package func mixer(of node: Node, _ direction: PortDirection) -> Mixer? {
        let real = realNode(behind: node, direction: direction).node
        let isNodeMuted = mutedNodes.contains(node.id) || mutedNodes.contains(real.id)
        // A filter that is the default has the user's volume, also if the hardware has one.
        if real.id != node.id, node.name == defaultName(direction), let volumes = volumes[node.id], !volumes.isEmpty {
            let isRouteMuted = activeRoute(of: real, direction: direction)?.route.isMuted ?? false
            return Mixer(volumes: volumes, isMuted: isNodeMuted || isRouteMuted, location: .node(node.id))
        }
        if let device = device(of: real) {
            if let route = activeRoute(of: real, direction: direction)?.route, let number = route.device,
                !route.volumes.isEmpty
            {
                return Mixer(
                    volumes: route.volumes, isMuted: route.isMuted || isNodeMuted,
                    location: .route(device.id, index: route.index, number: number))
            }
            // A card that has just appeared has not reported its active routes.
            if device.activeRoutes.isEmpty, device.routes.contains(where: { $0.direction == direction }) {
                return nil
            }
        } else if real.deviceID != nil {
            // The card was removed, and its nodes are about to be.
            return nil
        }
        guard let id = [real.id, node.id].first(where: { volumes[$0]?.isEmpty == false }), let volumes = volumes[id]
        else { return nil }
        return Mixer(volumes: volumes, isMuted: isNodeMuted, location: .node(id))
    }

    /// Returns the mixer of the input from which the session records, or would record.
    package func inputMixer(of use: SoundUse) -> Mixer? {
        inputNode(of: use).flatMap { nodes[$0] }.flatMap { mixer(of: $0, .input) }
    }
}

extension Float {
    /// The cube root of a number from 0 to 1, because the user's volume is the cube root of the
    /// amplitude.
    var cubeRoot: Float {
        guard self > 0 else { return 0 }
        let value = Double(self)
        // From above, Newton's method descends monotonically, by a third or more while it is far
        // off.
        var root = 1.0
        for _ in 0..<100 {
            let next = (2 * root + value / (root * root)) / 3
            guard next < root else { break }
            root = next
        }
        return Float(root)
    }
}
