package import AudioSessionCore

/// The state machine of a player or a recorder. It has no I/O: it receives events and returns
/// actions.
package protocol StreamStateMachine: Sendable {
    associatedtype Event: StreamEvent
    associatedtype Action: StreamAction
    /// The progress of the real-time thread at the time of an event.
    associatedtype Counters
    /// The stream that the actions control.
    associatedtype Stream

    mutating func receive(_ event: Event, _ counters: Counters) -> [Action]
}

/// The events that players and recorders share.
package protocol StreamEvent: Sendable {
    /// The participant is to be registered with its session.
    static var join: Self { get }
    /// The timer that an action armed has fired.
    static var timer: Self { get }
    /// The participant was closed. No further event follows.
    static var close: Self { get }
}

/// An action of a player or a recorder.
package protocol StreamAction: Sendable {
    /// The message to send; `nil` for other actions.
    var message: ParticipantMessage? { get }
}

/// A message of a participant to its session or to the manager.
package enum ParticipantMessage: Sendable, Hashable {
    case report(SessionInput.ParticipantChange)
    case request(ParticipantRequest)
}
