/// What a program announces that has switched an end of a card, for as long as it wants that.
///
/// The payload is `1;card=`, the direction, the end's number, the device and the route, each separated by a semicolon. What is
/// of another form is no mark.
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
    /// As marks name it, and the watchdog knows it.
    package var text: String { "\(direction.rawValue);\(number);\(device);" }
}

/// A card's end that is to be switched back when the program ends, however it ends.
package struct CardCharge: Sendable, Hashable {
    package let mark: CardMark
    /// The index of the route that was chosen, and of the one that the session manager would choose.
    package let chosen: Int
    package let back: Int
}

/// Ends of cards that a program has left as it chose them: it was killed, and its watchdog with it.
///
/// A mark that goes is obeyed in nothing: what the card shows is compared with what the session manager would choose.
package struct AbandonedCards: Sendable {
    private var marks: [ObjectID: CardMark] = [:]
    private var abandoned: [CardMark: MonotonicTime] = [:]

    /// For the program or its watchdog to switch it back.
    private static let patience = Duration.seconds(2)
    /// Further marks, and marks that go, are not looked at.
    private static let most = 64

    package init() {}

    /// When ``review(_:isOurs:now:)`` is to be called.
    package var deadline: MonotonicTime? { abandoned.values.min().map { $0 + Self.patience } }

    /// - Parameter client: whose mark it is. That of a sandboxed program does not count.
    package mutating func appeared(_ id: ObjectID, _ properties: Properties, of client: Client?) {
        guard marks.count < Self.most, client?.isSandboxed != true, let mark = CardMark(properties) else { return }
        marks[id] = mark
        abandoned[mark] = nil
    }

    /// - Returns: whether there is another deadline.
    package mutating func disappeared(_ id: ObjectID, now: MonotonicTime) -> Bool {
        guard let mark = marks.removeValue(forKey: id), !isMarked(mark.end), abandoned.count < Self.most else {
            return false
        }
        abandoned[mark] = now
        return true
    }

    private func isMarked(_ end: CardEnd) -> Bool { marks.values.contains { $0.end == end } }

    /// - Parameter isOurs: whether it is this program that does it: the oldest one with a session.
    /// - Returns: what switches cards back whose time is over.
    package mutating func review(_ graph: AudioGraph, isOurs: Bool, now: MonotonicTime) -> [GraphCommand] {
        let due = abandoned.filter { $0.value + Self.patience <= now }.keys
        for mark in due { abandoned[mark] = nil }
        guard isOurs else { return [] }
        return due.sorted { $0.end.text < $1.end.text }.compactMap { mark in
            guard !isMarked(mark.end), graph.activeRoute(of: mark.end) == mark.route else { return nil }
            return graph.switchBack(mark.end)
        }
    }
}

extension AudioGraph {
    /// Switches an end to what the session manager would choose; `nil` if it is there.
    func switchBack(_ end: CardEnd) -> GraphCommand? {
        guard let device = device(named: end.device),
            let best = bestRoute(of: device, number: end.number, end.direction), best.name != activeRoute(of: end)
        else { return nil }
        return .setRoute(device.id, index: best.index, number: end.number)
    }

    /// What a watchdog has to know of an end that was switched to a route.
    func charge(_ mark: CardMark) -> CardCharge? {
        guard let device = device(named: mark.end.device), let chosen = route(named: mark.route, of: mark.end),
            let best = bestRoute(of: device, number: mark.end.number, mark.end.direction), best.index != chosen.index
        else { return nil }
        return CardCharge(mark: mark, chosen: chosen.index, back: best.index)
    }
}
