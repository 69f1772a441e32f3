/// How long to wait for what is known to follow, before going on without it.
enum RouteLimits {
    /// For the session manager to choose another route or default.
    static let change = Duration.milliseconds(300)
    /// For a device whose node went to show another, or to go as well.
    static let suspicion = Duration.seconds(1)
    /// For a headset that was asked for another profile to show it.
    static let profile = Duration.seconds(5)
    /// For streams to move to where they were sent.
    static let wish = Duration.seconds(2)
    /// For a session manager that came back to bring its devices, and for one that went to come back with an input.
    static let restart = Duration.seconds(5)
    /// A jack that opens and closes within this time bounces: no hand is as fast.
    static let bounce = Duration.milliseconds(100)
    /// A jack that bounces has come to rest when nothing was heard of it for so long.
    static let quiet = Duration.milliseconds(100)
    /// A port that the sound moves to within this time of its appearing is a new device.
    static let arrival = Duration.seconds(2)
    /// A change within this time after the computer woke up was found then.
    static let wake = Duration.seconds(5)
}
