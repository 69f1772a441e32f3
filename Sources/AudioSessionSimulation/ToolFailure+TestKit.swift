import ArgumentParser
import AudioSessionTestKit
import AudioSessionTool
import AudioSessions

extension ToolFailure {
    /// Converts an error of one of the libraries to a failure of the program.
    init(_ error: any Error) {
        switch error {
        case let error as ToolFailure: self = error
        case let error as AudioSessionError: self = .session(error)
        case let error as TestKitError: self.init(error)
        default: self = .demo("\(error)")
        }
    }

    init(_ error: TestKitError) {
        let exitCode: Int32 =
            switch error.code {
            case .daemonUnreachable, .timedOut, .notInstalled: 69
            case .programEnded: 1
            case .cannotStart: 71
            default: 70
            }
        // The test kit's own remedy is for a program that calls it.
        let remedy =
            error.code == .daemonUnreachable
            ? "Start PipeWire, or name the socket of a running one with --remote. Then start this command again."
            : error.remedy
        self = .card(message: "\(error.what): \(error.why). \(remedy)", exitCode: ExitCode(exitCode))
    }
}
