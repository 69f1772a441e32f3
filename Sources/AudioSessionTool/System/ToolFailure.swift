package import ArgumentParser
import AudioSessionPlayback
package import AudioSessions

/// The reason why a command of `audiosession` or `audiosession-simulate` ends early.
package enum ToolFailure: Error, Hashable {
    /// The reader of the output closed it. This is not an error.
    case outputClosed
    /// A signal requested the end while the output waited for its reader.
    case stopped
    case cannotWrite(reason: String)
    /// A file does not exist, or this user may not read it.
    case cannotRead(path: String, reason: String)
    /// The input is invalid. The text is a sentence with a remedy.
    case badInput(String)
    /// The connection to PipeWire was lost while it was observed.
    case connectionLost
    case session(AudioSessionError)
    /// The test kit could not perform an operation.
    case card(message: String, exitCode: ExitCode)
    /// The program `audiosession-simulate` is not installed or cannot be started.
    case simulationMissing(reason: String)
    /// A simulated card of the same name exists.
    case nameTaken(String)
    /// The demonstration could not be held; why, and what to do.
    case demo(String)
    /// The demonstration ran with another result than the expected one. All of it was printed.
    case differs

    /// The message for users: what happened, why, and what to do.
    package var message: String {
        switch self {
        case .outputClosed: "The reader of the output has closed it."
        case .stopped: "Ended by a signal."
        case .cannotWrite(let reason): "The output cannot be written: \(reason)."
        case .cannotRead(let path, let reason): "\(path) cannot be read: \(reason)."
        case .badInput(let message): message
        case .connectionLost:
            "PipeWire was lost. 'systemctl --user status pipewire' shows why. Start this again when it runs."
        case .session(let error): error.message
        case .card(let message, _): message
        case .nameTaken(let name):
            "A card \(name) exists already. Give this one another name with --name, or end the other."
        case .demo(let message): message
        case .simulationMissing(let reason):
            "The program \(SimulationProgram.name) cannot be started: \(reason). It is searched for beside this program "
                + "and on the PATH. Install the package \(SimulationProgram.name), or build it: "
                + "'swift build --product \(SimulationProgram.name)'."
        case .differs: "The measured sound differs from the expected one. The lines above name each difference."
        }
    }

    /// The exit code as in `sysexits.h`, by which scripts can distinguish failures.
    package var exitCode: ExitCode {
        switch self {
        case .outputClosed, .stopped: .success
        case .demo, .differs: ExitCode(1)
        case .badInput: ExitCode(65)
        case .simulationMissing: ExitCode(72)
        case .nameTaken: ExitCode(73)
        case .cannotRead: ExitCode(66)
        case .connectionLost: ExitCode(69)
        case .cannotWrite: ExitCode(74)
        case .card(_, let exitCode): exitCode
        case .session(let error):
            switch error.code {
            // The tool checks its arguments itself, so the environment variable of the group is the
            // cause.
            case .badParam: ExitCode(64)
            case .mediaServicesFailed, .timedOut, .noOutput, .outputFailed: ExitCode(69)
            case .resourcesExhausted: ExitCode(71)
            case .insufficientPriority, .cannotInterruptOthers: ExitCode(75)
            case .notPermitted: ExitCode(77)
            default: ExitCode(70)
            }
        }
    }
}
