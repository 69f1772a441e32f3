extension SessionStateMachine {
    /// The targets that follow from the session's configuration, preferences and override.
    package var routeTargets: RouteTargets {
        RouteTargets(
            output: RouteTarget(chooser.output, isAllowed: configuration.allowsPlayback),
            input: RouteTarget(chooser.input, isAllowed: configuration.allowsRecording))
    }

    mutating func routeChanged(
        _ input: SessionRouteInput, _ surroundings: some SessionSurroundings
    ) {
        switch input {
        case .lost(let port, let time): lost(port, at: time, surroundings)
        case .changed(let change):
            route = change.current
            publish()
            actions.append(.notify(.routeChanged(change)))
            moved(to: change.current, at: change.time, surroundings)
        case .kept:
            if let route { moved(to: route, at: now, surroundings) }
        case .adopted(let new):
            route = new
            publish()
        case .choicesChanged: chooseRoute(nil, surroundings)
        case .aboutToChange:
            guard phase == .open else { return }
            if chooser.isChoosing, let graph = surroundings.graph {
                var present = chooser
                present.evaluate(graph, configuration, isActive: state == .active)
                presentedChoice = present.choice
                publish()
            }
            actions.append(.updateSound)
        case .defaultInputChanged: actions.append(.send(.targetChanged(nil)))
        case .prefer(let port, let direction):
            chooser.prefer(port, direction)
            publish()
            chooseRoute(.override, surroundings)
        case .override(let override):
            chooser.override(override, surroundings.graph)
            publish()
            chooseRoute(.override, surroundings)
        case .select(let source, let direction):
            chooser.select(source, direction)
            publish()
            chooseRoute(.routeConfigurationChange, surroundings)
        }
    }

    private mutating func moved(
        to route: RouteDescription, at time: MonotonicTime, _ surroundings: some SessionSurroundings
    ) {
        receive(replug: .moved(to: Set(route.outputs.map(\.outputID)), at: time), surroundings)
    }

    /// Ends the override, which lasts as long as the session's activation.
    mutating func endOverride(_ surroundings: some SessionSurroundings) {
        // Without a choice of the program's, a headset may still leave its hands-free profile.
        let isChosen = chooser.preferences != RoutePreferences()
        chooser.endOverride()
        chooseRoute(isChosen ? .override : nil, surroundings)
    }

    /// Evaluates the session's targets again.
    /// - Parameter reason: The reason of the route change that follows; `nil` derives it from the
    ///   routes.
    mutating func chooseRoute(
        _ reason: RouteChangeReason?, _ surroundings: some SessionSurroundings
    ) {
        guard phase == .open, !isReconfiguring || reason != nil, let graph = surroundings.graph else { return }
        let old = chooser
        chooser.evaluate(graph, configuration, isActive: state == .active)
        presentedChoice = chooser.choice
        publish()
        actions.append(.updateSound)
        let areTargetsNew = PortDirection.allCases.contains { old.target($0) != chooser.target($0) }
        if areTargetsNew || old.requests != chooser.requests { actions.append(.send(.targetChanged(reason))) }
        // An inactive session sends no event for a change of its category.
        if reason == .categoryChange, state != .active {
            actions.append(.ask(.adoptTargets(routeTargets)))
        } else {
            actions.append(.ask(.setTargets(routeTargets, reason: reason)))
        }
        // The targets come first, so that the card's answer is expected.
        actions.append(.ask(.steerCards(chooser.requests)))
    }
}
