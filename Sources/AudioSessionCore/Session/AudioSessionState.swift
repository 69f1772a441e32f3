/// A session's state: inactive, active or interrupted.
@nonexhaustive
public enum AudioSessionState: String, Sendable, Hashable, CaseIterable {
    /// An `interrupted` session is silent and keeps its place. When the interruption ends, it is
    /// `inactive` until it resumes.
    case inactive, active, interrupted
}
