/// A session's state: inactive, active or interrupted.
@nonexhaustive
public enum AudioSessionState: String, Sendable, Hashable, CaseIterable {
    /// The session is not active. After the end of an interruption it is inactive until it resumes.
    case inactive
    /// The session is active, and may be heard.
    case active
    /// Another session interrupts the session, which is silent and keeps its place.
    case interrupted
}
