package import AudioSessionCore

/// A receiver of changes of a route.
///
/// The manager calls it on the PipeWire loop, so that sound stops before anything else happens.
/// Implementations work synchronously and never block.
package protocol RouteFollower: AnyObject, Sendable {
    func receive(_ input: RouteInput)
}

/// A participant: a part of this process that plays or records for a session.
package protocol SessionParticipant: RouteFollower {
    /// The participant's facts for its session. They are read on any thread.
    var facts: ParticipantFacts { get }
    /// The report of its streams' real-time threads. It is read on the loop.
    var timing: ParticipantTiming { get }
    func receive(_ input: ParticipantInput)
}

/// The timing that a participant's running streams report; empty while none runs.
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

    /// Receives a participant's report. ``SessionInput/ParticipantChange/joined(_:)`` must be the
    /// first one, and reports after ``SessionInput/ParticipantChange/left`` are ignored.
    package func receive(_ report: SessionInput.ParticipantChange, from participant: any SessionParticipant) {
        let id = ObjectIdentifier(participant)
        switch report {
        case .joined:
            open()
            participants[id] = WeakParticipant(participant: participant)
        case .left: guard participants.removeValue(forKey: id) != nil else { return }
        case .changed, .moved, .muted, .losesOutput: break
        }
        if isReceiving {
            // The participant notifies its own listeners next, and they read the session.
            machine.preview(report, of: id, in: surroundings)
            publish()
        }
        receive(.participant(id, report))
    }
}
