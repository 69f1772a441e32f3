import AudioSessionPlayback
import AudioSessions

extension Error {
    /// The last line of a program that ends with this error; `nil` if it was asked to end.
    public var lastWords: String? {
        switch self {
        case let error as AudioSessionError where error.isRefusal: "refused: \(error.rule ?? error.message)"
        case let error as AudioSessionError: error.message
        case let end as Happenings.End where end.isSignal: nil
        case is Happenings.End: "PipeWire was lost. Run this again when it is back."
        default: "\(self)"
        }
    }

    /// Codes of `sysexits.h`, which scripts can distinguish.
    public var exitStatus: Int32 {
        switch self {
        case let error as AudioSessionError where error.isRefusal: 75
        case let error as AudioSessionError where error.code == .cannotWrite: 73
        case let error as AudioSessionError where error.path != nil: 66
        case is AudioSessionError: 69
        case let end as Happenings.End: end.exitStatus
        default: 69
        }
    }
}

extension AudioSessionError {
    /// Another program's session refuses the activation.
    fileprivate var isRefusal: Bool { code == .insufficientPriority || code == .cannotInterruptOthers }
}

extension Happenings.End {
    fileprivate var isSignal: Bool { if case .signal = self { true } else { false } }

    fileprivate var exitStatus: Int32 { if case .signal(let number) = self { 128 + number } else { 69 } }
}
