import AudioSessions
public import Foundation

/// The program, as the owner of its sessions.
public final class AVAudioApplication: NSObject, Sendable {
    public static let shared = AVAudioApplication()

    public enum RecordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }

    /// Posted on the main queue by ``setInputMuted(_:)``.
    public static let inputMuteStateChangeNotification = Notification.Name(
        "AVAudioApplicationInputMuteStateChangeNotification")
    /// A `Bool`: whether the input is muted.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"

    private override init() {}

    /// Granted: nobody is asked on Linux. What a sandbox denies, PipeWire denies.
    public var recordPermission: RecordPermission { .granted }

    /// Calls the handler with `true`, on any thread.
    public static func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        DispatchQueue.global().async { response(true) }
    }

    /// - Returns: `true`.
    public static func requestRecordPermission() async -> Bool { true }

    /// Whether this program records silence.
    public var isInputMuted: Bool {
        (try? AVAudioSession.sharedInstance().backend())?.manager.isInputMuted ?? false
    }

    /// Mutes or unmutes all that this program records through this module.
    /// - Throws: `mediaServicesFailed` without PipeWire.
    public func setInputMuted(_ muted: Bool) throws {
        let isNew = try AVAudioSession.sharedInstance().perform { backend in
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
