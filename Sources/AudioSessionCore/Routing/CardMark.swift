/// A mark that a program publishes while one of its sessions needs an end of a card on a route of its choice.
///
/// The payload is `1;card=`, then direction, number, device and route, separated by semicolons.
package struct CardMark: Sendable, Hashable {
    package let end: CardEnd
    /// The name of the route that was chosen.
    package let route: String

    package init(end: CardEnd, route: String) { (self.end, self.route) = (end, route) }

    package init?(_ properties: Properties) {
        guard let payload = properties.announced(.mark)?.payload, payload.hasPrefix(Self.start),
            payload.utf8.count <= Self.longest
        else { return nil }
        let parts = payload.dropFirst(Self.start.count).split(
            separator: ";", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let direction = PortDirection(rawValue: String(parts[0])), let number = Int(parts[1])
        else { return nil }
        end = CardEnd(device: String(parts[2]), number: number, direction: direction)
        route = String(parts[3])
    }

    /// - Parameter name: the program's own, the same for all of its marks.
    package func announcement(named name: String) -> Announcement {
        Announcement(.mark, name: name, payload: Self.start + end.text + route)
    }

    private static let start = "1;card="
    /// Names of devices and routes are far shorter.
    private static let longest = 512
}

extension CardEnd {
    /// The text for this end in marks and in orders to the watchdog.
    package var text: String { "\(direction.rawValue);\(number);\(device);" }
}

/// An end of a card that the watchdog switches back after the program ends.
package struct CardCharge: Sendable, Hashable {
    package let mark: CardMark
    /// Index of the route that the program chose.
    package let chosen: Int
    /// Index of the route that the session manager would choose.
    package let back: Int
}

/// Other programs' marks, and the cards that a killed program and its killed watchdog have not switched back.
///
/// A removed mark decides nothing by itself: the card's route is compared with the one that the session manager would choose.
package struct AbandonedCards: Sendable {
    private var marks: [ObjectID: CardMark] = [:]
    private var abandoned: [CardMark: MonotonicTime] = [:]

    /// Time for the program or its watchdog to switch back first.
    private static let patience = Duration.seconds(2)
    /// Limit for present and for removed marks. Further ones are ignored.
    private static let most = 64

    package init() {}

    /// When ``review(_:isOurs:now:)`` is to be called.
    package var deadline: MonotonicTime? { abandoned.values.min().map { $0 + Self.patience } }

    /// - Parameter client: the owner. Marks of sandboxed programs are ignored.
    package mutating func appeared(_ id: ObjectID, _ properties: Properties, of client: Client?) {
        guard marks.count < Self.most, client?.isSandboxed != true, let mark = CardMark(properties) else { return }
        marks[id] = mark
        abandoned[mark] = nil
    }

    /// - Returns: whether there is another deadline.
    package mutating func disappeared(_ id: ObjectID, now: MonotonicTime) -> Bool {
        guard let mark = marks.removeValue(forKey: id), !isNeeded(mark.end), abandoned.count < Self.most else {
            return false
        }
        abandoned[mark] = now
        return true
    }

    /// Whether another program has chosen the route of this end.
    package func isNeeded(_ end: CardEnd) -> Bool { marks.values.contains { $0.end == end } }

    /// - Parameter isOurs: whether this program has the oldest session, and so is the one that acts.
    /// - Returns: commands that switch back the cards whose deadline has passed.
    package mutating func review(_ graph: AudioGraph, isOurs: Bool, now: MonotonicTime) -> [GraphCommand] {
        let due = abandoned.filter { $0.value + Self.patience <= now }.keys
        for mark in due { abandoned[mark] = nil }
        guard isOurs else { return [] }
        return due.sorted { $0.end.text < $1.end.text }.compactMap { mark in
            guard !isNeeded(mark.end), graph.activeRoute(of: mark.end) == mark.route else { return nil }
            return graph.switchBack(mark.end)
        }
    }
}

extension AudioGraph {
    /// The command that switches an end to the route that the session manager would choose; `nil` if it is on it.
    func switchBack(_ end: CardEnd) -> GraphCommand? {
        guard let device = device(named: end.device),
            let best = bestRoute(of: device, number: end.number, end.direction), best.name != activeRoute(of: end)
        else { return nil }
        return .setRoute(device.id, index: best.index, number: end.number)
    }

    /// The watchdog's charge for a mark; `nil` if the session manager would choose the same route.
    func charge(_ mark: CardMark) -> CardCharge? {
        guard let device = device(named: mark.end.device), let chosen = route(named: mark.route, of: mark.end),
            let best = bestRoute(of: device, number: mark.end.number, mark.end.direction), best.index != chosen.index
        else { return nil }
        return CardCharge(mark: mark, chosen: chosen.index, back: best.index)
    }
}
