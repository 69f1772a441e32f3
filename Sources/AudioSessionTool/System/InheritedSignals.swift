import Glibc

/// The signal settings that this program inherited, for the programs that it starts.
struct InheritedSignals: Sendable {
    /// The signals that the first thread had blocked.
    let mask: sigset_t
    let isPipeSignalIgnored: Bool

    /// The settings at the start. They must be read on the first thread before any is changed.
    static let atStart = InheritedSignals()

    private init() {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        self.mask = mask
        isPipeSignalIgnored = Self.isIgnored(SIGPIPE)
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
