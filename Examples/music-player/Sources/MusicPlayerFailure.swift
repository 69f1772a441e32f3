import AudioSessions

/// An error that ends the program before it has played.
enum MusicPlayerFailure: Error, Hashable {
    case noSuchFile(String)
    case unreadableFolder(String)
    /// No file can be played; with the reason for each.
    case nothingPlayable([String])
    case pipeWire(AudioSessionError)
    case pipeWireWentAway

    /// The text: what happened, and what to do.
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
            "PipeWire was lost. See 'systemctl --user status pipewire' for why, and play again when it runs."
        }
    }

    /// Codes of `sysexits.h`, which scripts can distinguish.
    var exitCode: Int32 {
        switch self {
        case .nothingPlayable: 65
        case .noSuchFile, .unreadableFolder: 66
        case .pipeWireWentAway: 69
        case .pipeWire(let error):
            switch error.code {
            case .resourcesExhausted: 71
            case .insufficientPriority, .cannotInterruptOthers: 75
            default: 69
            }
        }
    }
}
