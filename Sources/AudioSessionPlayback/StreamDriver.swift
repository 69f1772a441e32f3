import AudioSessions

/// Holds the state machine of a player or a recorder, and the stream that it steers.
package struct StreamDriver<Machine: StreamStateMachine> {
    var machine: Machine
    var inbox: [Machine.Event] = []
    var isReceiving = false
    var stream: Machine.Stream?
    /// `node.name` of the port that the stream asks for; `nil`: the default.
    var target: String?
    var timer: (any GraphTimer)?
    var hasJoined = false
    var isClosed = false

    init(_ machine: Machine) { self.machine = machine }
}
