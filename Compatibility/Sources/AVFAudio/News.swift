import AudioSessions
import Foundation

/// What is posted, before it is put into a dictionary.
enum News: Sendable {
    case began
    case ended(UInt)
    case route(UInt, previous: AVAudioSessionRouteDescription)
    case hint(UInt)
    case lost, reset, inputs

    init?(_ event: AudioSession.Event, of session: AVAudioSession) {
        switch event {
        case .interruptionBegan: self = .began
        case .interruptionEnded(let options, _): self = .ended(options.rawValue)
        case .routeChanged(let change):
            self = .route(
                change.reason.rawValue, previous: AVAudioSessionRouteDescription(change.previous, of: session))
        case .silenceSecondaryAudioHint(let type): self = .hint(type.rawValue)
        case .mediaServicesLost: self = .lost
        case .mediaServicesReset: self = .reset
        default: return nil
        }
    }

    var name: Notification.Name {
        switch self {
        case .began, .ended: AVAudioSession.interruptionNotification
        case .route: AVAudioSession.routeChangeNotification
        case .hint: AVAudioSession.silenceSecondaryAudioHintNotification
        case .lost: AVAudioSession.mediaServicesWereLostNotification
        case .reset: AVAudioSession.mediaServicesWereResetNotification
        case .inputs: AVAudioSession.availableInputsChangeNotification
        }
    }

    /// All but changes of the route, which have to be heard of at once.
    var isForMainThread: Bool { name != AVAudioSession.routeChangeNotification }

    /// Numbers are `NSNumber`, so that they are had as `UInt`, `Int` and `NSNumber`, whatever the program asks for.
    var userInfo: [AnyHashable: Any]? {
        switch self {
        case .began:
            [
                AVAudioSessionInterruptionTypeKey: number(AVAudioSession.InterruptionType.began.rawValue),
                AVAudioSessionInterruptionReasonKey: number(AVAudioSession.InterruptionReason.default.rawValue),
            ]
        case .ended(let options):
            [
                AVAudioSessionInterruptionTypeKey: number(AVAudioSession.InterruptionType.ended.rawValue),
                AVAudioSessionInterruptionOptionKey: number(options),
            ]
        case .route(let reason, let previous):
            [
                AVAudioSessionRouteChangeReasonKey: number(reason),
                AVAudioSessionRouteChangePreviousRouteKey: previous,
            ]
        case .hint(let type): [AVAudioSessionSilenceSecondaryAudioHintTypeKey: number(type)]
        case .lost, .reset, .inputs: nil
        }
    }

    private func number(_ value: UInt) -> NSNumber { NSNumber(value: value) }
}
