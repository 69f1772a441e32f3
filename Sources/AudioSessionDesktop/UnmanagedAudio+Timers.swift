import AudioSessionCore
import AudioSessions
import PipeWireGraph

extension UnmanagedAudio {
    /// The timers of this object.
    enum TimerID: Sendable {
        /// The end of the time for which players stay paused after an interruption.
        case turn
        /// The next deadline of the players that were asked to pause.
        case deadline
        /// The limit of the survey of players.
        case survey
        /// The repetition of that survey.
        case repetition
        /// The limit of the wait for a headset.
        case headset
        /// The reading of the route after a loss of the output of streams that follow the session.
        case route
        /// The end of the suspicion that this output is lost.
        case suspicion
        /// The moment at which a stopped stream of these would have played again.
        case streams
    }

    /// Arms a timer, and makes it if there is none yet; `nil` disarms it.
    func arm(_ id: TimerID, after duration: Duration?) {
        guard let duration else {
            timers[id]?.disarm()
            return
        }
        if timers[id] == nil {
            timers[id] = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.fired(id) } }
        }
        timers[id]?.arm(after: duration)
    }

    private func fired(_ id: TimerID) {
        switch id {
        case .turn: receive(.timer)
        case .deadline: passDeadlines()
        case .survey: receive(.surveyed)
        case .repetition: surveyPlayers()
        case .headset: receive(.headsetLate)
        case .route: receiveHosted(.routeRead(session.currentRoute.outputs.map(\.outputID)))
        case .suspicion: receiveHosted(.suspicionEnded)
        case .streams: receiveHosted(.streamsSettled)
        }
    }
}
