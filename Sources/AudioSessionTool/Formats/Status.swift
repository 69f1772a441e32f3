import AudioSessions
import PipeWireGraph

/// The state of the computer's audio at one moment.
struct Status: Sendable {
    var time: MonotonicTime
    var route: RouteDescription
    var inputs: [PortDescription]
    var outputs: [PortDescription]
    /// The version of the PipeWire library in this process.
    var libraryVersion: String
    var isSilentMode = false
    /// The volume of the current output; `nil` if there is no output or it reports no volume.
    var volume: OutputVolume?
    /// The numbers of standing sessions, and of tokens that are malformed or beyond the limit.
    var board = BoardCounts()

    struct BoardCounts: Sendable, Hashable {
        var sessions = 0
        /// The number of sessions that silent mode silences.
        var silenced = 0
        var malformed: UInt64 = 0
        var surplus: UInt64 = 0
        /// The number of devices, nodes and entries of device lists that exceeded a limit.
        var refused: UInt64 = 0
    }

    init(
        time: MonotonicTime, route: RouteDescription, inputs: [PortDescription], outputs: [PortDescription],
        libraryVersion: String
    ) {
        self.time = time
        self.route = route
        self.inputs = inputs
        self.outputs = outputs
        self.libraryVersion = libraryVersion
    }

    /// Reads the state on the manager's own thread, where all values belong to one moment.
    init(of manager: isolated AudioSessionManager) {
        self.init(
            time: .now, route: manager.currentRoute, inputs: manager.availableInputs,
            outputs: manager.availableOutputs, libraryVersion: AudioSessionManager.pipeWireVersion)
        let overview = manager.overview
        board = BoardCounts(
            sessions: overview.sessions.count, silenced: overview.sessions.count(where: \.isSilenced),
            malformed: overview.malformedTokens, surplus: overview.surplusTokens,
            refused: overview.refusedObjects)
        isSilentMode = overview.isSilentMode
        volume = manager.defaultOutputVolume
    }

    /// The status as lines of text for users.
    var lines: [String] {
        ["Sound goes to"] + Self.list(route.outputs, none: "nothing: there is no output") + volumeLine
            + ["and comes from"] + Self.list(route.inputs, none: "nothing: there is no input")
            + section("Other outputs", outputs, besides: route.outputs)
            + section("Other inputs", inputs, besides: route.inputs)
            + ["", boardLine] + refusedLine + (isSilentMode ? [silentLine] : []) + ["PipeWire \(libraryVersion)"]
    }

    private var volumeLine: [String] {
        guard let volume, !route.outputs.isEmpty else { return [] }
        return ["  at \(Int((volume.level * 100).rounded())) %\(volume.isMuted ? ", muted" : "")"]
    }

    private var silentLine: String {
        "Silent mode is on: \(board.silenced) session\(board.silenced == 1 ? " is" : "s are") muted by it"
    }

    private var boardLine: String {
        let sessions = "\(board.sessions) audio session\(board.sessions == 1 ? "" : "s")"
        let ignored = [(board.malformed, "malformed"), (board.surplus, "surplus")].filter { $0.0 > 0 }
        guard !ignored.isEmpty else { return sessions }
        return sessions + ", ignored tokens: " + ignored.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private var refusedLine: [String] {
        guard board.refused > 0 else { return [] }
        return ["\(board.refused) objects of other programs were ignored, because there were too many"]
    }

    private static func list(_ ports: [PortDescription], none: String) -> [String] {
        ports.isEmpty ? ["  \(none)"] : ports.map { "  \($0.line)" }
    }

    private func section(_ title: String, _ ports: [PortDescription], besides used: [PortDescription]) -> [String] {
        let others = ports.filter { port in !used.contains { $0.uid == port.uid } }
        return others.isEmpty ? [] : ["", title] + others.map { "  \($0.line)" }
    }
}

extension AudioSessionManager {
    /// Returns the current state of the computer's audio.
    func status() -> Status { Status(of: self) }
}
