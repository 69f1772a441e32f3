/// Whether a session has its turn.
public enum AudioSessionState: String, Sendable, Hashable, CaseIterable {
    /// `interrupted` sessions keep their place and are silent; after the end they are `inactive` until they go
    /// on.
    case inactive, active, interrupted
}
