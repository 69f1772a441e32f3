/// The time limits for events that are known to follow.
enum RouteLimits {
    /// The limit for the session manager to select another route or default.
    static let change = Duration.milliseconds(300)
    /// The limit for a device whose node was removed to show another one, or to be removed as well.
    static let suspicion = Duration.seconds(1)
    /// The limit for a headset or card to switch its profile. PipeWire leaves three seconds
    /// between two switches of a headset's codec.
    static let profile = Duration.seconds(5)
    /// The limit for streams to move to a requested port.
    static let request = Duration.seconds(2)
    /// The limit for a restarted session manager to select routes, and for a stopped one to return
    /// with an input.
    static let restart = Duration.seconds(5)
    /// The limit for a restarted session manager to re-create its devices. A Bluetooth headset
    /// reconnects within some seconds.
    static let recreation = Duration.seconds(10)
    /// The time within which a jack that opens and closes counts as a bouncing contact, because no
    /// user is as fast.
    static let bounce = Duration.milliseconds(100)
    /// The time without events after which a bouncing jack counts as settled.
    static let quiet = Duration.milliseconds(100)
    /// The time after a port appeared within which a move to it has the reason
    /// `newDeviceAvailable`.
    static let arrival = Duration.seconds(2)
    /// The time after the computer woke up within which a change has the reason `wakeFromSleep`.
    static let wake = Duration.seconds(5)
}
