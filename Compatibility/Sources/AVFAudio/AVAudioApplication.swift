import AudioSessions
public import Foundation

/// The program as the owner of its audio sessions, like Apple's `AVAudioApplication`.
public final class AVAudioApplication: NSObject, Sendable {
    public static let shared = AVAudioApplication()

    public enum RecordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }

    /// Posted on the main queue after ``setInputMuted(_:)`` has changed the state.
    public static let inputMuteStateChangeNotification = Notification.Name(
        "AVAudioApplicationInputMuteStateChangeNotification")
    /// The key of a `Bool` that states whether the input is muted.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"

    private override init() {}

    /// Always `granted`, because Linux has no permission dialog. PipeWire enforces the rules of a
    /// sandbox.
    public var recordPermission: RecordPermission { .granted }

    /// Calls the handler with `true` before it returns.
    ///
    /// - Parameter response: the completion handler.
    public static func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
        response(true)
    }

    /// Requests the permission to record, which is always granted.
    ///
    /// - Returns: `true`.
    public static func requestRecordPermission() async -> Bool { true }

    /// Whether this program records silence.
    public var isInputMuted: Bool {
        (try? AVAudioSession.sharedInstance().implementation.backend())?.manager.isInputMuted ?? false
    }

    /// Mutes or unmutes everything that this program records through this module.
    ///
    /// - Parameter muted: whether the input is muted.
    /// - Throws: `mediaServicesFailed` without PipeWire.
    public func setInputMuted(_ muted: Bool) throws {
        let isNew = try AVAudioSession.sharedInstance().implementation.perform { backend in
            let isNew = backend.manager.isInputMuted != muted
            await backend.manager.setInputMuted(muted)
            return isNew
        }
        guard isNew else { return }
        DispatchQueue.main.async { [self] in
            NotificationCenter.default.post(
                name: Self.inputMuteStateChangeNotification, object: self,
                userInfo: [Self.muteStateKey: NSNumber(value: muted)])
        }
    }
}
