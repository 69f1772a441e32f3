/// The part of a card that is switched for all programs.
package enum CardControl: Sendable, Hashable {
    /// The device route of one of its nodes.
    case route(CardPort)
    /// The profile of the card with this `device.name`.
    case profile(String)
    /// The hands-free profile of the Bluetooth headset with this `device.name`. It is needed while
    /// any program records from the headset.
    case headset(String)

    /// The text for this control in marks and in orders of the watchdog.
    package var text: String {
        switch self {
        case .route(let end): "\(end.direction.rawValue);\(end.number);\(end.device);"
        case .profile(let device): "\(Self.profile);0;\(device);"
        case .headset(let device): "\(Self.headset);0;\(device);"
        }
    }

    /// The device of a profile; `nil` for a route.
    fileprivate var card: String? {
        switch self {
        case .route: nil
        case .profile(let device), .headset(let device): device
        }
    }

    fileprivate init?(_ kind: Substring, _ number: Substring, _ device: Substring) {
        guard number.utf8.allSatisfy(\.isDigit), let number = UInt32(number).map({ Int($0) }) else { return nil }
        if kind == Self.profile {
            self = .profile(String(device))
        } else if kind == Self.headset {
            self = .headset(String(device))
        } else if let direction = PortDirection(rawValue: String(kind)) {
            self = .route(CardPort(device: String(device), number: number, direction: direction))
        } else {
            return nil
        }
    }

    private static let profile = "profile"
    private static let headset = "headset"
}

/// A mark that a program publishes while one of its sessions needs a route or a profile of a card.
///
/// The payload is `1;card=`, then the direction, `profile` or `headset`, the number, the device,
/// and the name of the choice, separated by semicolons.
package struct CardMark: Sendable, Hashable {
    package let control: CardControl
    /// The name of the chosen route or profile.
    package let choice: String

    package init(_ control: CardControl, choice: String) { (self.control, self.choice) = (control, choice) }

    package init?(_ properties: Properties) {
        guard let payload = properties.announced(.mark)?.payload, payload.hasPrefix(Self.start),
            payload.utf8.count <= Self.longest
        else { return nil }
        let parts = payload.dropFirst(Self.start.count).split(
            separator: ";", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let control = CardControl(parts[0], parts[1], parts[2]) else { return nil }
        self.init(control, choice: String(parts[3]))
    }

    /// Returns the announcement of this mark.
    /// - Parameter name: The program's own name for all of its marks.
    package func announcement(named name: String) -> Announcement {
        Announcement(.mark, name: name, payload: Self.start + control.text + choice)
    }

    private static let start = "1;card="
    /// The maximum length of a payload. Real names of devices and routes are far shorter.
    private static let longest = 512
}

/// The order by which the watchdog switches a card back after the program ends, with the mark that
/// the program publishes meanwhile.
package struct CardRestoreOrder: Sendable, Hashable {
    package let mark: CardMark
    /// The index of the route or profile that the program chose. The watchdog acts only if the card
    /// uses it.
    package let chosen: Int
    /// The index of the route that the session manager would choose, or of the former profile;
    /// `nil` if the card is to stay on the chosen one.
    package let back: Int?

    /// The line of the watchdog's order; `nil` if the watchdog has nothing to do.
    package var line: String? { back.map { "@\(chosen) \($0) \(mark.control.text)" } }
}

/// Other programs' marks, and the cards that a killed program and its killed watchdog have not
/// switched back.
///
/// A removed mark decides nothing by itself. The card's route is compared with the one that the
/// session manager would choose.
package struct AbandonedCards: Sendable {
    private var marks: [ObjectID: (mark: CardMark, owner: TokenOwner.Process?)] = [:]
    private var abandoned: [CardMark: (since: MonotonicTime, owner: TokenOwner.Process?)] = [:]
    /// No program takes the capacity of others.
    private var accounts = ObjectAccounts(limit: most, ofOneProcess: mostOfOneProcess)

    /// The time for the program or its watchdog to switch back first.
    private static let patience = Duration.seconds(2)
    /// The limit for present and for removed marks. Further ones are ignored.
    private static let most = 64
    /// The same limit for one process. A program switches one or two cards.
    private static let mostOfOneProcess = 8

    package init() {}

    /// The time of the next ``review(_:isOurs:now:)``.
    package var deadline: MonotonicTime? { abandoned.values.map { $0.since }.min().map { $0 + Self.patience } }

    /// Adds another program's mark.
    /// - Parameter client: The owner. Marks of sandboxed programs are ignored.
    package mutating func appeared(_ id: ObjectID, _ properties: Properties, of client: Client?) {
        guard marks.count < Self.most, client?.isSandboxed != true, let mark = CardMark(properties) else { return }
        let owner = client.map { TokenOwner(client: $0.id, processID: $0.processID).process }
        guard accounts.admit(id, of: owner) else { return }
        marks[id] = (mark, owner)
        abandoned[mark] = nil
    }

    /// Removes a mark, whose card is reviewed later.
    /// - Returns: Whether the deadline has changed.
    package mutating func disappeared(_ id: ObjectID, now: MonotonicTime) -> Bool {
        guard let (mark, owner) = marks.removeValue(forKey: id) else { return false }
        accounts.remove(id)
        let count = owner == nil ? 0 : abandoned.values.count { $0.owner == owner }
        guard !isNeeded(mark.control), abandoned.count < Self.most, count < Self.mostOfOneProcess else {
            return false
        }
        abandoned[mark] = (now, owner)
        return true
    }

    /// Whether another program needs the same control.
    package func isNeeded(_ control: CardControl) -> Bool { marks.values.contains { $0.mark.control == control } }

    /// Reviews the cards whose deadline has passed.
    /// - Parameter isOurs: Whether this program has the oldest session, so that it acts for all.
    /// - Returns: The commands that switch the cards back.
    package mutating func review(_ graph: AudioGraph, isOurs: Bool, now: MonotonicTime) -> [GraphCommand] {
        let due = abandoned.filter { $0.value.since + Self.patience <= now }.keys
        for mark in due { abandoned[mark] = nil }
        guard isOurs else { return [] }
        return due.sorted { $0.control.text < $1.control.text }.compactMap { mark in
            // Only the mark's owner knew the former profile.
            guard case .route(let end) = mark.control, !isNeeded(mark.control),
                graph.activeRoute(of: end) == mark.choice
            else { return nil }
            return graph.switchBack(end)
        }
    }
}

extension AudioGraph {
    /// Returns the command that switches a node to the route that the session manager would choose;
    /// `nil` if it uses that.
    func switchBack(_ end: CardPort) -> GraphCommand? {
        guard let device = device(named: end.device),
            let best = bestRoute(of: device, number: end.number, end.direction), best.name != activeRoute(of: end)
        else { return nil }
        return .setRoute(device.id, index: best.index, number: end.number)
    }

    /// Returns the watchdog's order for a route; `nil` if the session manager would choose the
    /// same.
    func restoreOrder(_ end: CardPort, on route: String) -> CardRestoreOrder? {
        guard let device = device(named: end.device), let chosen = self.route(named: route, of: end),
            let best = bestRoute(of: device, number: end.number, end.direction), best.index != chosen.index
        else { return nil }
        return CardRestoreOrder(mark: CardMark(.route(end), choice: route), chosen: chosen.index, back: best.index)
    }

    /// Returns the watchdog's order for a profile; `nil` if the card lacks either profile.
    func restoreOrder(_ control: CardControl, _ profile: String, before: String) -> CardRestoreOrder? {
        guard let card = control.card.flatMap(device(named:)), let chosen = card.profile(named: profile),
            let back = card.profile(named: before), back.index != chosen.index
        else { return nil }
        var (index, staysOnChosen) = (chosen.index, false)
        switch control {
        case .profile: staysOnChosen = card.lacksOnlyEmptyJacks(of: back)
        case .headset:
            // Until PipeWire 1.4 a card reports the profile of the codec in use, not the requested
            // one. Newer versions do so if the codec is not the best one.
            if let active = card.activeProfile, active.isHeadset { index = active.index }
        case .route: break
        }
        return CardRestoreOrder(
            mark: CardMark(control, choice: profile), chosen: index, back: staysOnChosen ? nil : back.index)
    }
}
