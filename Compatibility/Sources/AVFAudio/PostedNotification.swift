import AudioSessions
import Foundation

/// A notification before its conversion to a dictionary.
enum PostedNotification: Sendable {
    case began
    case ended(UInt)
    case route(UInt, previous: AVAudioSessionRouteDescription)
    case hint(UInt)
    case lost, reset, inputs
    case active, inactive(bySystem: Bool), recommendation(Bool)

    init?(_ event: AudioSession.Event, of session: SessionImplementation) {
        switch event {
        case .interruptionBegan: self = .began
        case .interruptionEnded(let options, _): self = .ended(options.rawValue)
        case .routeChanged(let change):
            self = .route(
                change.reason.rawValue, previous: AVAudioSessionRouteDescription(change.previous, of: session))
        case .silenceSecondaryAudioHint(let type, _): self = .hint(type.rawValue)
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
        case .active: AVAudioSession.didBecomeActiveNotification
        case .inactive: AVAudioSession.didBecomeInactiveNotification
        case .recommendation: AVAudioSession.resumptionRecommendationNotification
        }
    }

    /// Whether it is posted on the main queue. Route changes are not, because they are
    /// latency-critical.
    var isForMainThread: Bool { name != AVAudioSession.routeChangeNotification }

    /// The values of the dictionary. Numbers are `NSNumber`, so programs can cast them to `UInt`,
    /// `Int` and `NSNumber`.
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
        case .inactive(let bySystem):
            [AVAudioSession.deactivationContextKey: AVAudioSession.DeactivationContext(bySystem: bySystem)]
        case .recommendation(let shouldResume):
            [
                AVAudioSession.resumptionContextKey: AVAudioSession.ResumptionContext(
                    shouldResume ? .shouldResume : .shouldNotResume)
            ]
        case .lost, .reset, .inputs, .active: nil
        }
    }

    private func number(_ value: UInt) -> NSNumber { NSNumber(value: value) }
}
