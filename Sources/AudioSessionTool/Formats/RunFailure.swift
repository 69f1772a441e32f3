import AudioSessionPlayback
import AudioSessions

/// Why a command was not carried out, as its reply says it.
struct RunFailure: Error, Hashable {
    let error: String
    /// Apple's number, where there is one.
    let code: Int32?
    let message: String

    init(_ error: String, code: Int32? = nil, _ message: String) {
        self.error = error
        self.code = code
        self.message = message
    }

    init(_ error: any Error) {
        switch error {
        case let error as RunFailure: self = error
        case let error as AudioSessionError:
            let advice = error.code == .insufficientPriority ? " The command 'why' shows its state." : ""
            self.init(error.code.name, code: error.code.status, error.message + advice)
        case let error as PlaybackError:
            let isLoss = error.code == .mediaServicesFailed
            self.init(
                error.code.name, code: isLoss ? AudioSessionError.Code.mediaServicesFailed.status : nil, error.message
            )
        case let error as RecordingError:
            if let cause = error.sessionError {
                self.init(cause)
            } else {
                self.init(error.code.name, code: error.status, error.message)
            }
        case let error as ToolFailure: self.init("unspecified", error.message)
        default: self.init("unspecified", "\(error)")
        }
    }

    static func badCommand(_ message: String) -> Self { Self("badCommand", message) }
}

extension RecordingError {
    /// Apple's number, where there is one.
    fileprivate var status: Int32? {
        code == .mediaServicesFailed ? AudioSessionError.Code.mediaServicesFailed.status : nil
    }
}
