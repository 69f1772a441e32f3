/// What a user sees and moves as the volume of a port.
package struct Mixer: Sendable, Hashable {
    /// Linear, one for each channel; never empty.
    package var volumes: [Float]
    package var isMuted: Bool
    /// Where to write to.
    package var place: Place

    package enum Place: Sendable, Hashable {
        /// A route that a card has in use for its node `number`.
        case route(ObjectID, index: Int, number: Int)
        case node(ObjectID)
    }

    package var level: Float { min(volumes.max() ?? 0, 1).cubeRoot }

    /// What sets the loudest channel to a level, 0 to 1, and leaves the balance as it is.
    package func command(level: Float) -> GraphCommand {
        let linear = level * level * level
        let loudest = volumes.max() ?? 0
        let scaled = volumes.map { loudest > 0 ? $0 / loudest * linear : linear }
        return switch place {
        case .route(let device, let index, let number):
            .setRouteVolumes(device, index: index, number: number, scaled)
        case .node(let node): .setNodeVolumes(node, scaled)
        }
    }
}

extension AudioGraph {
    /// A card's volume is that of its route, of which the node need not know; `nil`: nobody says.
    package func mixer(of node: Node, _ direction: PortDirection) -> Mixer? {
        let real = realNode(behind: node, direction: direction).node
        let isNodeMuted = mutedNodes.contains(node.id) || mutedNodes.contains(real.id)
        if let device = device(of: real) {
            if let route = activeRoute(of: real, direction: direction)?.route, let number = route.device,
                !route.volumes.isEmpty
            {
                return Mixer(
                    volumes: route.volumes, isMuted: route.isMuted || isNodeMuted,
                    place: .route(device.id, index: route.index, number: number))
            }
            // The card has yet to say which are active, as one does that has just come.
            if device.activeRoutes.isEmpty, device.routes.contains(where: { $0.direction == direction }) {
                return nil
            }
        } else if real.deviceID != nil {
            // It has just gone, and its nodes are about to.
            return nil
        }
        guard let id = [real.id, node.id].first(where: { volumes[$0]?.isEmpty == false }), let volumes = volumes[id]
        else { return nil }
        return Mixer(volumes: volumes, isMuted: isNodeMuted, place: .node(id))
    }

    /// The gain of the input that the session records from, or would.
    package func inputMixer(of use: SoundUse) -> Mixer? {
        inputNode(of: use).flatMap { nodes[$0] }.flatMap { mixer(of: $0, .input) }
    }
}

extension Float {
    /// Of a number from 0 to 1: users' volumes are the cube roots of amplitudes.
    var cubeRoot: Float {
        guard self > 0 else { return 0 }
        let value = Double(self)
        // From above, Newton's steps only go down, and by a third at least while they are far off.
        var root = 1.0
        for _ in 0..<100 {
            let next = (2 * root + value / (root * root)) / 3
            guard next < root else { break }
            root = next
        }
        return Float(root)
    }
}
