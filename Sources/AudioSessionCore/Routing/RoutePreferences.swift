/// What a program wants of a session's route.
package struct RoutePreferences: Sendable, Hashable {
    package var output: PortDescription?
    package var input: PortDescription?
    package var override = PortOverride.none
    package var outputSource: DataSource?
    package var inputSource: DataSource?

    package init() {}

    package subscript(direction: PortDirection) -> PortDescription? {
        get { direction == .output ? output : input }
        set { if direction == .output { output = newValue } else { input = newValue } }
    }

    package subscript(sourceOf direction: PortDirection) -> DataSource? {
        get { direction == .output ? outputSource : inputSource }
        set { if direction == .output { outputSource = newValue } else { inputSource = newValue } }
    }
}

/// The node of a card, however often it comes and goes: its card plays to one of the node's routes at a time.
package struct CardEnd: Sendable, Hashable {
    /// `device.name`
    package var device: String
    /// `card.profile.device`
    package var number: Int
    package var direction: PortDirection

    package init(device: String, number: Int, direction: PortDirection) {
        self.device = device
        self.number = number
        self.direction = direction
    }
}

/// What a session wants of cards; all programs hear that.
package struct CardWishes: Sendable, Hashable {
    /// The names of routes.
    package var routes: [CardEnd: String] = [:]
    /// Bluetooth cards that are to be hands-free, by `device.name`.
    package var headsets: Set<String> = []
    /// The names of profiles, by `device.name`.
    package var profiles: [String: String] = [:]

    package init(
        routes: [CardEnd: String] = [:], headsets: Set<String> = [], profiles: [String: String] = [:]
    ) {
        self.routes = routes
        self.headsets = headsets
        self.profiles = profiles
    }

    package var isEmpty: Bool { routes.isEmpty && headsets.isEmpty && profiles.isEmpty }
}

/// What a card's end is to be switched to.
package struct CardRoute: Sendable, Hashable {
    package var end: CardEnd
    package var name: String
}

/// Where a session's streams of one direction are to go.
package struct PortSelection: Sendable, Hashable {
    package var choice: PortChoice
    /// `node.name` that streams ask for; `nil`: they follow the machine's default.
    package var target: String?
    /// What a card has to be switched to for that.
    package var route: CardRoute?

    package init(_ choice: PortChoice, target: String? = nil, route: CardRoute? = nil) {
        self.choice = choice
        self.target = target
        self.route = route
    }
}
