import AudioSessionCore
import PipeWireGraph

extension AudioSessionError {
    static func timedOut(after timeout: Duration) -> Self {
        AudioSessionError(
            .timedOut,
            rule: "PipeWire did not answer within \(timeout).",
            fix: "PipeWire or the session manager may hang: see 'systemctl --user status pipewire wireplumber'. "
                + "Try again.")
    }

    /// Makes the error of a failed connection to `remote`; `nil` is the user's default socket.
    init(_ error: PipeWireError, remote: String?) {
        let place = remote.map { "at '\($0)'" } ?? "in this user's runtime directory"
        if error.operation == .connecting, error.isHostDown {
            self.init(
                .mediaServicesFailed,
                "PipeWire is not running: nothing listens \(place). "
                    + "Start it ('systemctl --user start pipewire wireplumber'), "
                    + "or set XDG_RUNTIME_DIR or PIPEWIRE_REMOTE to where it does run.", underlying: error)
        } else if error.operation == .connecting, error.isHostBusy {
            self.init(
                .mediaServicesFailed,
                "PipeWire accepts no connection \(place), because it is stopped or hangs: "
                    + "see 'systemctl --user status pipewire'. Try again.", underlying: error)
        } else if error.operation == .startingLoop {
            self.init(
                .resourcesExhausted,
                "The library's thread cannot be started (\(error)). End threads or close files, or raise the limits "
                    + "('ulimit -u', 'ulimit -n').", underlying: error)
        } else {
            self.init(
                .mediaServicesFailed,
                "PipeWire cannot be used (\(error)). Check that this user may use PipeWire's socket \(place).",
                underlying: error)
        }
    }
}
