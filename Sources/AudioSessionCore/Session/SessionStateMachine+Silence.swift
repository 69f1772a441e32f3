extension SessionStateMachine {
    /// Evaluates why the session is silent or quieter than usual.
    mutating func updateSilence(_ surroundings: some SessionSurroundings) {
        defer { publish() }
        guard phase != .managerClosed else { return }
        let (graph, status) = (surroundings.graph, surroundings.status)
        silenceReasons = graph == nil ? [.daemonLost] : []
        switch status?.state {
        case nil, .inactive: silenceReasons.append(.inactive)
        case .interrupted:
            silenceReasons.append(.interrupted(by: status?.interruptedBy ?? []))
        case .advised: silenceReasons.append(.advised)
        case .active: break
        }
        let isActive = status?.state == .active
        if areStoppedByRouteLoss {
            silenceReasons.append(.routeLost)
        } else if isActive, !participants.isEmpty, !participants.values.contains(where: \.isRunning) {
            silenceReasons.append(.paused)
        }
        if let status, isActive { silenceReasons += attenuation(status, graph) }
        if participants.values.contains(where: \.isInputMuted) { silenceReasons.append(.inputMuted) }
    }

    /// Returns why an active session that plays is silent or quieter than usual.
    private func attenuation(_ status: SessionStatus, _ graph: AudioGraph?) -> [AudioSessionSilenceReason] {
        var silenceReasons: [AudioSessionSilenceReason] = status.isSilenced ? [.silentMode] : []
        let streams = participants.values.reduce(into: Set()) { $0.formUnion($1.streams) }
        if configuration.allowsPlayback, graph?.areMuted(streams) == true { silenceReasons.append(.muted) }
        if status.duckedGain < 1, configuration.allowsPlayback {
            silenceReasons.append(.ducked(gain: status.duckedGain, by: status.duckedBy))
        }
        return silenceReasons
    }
}
