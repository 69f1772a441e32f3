/// The reason of a route change. Raw values are those of `AVAudioSession.RouteChangeReason`.
@nonexhaustive
public enum RouteChangeReason: UInt, Sendable, Hashable, CaseIterable {
    /// The reason is not known.
    case unknown = 0
    /// A device appeared, and the route moved to it.
    case newDeviceAvailable = 1
    /// The device in use was lost.
    case oldDeviceUnavailable = 2
    /// Category, mode or options of an active session changed. The ports may be the same.
    case categoryChange = 3
    /// The user or the program selected another port while the old one was still available.
    case override = 4
    /// The computer woke up. The change happened during the sleep or soon after it.
    case wakeFromSleep = 6
    /// No port is left that suits the session.
    case noSuitableRouteForCategory = 7
    /// The configuration of the same devices changed, or the session manager changed the route by
    /// itself.
    case routeConfigurationChange = 8
}

/// A change of a route, with the route before and after it.
///
/// Both are part of the event, because reading the current route would race with the next change.
public struct RouteChange: Sendable, Hashable {
    /// The reason of the change.
    public let reason: RouteChangeReason
    /// The route before the change.
    public let previous: RouteDescription
    /// The route after the change.
    public let current: RouteDescription
    /// The time at which this process received the change.
    public let time: MonotonicTime
    /// The reason that ``RouteChangeReason/wakeFromSleep`` replaces; otherwise the reason itself.
    package let underlyingReason: RouteChangeReason

    package init(
        reason: RouteChangeReason, previous: RouteDescription, current: RouteDescription, time: MonotonicTime,
        underlyingReason: RouteChangeReason? = nil
    ) {
        self.reason = reason
        self.underlyingReason = underlyingReason ?? reason
        self.previous = previous
        self.current = current
        self.time = time
    }
}

/// A time of `CLOCK_MONOTONIC`, the clock that PipeWire and all processes of the computer share.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    /// The nanoseconds since the computer was started, without time in which it slept.
    public let nanoseconds: UInt64

    /// Makes a time from nanoseconds of the same clock.
    /// - Parameter nanoseconds: The nanoseconds since the computer was started.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the duration from `start` to `self`; zero if `start` is later.
    /// - Parameter start: The earlier time.
    public func since(_ start: Self) -> Duration {
        .nanoseconds(nanoseconds > start.nanoseconds ? Int64(clamping: nanoseconds - start.nanoseconds) : 0)
    }

    /// Returns the time after a duration; the first or last time if it is out of range.
    package static func + (time: Self, duration: Duration) -> Self {
        Self(nanoseconds: UInt64(clamping: Int128(time.nanoseconds) + duration.attoseconds / 1_000_000_000))
    }
}
