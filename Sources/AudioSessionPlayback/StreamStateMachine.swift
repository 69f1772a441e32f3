package import AudioSessionCore

/// Decides what a player or a recorder does. Does no I/O: it receives what happened and returns what is to be done.
package protocol StreamStateMachine: Sendable {
    associatedtype Event: StreamEvent
    associatedtype Action: StreamAction
    /// What the real-time thread had done when an event came.
    associatedtype Counters
    /// The stream that the actions steer.
    associatedtype Stream

    mutating func receive(_ event: Event, _ counters: Counters) -> [Action]
}

/// What happens to players and recorders alike.
package protocol StreamEvent: Sendable {
    /// The session is to know the participant.
    static var join: Self { get }
    /// The timer that an action armed has fired.
    static var timer: Self { get }
    /// Nothing happens after it.
    static var close: Self { get }
}

/// What is to be done for a player or a recorder.
package protocol StreamAction: Sendable {
    /// The message to send, if that is what the action is.
    var message: ParticipantMessage? { get }
}

/// What a participant sends to its session or to the manager.
package enum ParticipantMessage: Sendable, Hashable {
    case report(SessionInput.ParticipantChange)
    case request(ParticipantRequest)
}
