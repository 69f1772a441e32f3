/// Why a route changed. Raw values are those of `AVAudioSession.RouteChangeReason`.
public enum RouteChangeReason: UInt, Sendable, Hashable, CaseIterable {
    /// The cause is not known.
    case unknown = 0
    /// A device appeared and the sound moved to it.
    case newDeviceAvailable = 1
    /// The device in use went away.
    case oldDeviceUnavailable = 2
    /// Category, mode or options of an active session changed. The ports may be the same.
    case categoryChange = 3
    /// The user or the program chose another port while the old one was still there.
    case override = 4
    /// The computer woke up, and this change happened while it slept or soon after.
    case wakeFromSleep = 6
    /// No port is left that suits the session.
    case noSuitableRouteForCategory = 7
    /// The same devices in another configuration, or the session manager moved the sound by itself.
    case routeConfigurationChange = 8
}

/// A route before and after one change, so that nobody has to ask for the current one and race with the next.
public struct RouteChange: Sendable, Hashable {
    /// Why.
    public let reason: RouteChangeReason
    /// The route before the change.
    public let previous: RouteDescription
    /// The route after it.
    public let current: RouteDescription
    /// When the news of the change reached this process.
    public let time: MonotonicTime

    /// For tests: what a program is told comes from PipeWire.
    public init(
        reason: RouteChangeReason, previous: RouteDescription, current: RouteDescription, time: MonotonicTime
    ) {
        self.reason = reason
        self.previous = previous
        self.current = current
        self.time = time
    }
}

/// A moment on the machine's `CLOCK_MONOTONIC`, the clock that PipeWire and every process on the machine share.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    /// Since the machine was started; time in which it slept does not count.
    public let nanoseconds: UInt64

    /// A moment that came from elsewhere, as this clock counts.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The time from `start` to `self`, zero if `start` is the later one.
    public func since(_ start: Self) -> Duration {
        .nanoseconds(nanoseconds > start.nanoseconds ? Int64(nanoseconds - start.nanoseconds) : 0)
    }

    package static func + (time: Self, duration: Duration) -> Self {
        Self(nanoseconds: time.nanoseconds + UInt64(duration.attoseconds / 1_000_000_000))
    }
}
