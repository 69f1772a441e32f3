package import AudioSessionCore
import PipeWireGraph

/// The choice of ports for sessions.
extension AudioSessionManager {
    /// Evaluates all choices again after a change in the graph that any of them may depend on.
    func chooseRoutes() {
        guard model.isKnown else { return }
        sendToSessions(.route(.choicesChanged))
        protectCards(cards.steering.isWaiting ? cards.steering.evaluate(model.registry.graph) : [])
    }

    func steer(_ requests: CardRequests, of session: AudioSessionID) {
        let (abandoned, time) = (cards.abandoned, now)
        var arrived: Set<String> = []
        for uid in requests.headphones.values where model.isNew(uid, now: time) { arrived.insert(uid) }
        let commands = cards.steering.set(requests, of: session, model.registry.graph, now: time, arrived: arrived) {
            abandoned.isNeeded($0)
        }
        protectCards(commands)
        wakeForCards()
    }

    /// Announces the switches of profiles that the commands request. A session manager may switch a
    /// headset by itself before the commands are sent.
    func expectSwitches(by commands: [GraphCommand]) {
        for case .setProfile(let id, _) in commands {
            guard let name = model.registry.graph.devices[id]?.name else { continue }
            perform(model.expectSwitch(of: name, now: now))
        }
    }

    /// Sets the reason of the next route change that the follower receives.
    package func expect(_ reason: RouteChangeReason, to choice: RouteChoice, of id: FollowerID) {
        let ports = [choice.input?.port?.uid, choice.output?.port?.uid].compactMap(\.self)
        model.expect(reason, to: Set(ports), of: id, now: now)
    }

    /// Sets the follower's targets, and publishes the route change that follows from them.
    package func setTargets(_ targets: RouteTargets, of id: FollowerID) {
        perform(model.setTargets(targets, of: id, now: now))
    }
}
