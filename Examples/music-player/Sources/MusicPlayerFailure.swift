import AudioSessions

/// What ends the program before it has played.
enum MusicPlayerFailure: Error, Hashable {
    case noSuchFile(String)
    case unreadableFolder(String)
    /// With what was wrong with each file.
    case nothingPlayable([String])
    case pipeWire(AudioSessionError)
    case pipeWireWentAway

    /// What happened, and what to do.
    var message: String {
        switch self {
        case .noSuchFile(let path): "There is no file or folder '\(path)'. Check the path."
        case .unreadableFolder(let path):
            "The folder '\(path)' cannot be read. Change its permissions, or name another one."
        case .nothingPlayable(let reasons):
            switch reasons.count {
            case 0: "There is nothing to play. Name sound files, or folders that hold some."
            case 1: "There is nothing to play. \(reasons[0])"
            default: "None of \(reasons.count) files can be played. The first: \(reasons[0])"
            }
        case .pipeWire(let error): error.message
        case .pipeWireWentAway:
            "PipeWire went away. See 'systemctl --user status pipewire' for why, and play again when it runs."
        }
    }

    /// Codes of `sysexits.h`, which scripts can tell apart.
    var exitCode: Int32 {
        switch self {
        case .nothingPlayable: 65
        case .noSuchFile, .unreadableFolder: 66
        case .pipeWireWentAway: 69
        case .pipeWire(let error): error.code == .resourcesExhausted ? 71 : 69
        }
    }
}
