import AudioSessions

/// Formats a route or a route change as a sentence.
enum RouteSentence {
    static func beginning(_ route: RouteDescription) -> String {
        "sound goes to \(list(route.outputs)) and comes from \(list(route.inputs))"
    }

    /// Returns the reason and the moves of a route change, such as
    /// "headphones unplugged: sound was on Headphones, now on Speakers".
    static func change(_ change: RouteChange) -> String {
        let moves = [
            move("sound was on", change.previous.outputs, "now on", change.current.outputs),
            move("recording was from", change.previous.inputs, "now from", change.current.inputs),
        ].compactMap(\.self)
        return "\(cause(change)): \(moves.isEmpty ? "the ports are the same" : moves.joined(separator: "; "))"
    }

    private static func move(
        _ was: String, _ old: [PortDescription], _ now: String, _ new: [PortDescription]
    ) -> String? {
        old.map(\.uid) == new.map(\.uid) ? nil : "\(was) \(list(old)), \(now) \(list(new))"
    }

    private static func list(_ ports: [PortDescription]) -> String {
        ports.isEmpty ? "nothing" : ports.map(\.name).joined(separator: " and ")
    }

    private static func cause(_ change: RouteChange) -> String {
        switch change.reason {
        case .newDeviceAvailable:
            subject(of: change.current, notIn: change.previous) { $0.wayToCome } ?? "a new device appeared"
        case .oldDeviceUnavailable, .noSuitableRouteForCategory:
            subject(of: change.previous, notIn: change.current) { $0.wayToGo } ?? "the old device was removed"
        case .override: "another port was chosen"
        case .categoryChange: "the session's category changed"
        case .wakeFromSleep: "the computer woke up"
        case .routeConfigurationChange: "the configuration changed"
        case .unknown: "the route changed"
        }
    }

    /// Returns the types of the ports that only `route` has, each once, with the verb of the first.
    private static func subject(
        of route: RouteDescription, notIn other: RouteDescription, verb: (PortType) -> String
    ) -> String? {
        let known = Set((other.outputs + other.inputs).map(\.uid))
        let types = (route.outputs + route.inputs).filter { !known.contains($0.uid) }.map(\.type)
        // Built-in ports appear and disappear only because another port was plugged or unplugged.
        let movable = types.filter { !$0.isBuiltIn }
        guard let first = movable.first ?? types.first else { return nil }
        let same = (movable.isEmpty ? types : movable).filter { verb($0) == verb(first) }
        var words: [String] = []
        for word in same.map(\.word) where !words.contains(word) { words.append(word) }
        return "\(words.joined(separator: " and ")) \(verb(first))"
    }
}
