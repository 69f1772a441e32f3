public import Foundation

// The notifications of iOS 27, which state whether the session is active.
extension AVAudioSession {
    /// Posted on the main queue when the session becomes active.
    public static let didBecomeActiveNotification = Notification.Name("AVAudioSessionDidBecomeActiveNotification")
    /// Posted on the main queue when the session becomes inactive, with a ``DeactivationContext``.
    public static let didBecomeInactiveNotification = Notification.Name(
        "AVAudioSessionDidBecomeInactiveNotification")
    /// Posted on the main queue when an interruption has ended, with a ``ResumptionContext``.
    ///
    /// Unlike on iOS, it is never posted after an activation that was refused.
    public static let resumptionRecommendationNotification = Notification.Name(
        "AVAudioSessionResumptionRecommendationNotification")

    /// The key of the ``DeactivationContext`` of ``didBecomeInactiveNotification``.
    public static let deactivationContextKey = "AVAudioSessionDeactivationContextKey"
    /// The key of the ``ResumptionContext`` of ``resumptionRecommendationNotification``.
    public static let resumptionContextKey = "AVAudioSessionResumptionContextKey"

    /// The cause of the deactivation.
    public enum DeactivationSource: Int, Sendable {
        case app = 1
        case system = 2
    }

    /// The advice whether to continue after an interruption.
    public enum ResumptionRecommendation: Int, Sendable {
        case shouldNotResume = 0
        case shouldResume = 1
    }

    /// The reason and the source of a deactivation.
    public final class DeactivationContext: NSObject, Sendable {
        /// The cause of the deactivation: this program, or the session of another one.
        public let source: DeactivationSource
        /// The interruption by another program; `nil` if this program deactivated the session.
        public let interruptionContext: InterruptionContext?

        init(bySystem: Bool) {
            source = bySystem ? .system : .app
            interruptionContext = bySystem ? InterruptionContext() : nil
        }
    }

    /// The interruption that made the session inactive.
    public final class InterruptionContext: NSObject, Sendable {
        /// The reason, which is always ``InterruptionReason/default``.
        public let reason = InterruptionReason.default

        override init() {}
    }

    /// The advice after an interruption.
    public final class ResumptionContext: NSObject, Sendable {
        /// The advice whether to continue.
        public let recommendation: ResumptionRecommendation

        init(_ recommendation: ResumptionRecommendation) { self.recommendation = recommendation }
    }
}
