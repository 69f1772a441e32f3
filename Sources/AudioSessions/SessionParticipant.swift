package import AudioSessionCore

/// A receiver of what happens to a route.
///
/// The manager calls it on the PipeWire loop, so that sound stops before anything else happens. An implementation does its work
/// at once and never blocks.
package protocol RouteFollower: AnyObject, Sendable {
    func receive(_ input: RouteInput)
}

/// A part of this process that plays or records for a session.
package protocol SessionParticipant: RouteFollower {
    /// What the session has to know of it. Read on any thread.
    var facts: ParticipantFacts { get }
    /// What the real-time threads of its streams report. Read on the loop.
    var timing: ParticipantTiming { get }
    func receive(_ input: ParticipantInput)
}

/// What a participant's streams report of the graph that runs them; nothing while none runs.
package struct ParticipantTiming: Sendable, Hashable {
    package var output: StreamTiming?
    package var input: StreamTiming?

    package init(output: StreamTiming? = nil, input: StreamTiming? = nil) {
        self.output = output
        self.input = input
    }
}

extension AudioSession {
    struct WeakParticipant {
        weak var participant: (any SessionParticipant)?
    }

    var liveParticipants: [any SessionParticipant] { participants.values.compactMap(\.participant) }

    /// Receives what a participant reports. ``SessionInput/ParticipantChange/joined(_:)`` has to be the first report,
    /// and nothing is received after ``SessionInput/ParticipantChange/left``.
    package func receive(_ report: SessionInput.ParticipantChange, from participant: any SessionParticipant) {
        let id = ObjectIdentifier(participant)
        switch report {
        case .joined:
            open()
            participants[id] = WeakParticipant(participant: participant)
        case .left: guard participants.removeValue(forKey: id) != nil else { return }
        case .changed, .moved, .muted, .losesOutput: break
        }
        receive(.participant(id, report))
    }
}
