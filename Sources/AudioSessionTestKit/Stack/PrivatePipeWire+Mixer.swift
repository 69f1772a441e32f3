package import AudioSessionCore
import AudioSessionText

/// The actions of a user in a mixer.
extension PrivatePipeWire {
    package enum Fader: Sendable, Hashable {
        /// A node. For a card's node, the mixer controls its device route.
        case node(ObjectID)
        case defaultOutput, defaultInput
    }

    /// Sets a volume from 0 to 1 on the scale of sliders, or a mute state.
    ///
    /// This function does not use `wpctl`, because `wpctl` disconnects while a query to the
    /// card is pending. On a busy computer, PipeWire may then keep the old answer for all clients.
    package func mix(_ fader: Fader, level: Float? = nil, isMuted: Bool? = nil) async throws(TestKitError) {
        let dump = try await run("pw-dump")
        guard let graph = try? PipeWireDump(json: dump.output.utf8).graph, let node = graph.node(of: fader) else {
            throw Self.noFader("\(fader)", why: dump.output)
        }
        let settings = [
            level.map { "channelVolumes: [\(Self.linear($0)), \(Self.linear($0))]" }, isMuted.map { "mute: \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
        var arguments = ["\(node.id.rawValue)", "Props", "{ \(settings) }"]
        if let device = graph.device(of: node), let (route, number) = graph.activeRoute(of: node) {
            let text = "{ index: \(route), device: \(number), props: { \(settings) }, save: true }"
            arguments = ["\(device.id.rawValue)", "Route", text]
        }
        let result = try await run("pw-cli", ["set-param"] + arguments)
        guard result.status == 0 else { throw Self.noFader(node.name ?? "", why: result.output) }
    }

    private static func linear(_ level: Float) -> Float { level * level * level }

    private static func noFader(_ name: String, why: String) -> TestKitError {
        TestKitError(
            .daemonUnreachable, "The volume of \(name) cannot be set", why: why,
            remedy: "List its nodes with 'pw-cli ls Node'.")
    }
}

extension AudioGraph {
    fileprivate func node(of fader: PrivatePipeWire.Fader) -> Node? {
        switch fader {
        case .node(let id): nodes[id]
        case .defaultOutput: defaultName(.output).flatMap { nodes.known(as: $0).first }
        case .defaultInput: defaultName(.input).flatMap { nodes.known(as: $0).first }
        }
    }

    fileprivate func activeRoute(of node: Node) -> (index: Int, number: Int)? {
        let direction = node.mediaClass?.directions.first ?? .output
        guard let route = activeRoute(of: node, direction: direction)?.route else { return nil }
        return route.device.map { (route.index, $0) }
    }
}
