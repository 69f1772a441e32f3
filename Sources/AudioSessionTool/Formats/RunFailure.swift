import AudioSessions

/// The reason why a command of `audiosession run` failed, as its reply states it.
struct RunFailure: Error, Hashable {
    let error: String
    /// Apple's number of the error; `nil` if Apple has none.
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
        case let error as ToolFailure: self.init("unspecified", error.message)
        default: self.init("unspecified", "\(error)")
        }
    }

    static func badCommand(_ message: String) -> Self { Self("badCommand", message) }
}
