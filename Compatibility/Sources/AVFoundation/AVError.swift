public import Foundation

/// The domain of errors of AVFoundation.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of AVFoundation, for code that names it.
///
/// No function here throws it: those of `AVFAudio` throw `NSError` with Core Audio's numbers.
public struct AVError: CustomNSError, Hashable, Sendable {
    /// The number of the error.
    public let code: Code

    /// Creates an error with a number.
    public init(_ code: Code) { self.code = code }

    public static var errorDomain: String { AVFoundationErrorDomain }
    public var errorCode: Int { code.rawValue }

    /// The numbers that concern sound, files and permissions.
    public enum Code: Int, Sendable {
        case unknown = -11800
        case outOfMemory = -11801
        case sessionNotRunning = -11803
        case deviceAlreadyUsedByAnotherSession = -11804
        case noDataCaptured = -11805
        case deviceNotConnected = -11814
        case mediaServicesWereReset = -11819
        case decodeFailed = -11821
        case fileAlreadyExists = -11823
        case fileFormatNotRecognized = -11828
        case fileFailedToParse = -11829
        case operationNotAllowed = -11862
        case operationInterrupted = -11847
        case applicationIsNotAuthorizedToUseDevice = -11852
    }
}
