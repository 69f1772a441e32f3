extension AudioSessionError {
    /// The kind of a failure. New kinds may be added, so a `switch` over codes needs a `default`.
    public struct Code: Sendable, Hashable {
        /// The name of the constant, such as `insufficientPriority`.
        public let name: String
        /// The number of the failure in `AVAudioSession.ErrorCode`; `nil` if Apple has no such
        /// failure.
        public let status: Int32?

        package init(_ name: String, _ status: Int32? = nil) {
            self.name = name
            self.status = status
        }

        /// The number as Apple's headers write it, such as `!pri`; `nil` if it has no such form.
        public var fourCharacterCode: String? {
            guard let status else { return nil }
            let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: status >> $0) }
            return bytes.allSatisfy { (0x20...0x7e).contains($0) } ? String(decoding: bytes, as: UTF8.self) : nil
        }
    }
}

// These codes have counterparts with the same numbers on Apple's devices.
extension AudioSessionError.Code {
    /// PipeWire does not run, cannot be reached, or its connection was lost: `msrv`.
    public static let mediaServicesFailed = Self("mediaServicesFailed", 1_836_282_486)
    /// Streams are still running: `!act`. Deactivation never fails with it, but reports which
    /// streams it stopped.
    public static let isBusy = Self("isBusy", 560_030_580)
    /// The category does not have the required direction, such as an input for playback: `!cat`.
    public static let incompatibleCategory = Self("incompatibleCategory", 560_161_140)
    /// A session that does not mix was activated in the background by a program that is not now
    /// playing: `!int`.
    public static let cannotInterruptOthers = Self("cannotInterruptOthers", 560_557_684)
    /// A value or a combination of values is illegal. Its number -50 has no characters.
    public static let badParam = Self("badParam", -50)
    /// A session of higher priority is active, such as a call: `!pri`.
    public static let insufficientPriority = Self("insufficientPriority", 561_017_449)
    /// The required hardware is missing, such as a microphone: `!res`.
    public static let resourceNotAvailable = Self("resourceNotAvailable", 561_145_203)
    /// The session was closed: `!ses`.
    public static let expiredSession = Self("expiredSession", 561_210_739)
    /// The call requires an active session: `inac`.
    public static let sessionNotActive = Self("sessionNotActive", 1_768_841_571)
    /// The cause of the failure is unknown: `what`.
    public static let unspecified = Self("unspecified", 2_003_329_396)
}

// These codes exist only in this library.
extension AudioSessionError.Code {
    /// PipeWire did not answer within the manager's timeout, or did not start within it.
    public static let timedOut = Self("timedOut")
    /// The manager, player, recorder, output or input was closed.
    public static let closed = Self("closed")
    /// The system has no threads, files or memory left for this process, or a limit of sessions is
    /// reached.
    public static let resourcesExhausted = Self("resourcesExhausted")
    /// PipeWire does not permit this program to do it, for example in a sandbox.
    public static let notPermitted = Self("notPermitted")
    /// The process was forked, without exec, from one that had opened a manager.
    public static let forked = Self("forked")
}

extension AudioSessionError.Code {
    private static let apple: [Self] = [
        .mediaServicesFailed, .isBusy, .incompatibleCategory, .cannotInterruptOthers, .badParam,
        .insufficientPriority, .resourceNotAvailable, .expiredSession, .sessionNotActive, .unspecified,
    ]

    /// Finds the code with one of Apple's numbers; `nil` for numbers without a meaning here.
    /// - Parameter status: A number of `AVAudioSession.ErrorCode`.
    public init?(status: Int32) {
        guard let code = Self.apple.first(where: { $0.status == status }) else { return nil }
        self = code
    }
}

extension AudioSessionError.Code: CustomStringConvertible {
    public var description: String { name }
}
