/// An input that went, and may come back with its session manager.
extension RouteTracker {
    /// An input that went with the session manager is told as it was, for as long as it may come back with it: devices come
    /// one by one, and another input, or none, would be told in between.
    func holdInput(_ observation: inout RouteObservation, _ graph: AudioGraph, _ world: RouteWorld) {
        guard let inputLoss, targets.input != .unused, let input = published.inputs.first else { return }
        let uids = Set(observation.inputs.map(\.port.uid))
        let isChosen =
            targets.input != .systemDefault
            && expectation.map { world.now < $0.until && !$0.ports.isDisjoint(with: uids) } ?? false
        guard !uids.contains(input.port.uid), !isChosen, !world.isSwitching(input.port),
            let deadline = world.inputReturnDeadline(of: input, lost: inputLoss, graph)
        else { return }
        observation.inputs = published.inputs
        observation.areInputsComplete = true
        observation.heldUntil = deadline
    }

    /// Another object may have the number of one that went. So whether it is back is seen by what is observed.
    mutating func noteInput(_ graph: AudioGraph, _ world: RouteWorld) {
        let isThere = published.inputs.allSatisfy { graph.nodes.contains($0.node) }
        if inputLoss == nil, !isThere || world.sessionManager.lossTime != nil { inputLoss = world.now }
    }

    /// Who comes while the machine's input is held begins with the same.
    mutating func holdInput(of machine: Self) {
        guard machine.published.heldUntil != nil, targets.input == .systemDefault else { return }
        (published.inputs, published.heldUntil) = (machine.published.inputs, machine.published.heldUntil)
        inputLoss = machine.inputLoss
    }
}
