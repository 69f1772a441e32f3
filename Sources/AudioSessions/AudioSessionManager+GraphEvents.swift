import AudioSessionCore
import PipeWireGraph

extension AudioSessionManager {
    func receive(_ event: GraphEvent) {
        noteSleptTime()
        guard let change = model.apply(event) else { return }
        if let token = change.token { return receive(token) }
        // Every change of the clock's settings has this effect. New streams are made with them.
        if change.effects.contains(.laterNumbers) { updateClock() }
        guard !change.effects.contains(.mixer) else { return follow(change) }
        // The gates of endangered players close before anything else is evaluated, because sound
        // could be heard on the wrong output until then.
        for id in model.endangered(by: change, now: now) { send(id, .endangered) }
        if model.isKnown {
            if change.effects.contains(.sessionManager) { notifySessionManager() }
            let actions = model.reroute(
                after: change, now: now, isAsking: graphConnection?.isEnumerating ?? false)
            perform(actions, asking: change.commands)
        } else {
            ask(change.commands)
            if model.registry.isSynchronized { connected() }
        }
        follow(change)
    }

    private func notifySessionManager() {
        let isThere = graph.sessionManager != nil
        noteSessionManager()
        followers.values.send(.sessionManager(isThere: isThere))
        if isThere { holdNumbers() }
    }

    func noteSessionManager() {
        let process = graph.sessionManagerProcess
        snapshot.withLock { $0.sessionManagerProcess = process }
    }

    func ask(_ commands: [GraphCommand]) {
        for command in commands { graphConnection?.perform(command) }
    }

    private func follow(_ change: GraphChange) {
        let effects = change.effects
        if let properties = change.announcement, let id = change.object {
            noteCardMark(id, properties)
            programMarks.appeared(id, properties, model.registry.graph.clients)
        }
        if case .question(let question) = change.barrier { send(questions: .answered(question)) }
        if change.endsRouteChange { chooseRoutes() }
        if effects.contains(.node), model.isKnown, let id = change.object { watchMute(id) }
        if effects.contains(.disappearance), let id = change.object { watchedNodes.remove(id) }
        if effects.contains(.streams) { updateStreaming(change) }
        if let link = change.link { followers.values.send(.linked(link.outputNode)) }
        if effects.contains(.mutes) { updateMutes() }
        if effects.contains(.settings) { updateSilentMode() }
        if effects.contains(.disappearance), let id = change.object {
            if cards.steering.isWaiting { chooseRoutes() }
            noteCardMark(removed: id)
            programMarks.disappeared(id)
        }
        followSound(change)
        if effects.contains(.inputs), model.isKnown { inputFollowers.values.send(.inputChanged) }
    }

    func deadlinePassed() {
        noteSleptTime()
        perform(model.deadlinePassed(now: now))
    }

    /// The time of an event that is being handled. Sessions and participants react to a change of
    /// routes one after the other; their events have its time, so that time never goes backwards in
    /// a sequence of events.
    var now: MonotonicTime { routeChangeTime ?? environment.now() }

    /// Executes the actions of the route state machine.
    /// - Parameter commands: Commands to send before the barrier of the routes. The notification of
    ///   available ports is sent first.
    func perform(_ actions: [RouteAction], asking commands: [GraphCommand] = []) {
        let isNested = routeChangeTime != nil
        if !isNested { routeChangeTime = model.routeChangeTime }
        defer { if !isNested { routeChangeTime = nil } }
        if !actions.endInEvaluation { ask(commands) }
        if !actions.isEmpty { updateSnapshot() }
        let isRerouted = actions.contains { if case .routeChanged = $0 { true } else { false } }
        // Mutes, choice and numbers are updated first, so that listeners of the route change can
        // read them.
        if isRerouted {
            updateMutes()
            updateComputerSound()
            sendToSessions(.route(.aboutToChange))
        }
        for action in actions {
            switch action {
            case .setGateTriggers(let id, let nodes): send(id, .gateTriggers(nodes))
            case .closeGate(let id): send(id, .endangered)
            case .openGate(let id), .routeRegained(let id): send(id, .kept)
            case .becameNoisy(let id, let port, let time):
                send(id, .becameNoisy(port, at: time))
                if id == .computer { broadcaster.send(.becameNoisy(port, at: time)) }
            case .routeChanged(let id, let change): notifyRouteChange(id, change)
            case .availablePortsChanged: broadcaster.send(.availablePortsChanged(at: now))
            case .evaluate:
                // The port list was notified. Its listeners run now, which can take a while.
                if !isNested { routeChangeTime = nil }
                environment.runTasks()
                ask(commands)
                perform(model.evaluate(now: now))
            case .barrier(let barrier): graphConnection?.perform(.barrier(barrier))
            case .readDefaults: ask(model.registry.readDefaults())
            case .wake: arm(.routes, at: model.wakeTime)
            }
        }
        if !isRerouted, actions.contains(.availablePortsChanged) { updateSound() }
    }

    private func notifyRouteChange(_ id: FollowerID, _ change: RouteChange) {
        send(id, .changed(change))
        guard id == .computer else { return }
        if change.previous.inputs != change.current.inputs {
            sendToSessions(.route(.defaultInputChanged))
        }
        broadcaster.send(.routeChanged(change))
    }

    func updateClock() {
        let clock = graph.clock
        snapshot.withLock { $0.clock = clock }
    }

    func updateSnapshot() {
        guard let new = model.snapshot else { return }
        snapshot.withLock { ($0.route, $0.outputs, $0.inputs) = new }
    }
}

extension [RouteAction] {
    fileprivate var endInEvaluation: Bool { if case .evaluate = last { true } else { false } }
}
