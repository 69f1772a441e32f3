import AudioSessionCore
import PipeWireGraph

extension AudioSessionManager {
    func receive(_ event: GraphEvent) {
        noteSleptTime()
        switch event {
        case .nodeMuted, .nodeVolumes: return receiveVolume(event)
        default: break
        }
        closeGates(event)
        guard !receiveForBoard(event), let (commands, isManagerOther) = machine.learn(event) else { return }
        if machine.isKnown {
            if isManagerOther { tellSessionManager() }
            let actions = machine.reroute(
                after: event, now: environment.now(), isAsking: graphConnection?.isAsking ?? false)
            perform(actions, asking: commands)
        } else {
            ask(commands)
            if machine.registry.isSynchronized { connected() }
        }
        follow(event)
    }

    private func tellSessionManager() {
        let isThere = machine.registry.graph.sessionManager != nil
        for follower in followers.values { follower.follower?.receive(.sessionManager(isThere: isThere)) }
        if isThere { holdNumbers() }
    }

    private func ask(_ commands: [GraphCommand]) {
        for command in commands { graphConnection?.perform(command) }
    }

    /// What a node's own mixer says changes no route and nobody's turn.
    private func receiveVolume(_ event: GraphEvent) {
        guard machine.learnsVolume(event) else { return }
        if case .nodeMuted = event { updateMutes() }
        followSound(event)
        followInputs(event)
    }

    private func follow(_ event: GraphEvent) {
        switch event {
        case .silentModeChanged: updateSilentMode()
        case .deviceAppeared(let id, let properties), .sessionObjectAppeared(let id, let properties):
            noteCardMark(id, properties)
        case .barrier(.question(let question)): tell(questions: .answered(question))
        case .barrier(.routes): chooseRoutes()
        case .nodeState: updateStreaming()
        case .nodeProperties(let id, _):
            if machine.isKnown { watchMute(id) }
            updateStreaming()
        case .disappeared(let id):
            watchedStreams.remove(id)
            updateStreaming()
            updateMutes()
            // Settings may be what went.
            updateSilentMode()
            if cards.steering.isWaiting { chooseRoutes() }
            noteCardMark(removed: id)
        case .linkAppeared(let link):
            for follower in followers.values { follower.follower?.receive(.linked(link.outputNode)) }
            updateMutes()
        case .deviceActiveRoutes, .defaultChanged: updateMutes()
        default: break
        }
        followSound(event)
        followInputs(event)
    }

    /// Before anything else: until then sound may be heard where it is not to be.
    private func closeGates(_ event: GraphEvent) {
        switch event {
        case .disappeared, .deviceRoutes: break
        default: return
        }
        guard !followers.isEmpty else { return }
        for id in machine.endangered(by: event, now: environment.now()) { tell(id, .endangered) }
    }

    func deadlinePassed() {
        noteSleptTime()
        perform(machine.deadlinePassed(now: environment.now()))
    }

    /// - Parameter commands: what is to be asked before anything about routes. The list of ports, which is told before those are
    ///   thought about, does not wait for it.
    func perform(_ actions: [RouteAction], asking commands: [GraphCommand] = []) {
        if !actions.endInLook { ask(commands) }
        if !actions.isEmpty { updateSnapshot() }
        let isRerouted = actions.contains { if case .routeChanged = $0 { true } else { false } }
        // Before a route change is sent, the choice, mutes and numbers that belong to it can be read.
        if isRerouted {
            tellSessions(.route(.aboutToChange))
            updateMutes()
            updateSound()
        }
        for action in actions {
            switch action {
            case .guardNodes(let id, let nodes): tell(id, .gateTriggers(nodes))
            case .closeGate(let id): tell(id, .endangered)
            case .openGate(let id), .routeRegained(let id): tell(id, .kept)
            case .becameNoisy(let id, let port, let time): tellNoisy(id, port, time)
            case .routeChanged(let id, let change): tellChange(id, change)
            case .availablePortsChanged: broadcaster.send(.availablePortsChanged)
            case .look:
                // The list has been told.
                environment.runTasks()
                ask(commands)
                perform(machine.look(now: environment.now()))
            case .barrier: graphConnection?.perform(.barrier(.routes))
            case .readDefaults: for command in machine.registry.readDefaults() { graphConnection?.perform(command) }
            case .wake: arm(machine.wakeTime)
            }
        }
        if !isRerouted, actions.contains(.availablePortsChanged) { updateSound() }
    }

    private func tellNoisy(_ id: FollowerID, _ port: PortDescription, _ time: MonotonicTime) {
        tell(id, .becameNoisy(port, at: time))
        if id == .machine { broadcaster.send(.becameNoisy(port, at: time)) }
    }

    private func tellChange(_ id: FollowerID, _ change: RouteChange) {
        tell(id, .changed(change))
        guard id == .machine else { return }
        if change.previous.inputs != change.current.inputs {
            tellParticipants(.targetChanged(nil))
        }
        broadcaster.send(.routeChanged(change))
    }

    private func arm(_ time: MonotonicTime?) {
        guard let time else {
            deadline?.disarm()
            return
        }
        deadline?.arm(after: time.since(environment.now()))
    }

    func updateSnapshot() {
        guard let new = machine.snapshot else { return }
        snapshot.withLock { ($0.route, $0.outputs, $0.inputs) = new }
    }
}

extension [RouteAction] {
    fileprivate var endInLook: Bool { if case .look = last { true } else { false } }
}
