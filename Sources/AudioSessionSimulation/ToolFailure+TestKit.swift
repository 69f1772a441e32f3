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
        self = .card(message: "\(error.what): \(error.why). \(remedy(error))", exitCode: ExitCode(exitCode))
    }
}

/// Returns the remedy for a terminal. Some of the test kit's are for a program that calls it.
private func remedy(_ error: TestKitError) -> String {
    let replacements = [
        ("pass the socket of a running one as 'remote'", "name the socket of a running one with --remote"),
        (
            "Start PipeWire again and call reconnect(), or create another card.",
            "Start PipeWire, then this command again."
        ),
        ("and create another SinkTap.", "then this command again."),
        ("Create another VirtualCard.", "Start this command again."),
        ("Create another SinkTap.", "Start this command again."),
    ]
    return replacements.reduce(error.remedy) { text, pair in text.replacing(pair.0, with: pair.1) }
}
