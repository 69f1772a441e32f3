import AudioSessionPlayback
import AudioSessions
import Foundation

extension NSError {
    /// Converts an error to the one that Apple's functions throw. An error without Apple
    /// counterpart gets the closest code.
    convenience init(_ error: any Error) {
        switch error {
        case let error as AudioSessionError: self.init(status: Self.status(of: error.code), error.message)
        case let error as NSError: self.init(domain: error.domain, code: error.code, userInfo: error.userInfo)
        }
    }

    convenience init(_ code: AVAudioSession.ErrorCode, _ message: String) {
        self.init(status: code.rawValue, message)
    }

    convenience init(status: Int, _ message: String) {
        self.init(domain: NSOSStatusErrorDomain, code: status, userInfo: [NSLocalizedDescriptionKey: message])
    }

    private static func status(of code: AudioSessionError.Code) -> Int {
        if let status = code.status { return Int(status) }
        return switch code {
        case .fileNotFound: -43
        case .permissionDenied, .cannotWrite: -54
        case .unsupportedFormat: Int("typ?".fourCharacterCode)
        case .unsupportedRecordingFormat: Int("fmt?".fourCharacterCode)
        case .notAFile, .unreadable: Int("dta?".fourCharacterCode)
        case .timedOut, .closed: AVAudioSession.ErrorCode.mediaServicesFailed.rawValue
        case .noOutput, .noMicrophone: AVAudioSession.ErrorCode.resourceNotAvailable.rawValue
        case .notPermitted: AVAudioSession.ErrorCode.missingEntitlement.rawValue
        default: AVAudioSession.ErrorCode.unspecified.rawValue
        }
    }
}

extension String {
    /// The number of a four-character code in Apple's headers, from the first four bytes.
    var fourCharacterCode: UInt32 { utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
