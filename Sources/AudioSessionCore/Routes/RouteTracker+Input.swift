/// This extension keeps an input that may return with its session manager.
extension RouteTracker {
    /// Keeps the published input while it may return with the session manager.
    ///
    /// Devices return one by one, so that another input, or none, would be published in between.
    func holdInput(_ observation: inout RouteObservation, _ graph: AudioGraph, _ context: RouteContext) {
        guard let inputLoss, targets.input != .unused, let input = published.inputs.first else { return }
        let uids = Set(observation.inputs.map(\.port.uid))
        let isChosen =
            targets.input != .systemDefault
            && expectation.map { context.now < $0.until && !$0.ports.isDisjoint(with: uids) } ?? false
        guard !uids.contains(input.port.uid), !isChosen, !context.isSwitching(input.port),
            let deadline = context.inputReturnDeadline(of: input, lost: inputLoss, graph)
        else { return }
        observation.inputs = published.inputs
        observation.areInputsComplete = true
        observation.heldUntil = deadline
    }

    /// Records the loss of the input. Another object may reuse its number, so its return is
    /// detected by the observation.
    mutating func noteInput(_ graph: AudioGraph, _ context: RouteContext) {
        let isThere = published.inputs.allSatisfy { graph.nodes.contains($0.node) }
        if inputLoss == nil, !isThere || context.sessionManager.lossTime != nil { inputLoss = context.now }
    }

    /// Starts a new follower with the input that the default route keeps.
    mutating func holdInput(of computer: Self) {
        guard computer.published.heldUntil != nil, targets.input == .systemDefault else { return }
        (published.inputs, published.heldUntil) = (computer.published.inputs, computer.published.heldUntil)
        inputLoss = computer.inputLoss
    }
}
