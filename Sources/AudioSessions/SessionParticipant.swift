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

    package func join(_ participant: any SessionParticipant) {
        open()
        participants[ObjectIdentifier(participant)] = WeakParticipant(participant: participant)
        receive(.participant(ObjectIdentifier(participant), .joined(participant.facts)))
    }

    package func leave(_ id: ParticipantID) {
        participants[id] = nil
        receive(.participant(id, .left))
    }

    /// To be called when the participant began or ceased to run, or to be stopped by the loss of its output.
    package func participantChanged(_ participant: any SessionParticipant) {
        receive(.participant(ObjectIdentifier(participant), .changed(participant.facts)))
    }

    /// To be called when the participant plays to, or records from, something else.
    package func participantMoved(_ participant: any SessionParticipant) {
        receive(.participant(ObjectIdentifier(participant), .moved(participant.facts)))
    }

    /// To be called when the participant's input was muted or unmuted.
    package func participantMuted(_ participant: any SessionParticipant) {
        receive(.participant(ObjectIdentifier(participant), .muted(participant.facts)))
    }

    /// To be called before the participant stops, if it does.
    package func participantLosesOutput(
        _ participant: any SessionParticipant, _ port: PortDescription, at time: MonotonicTime
    ) {
        receive(.participant(ObjectIdentifier(participant), .losesOutput(uid: port.uid, at: time)))
    }
}
