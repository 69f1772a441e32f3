extension SessionStateMachine {
    /// Evaluates why the session is silent or quieter than usual.
    mutating func updateSilence(_ surroundings: some SessionSurroundings) {
        defer { publish() }
        guard phase != .managerClosed else { return }
        let (graph, status) = (surroundings.graph, surroundings.status)
        silence = graph == nil ? [.daemonLost] : []
        switch status?.state {
        case nil, .inactive: silence.append(.inactive)
        case .interrupted:
            silence.append(.interrupted(by: status?.interruptedBy ?? []))
        case .advised: silence.append(.advised)
        case .active: break
        }
        let isActive = status?.state == .active
        if participants.values.contains(where: \.isStoppedByRouteLoss) {
            silence.append(.routeLost)
        } else if isActive, !participants.isEmpty, !participants.values.contains(where: \.isRunning) {
            silence.append(.paused)
        }
        if let status, isActive { silence += attenuation(status, graph) }
        if participants.values.contains(where: \.isInputMuted) { silence.append(.inputMuted) }
    }

    /// Returns why an active session that plays is silent or quieter than usual.
    private func attenuation(_ status: SessionStatus, _ graph: AudioGraph?) -> [AudioSessionSilence] {
        var silence: [AudioSessionSilence] = status.isSilenced ? [.silentMode] : []
        let streams = participants.values.reduce(into: Set()) { $0.formUnion($1.streams) }
        if configuration.allowsPlayback, graph?.areMuted(streams) == true { silence.append(.muted) }
        if status.duckedGain < 1 { silence.append(.ducked(gain: status.duckedGain, by: status.duckedBy)) }
        return silence
    }
}
