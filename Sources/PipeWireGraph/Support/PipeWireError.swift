import Glibc

/// The error of a call into PipeWire.
package struct PipeWireError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Operation: String, Sendable, Hashable {
        case startingLoop = "starting the PipeWire loop"
        case connecting = "connecting to PipeWire"
        case watching = "asking PipeWire for its objects"
        case creatingStream = "creating a stream"
        case loadingCanceller = "loading the echo canceller"
        case exportingDevice = "exporting a device"
        case exportingSessionObject = "exporting a session object"
        case creatingNode = "creating a node"
        case tappingSink = "listening to a sink"
    }

    /// The errno, which is positive.
    package var code: Int32
    package var operation: Operation

    package init(code: Int32, during operation: Operation) {
        self.code = abs(code)
        self.operation = operation
    }

    /// Whether no daemon listens on the socket.
    package var isHostDown: Bool { code == EHOSTDOWN || code == ECONNREFUSED || code == ENOENT }

    /// Whether a daemon listens on the socket but accepts no connection, so that the queue of the
    /// socket is full.
    package var isHostBusy: Bool { code == EBUSY }

    package var description: String { "\(operation.rawValue): \(String(cString: strerror(code)))" }
}
