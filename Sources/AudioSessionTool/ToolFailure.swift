import ArgumentParser
import AudioSessions

/// Why a command ends before it is done.
enum ToolFailure: Error, Hashable {
    /// Nobody reads the output any more: no failure of anybody's.
    case outputClosed
    /// A signal asked for the end while output waited for its reader.
    case stopped
    case cannotWrite(reason: String)
    /// A file that is not there, or not for this user.
    case cannotRead(path: String, reason: String)
    /// What was read is not what it should be; in a sentence with what to do.
    case badInput(String)
    /// PipeWire went away while it was watched.
    case connectionLost
    case session(AudioSessionError)

    /// What happened, why, and what to do.
    var message: String {
        switch self {
        case .outputClosed: "Nobody reads the output any more."
        case .stopped: "Ended by a signal."
        case .cannotWrite(let reason): "The output cannot be written: \(reason)."
        case .cannotRead(let path, let reason): "\(path) cannot be read: \(reason)."
        case .badInput(let message): message
        case .connectionLost:
            "PipeWire went away. See 'systemctl --user status pipewire' for why, and start this again when it runs."
        case .session(let error): error.message
        }
    }

    /// The codes of `sysexits.h`, which scripts can tell apart.
    var exitCode: ExitCode {
        switch self {
        case .outputClosed, .stopped: .success
        case .badInput: ExitCode(65)
        case .cannotRead: ExitCode(66)
        case .connectionLost: ExitCode(69)
        case .cannotWrite: ExitCode(74)
        case .session(let error):
            switch error.code {
            case .mediaServicesFailed, .timedOut: ExitCode(69)
            case .resourcesExhausted: ExitCode(71)
            default: ExitCode(70)
            }
        }
    }
}
