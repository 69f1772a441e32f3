/// The preferences of a program for a session's route.
package struct RoutePreferences: Sendable, Hashable {
    package var output: PortDescription?
    package var input: PortDescription?
    package var override = PortOverride.none
    package var outputSource: DataSource?
    package var inputSource: DataSource?

    package subscript(direction: PortDirection) -> PortDescription? {
        get { direction == .output ? output : input }
        set { if direction == .output { output = newValue } else { input = newValue } }
    }

    package subscript(sourceOf direction: PortDirection) -> DataSource? {
        get { direction == .output ? outputSource : inputSource }
        set { if direction == .output { outputSource = newValue } else { inputSource = newValue } }
    }

    /// Returns the preferences that apply with a policy. Sessions with a long-form policy share the
    /// user's default output.
    func applying(_ policy: AudioSessionConfiguration.RouteSharingPolicy) -> Self {
        var preferences = self
        if policy.isLongForm { (preferences.output, preferences.outputSource) = (nil, nil) }
        return preferences
    }
}

/// The identity of a card's node, across re-creations of its object. The card uses one of the
/// node's routes at a time.
package struct CardPort: Sendable, Hashable {
    /// The `device.name` of the card.
    package var device: String
    /// The `card.profile.device` of the node.
    package var number: Int
    package var direction: PortDirection

    package init(device: String, number: Int, direction: PortDirection) {
        self.device = device
        self.number = number
        self.direction = direction
    }
}

/// The routes and profiles of cards that a session needs. They change the sound of all programs.
package struct CardRequests: Sendable, Hashable {
    /// The names of the routes, by node.
    package var routes: [CardPort: String] = [:]
    /// The `device.name` of each Bluetooth card that must have a hands-free profile.
    package var headsets: Set<String> = []
    /// The names of the profiles, by `device.name`.
    package var profiles: [String: String] = [:]
    /// The cards of ``profiles`` that had the profile by themselves until a jack was emptied. The
    /// session manager selects it again as well, so they are not switched back.
    package var regained: Set<String> = []
    /// The uids of the headphones that need ``profiles``, by `device.name`. Those that were just
    /// plugged in have their profile from the session manager as well, a moment later.
    package var headphones: [String: String] = [:]

    package init(
        routes: [CardPort: String] = [:], headsets: Set<String> = [], profiles: [String: String] = [:]
    ) {
        self.routes = routes
        self.headsets = headsets
        self.profiles = profiles
    }

    package var isEmpty: Bool { routes.isEmpty && headsets.isEmpty && profiles.isEmpty }
}

/// The route to which a card's node is to be switched.
package struct CardRoute: Sendable, Hashable {
    package var end: CardPort
    package var name: String
}

/// The port that a session's streams of one direction are to use.
package struct PortSelection: Sendable, Hashable {
    package var choice: PortChoice
    /// The `node.name` that streams request; `nil` to follow the default.
    package var target: String?
    /// The route to which a card must be switched for that.
    package var route: CardRoute?

    init(_ choice: PortChoice, target: String? = nil, route: CardRoute? = nil) {
        (self.choice, self.target, self.route) = (choice, target, route)
    }
}
