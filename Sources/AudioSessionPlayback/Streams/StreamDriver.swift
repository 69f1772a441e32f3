import AudioSessions
import PipeWireGraph

/// The state machine of a player or recorder, with the stream that it controls.
package struct StreamDriver<Machine: StreamStateMachine> {
    var machine: Machine
    var inbox: [Machine.Event] = []
    var isReceiving = false
    var stream: Machine.Stream?
    /// The last report of the stream before this one.
    var formerReport = GraphStream.Report()
    /// The `node.name` of the port that the stream requests; `nil` for the default.
    var target: String?
    var timer: (any GraphTimer)?
    var hasJoined = false
    /// The number of calls that wait for the session's activation.
    var waitingCalls = 0
    var isClosed = false

    init(_ machine: Machine) { self.machine = machine }
}
