package import AudioSessionCore
import PipeWireGraph

/// Where sessions' sound is to go.
extension AudioSessionManager {
    /// After something changed on the machine that any choice may depend on.
    func chooseRoutes() {
        guard machine.isKnown else { return }
        for session in liveSessions { session.assumeIsolated { $0.chooseRoute() } }
        if cards.isWaiting { perform(cards.look(machine.registry.graph)) }
    }

    func steer(_ wishes: CardWishes, of session: TokenSession) {
        perform(cards.set(wishes, of: session, machine.registry.graph))
    }

    private func perform(_ commands: [GraphCommand]) {
        for command in commands {
            if case .setProfile(let id, _) = command, let name = machine.registry.graph.devices[id]?.name {
                machine.expectSwitch(of: name, now: environment.now())
            }
            graphConnection?.perform(command)
        }
    }

    /// Of the next change that the follower hears of.
    package func expect(_ reason: RouteChangeReason, to choice: RouteChoice, of id: FollowerID) {
        let ports = [choice.input?.port?.uid, choice.output?.port?.uid].compactMap(\.self)
        machine.expect(reason, to: Set(ports), of: id, now: environment.now())
    }

    /// What the follower's session records from, by `node.name`; `nil`: the default.
    package func setSource(_ source: String?, of id: FollowerID) {
        perform(machine.setSource(source, of: id, now: environment.now()))
    }
}
