public import Foundation

/// The kind of a medium.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let audio = Self(rawValue: "soun")
    public static let video = Self(rawValue: "vide")
}

/// Whether the program may record a medium.
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
}

/// The permission to record. There are no devices to choose from: use a session's inputs.
public final class AVCaptureDevice: NSObject, Sendable {
    private override init() {}

    /// The permission to record a medium: `authorized` for sound, because Linux has no permission
    /// dialog, and `restricted` for others, which are not recorded here.
    ///
    /// - Parameter mediaType: the medium.
    public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        mediaType == .audio ? .authorized : .restricted
    }

    /// Calls the handler with whether the medium may be recorded, before it returns.
    ///
    /// - Parameters:
    ///   - mediaType: the medium.
    ///   - handler: called with `true` for sound.
    public static func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping (Bool) -> Void
    ) {
        handler(authorizationStatus(for: mediaType) == .authorized)
    }

    /// Requests the permission to record a medium.
    ///
    /// - Parameter mediaType: the medium.
    /// - Returns: `true` for sound.
    public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
        authorizationStatus(for: mediaType) == .authorized
    }
}
