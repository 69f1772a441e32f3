package import AudioSessionCore
import PipeWireGraph

/// Where sessions' sound is to go.
extension AudioSessionManager {
    /// After something changed on the machine that any choice may depend on.
    func chooseRoutes() {
        guard machine.isKnown else { return }
        for session in liveSessions { session.assumeIsolated { $0.chooseRoute() } }
        if cards.steering.isWaiting { perform(cards.steering.look(machine.registry.graph)) }
        protectCards()
    }

    func steer(_ wishes: CardWishes, of session: TokenSession) {
        let commands = cards.steering.set(wishes, of: session, machine.registry.graph)
        // Before the card is switched: the program may be killed at any time.
        protectCards()
        perform(commands)
    }

    func perform(_ commands: [GraphCommand]) {
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

    /// What the follower asks for.
    package func setTargets(_ targets: RouteTargets, of id: FollowerID) {
        perform(machine.setTargets(targets, of: id, now: environment.now()))
    }

    /// The same, of which nobody is told.
    func adopt(_ targets: RouteTargets, of id: FollowerID) { machine.adopt(targets, of: id, now: environment.now()) }

    /// The same, because the follower's category is another one: it is told of a change even if its ports are the same.
    func changeCategory(_ targets: RouteTargets, of id: FollowerID) {
        perform(machine.changeCategory(targets, of: id, now: environment.now()))
    }
}
