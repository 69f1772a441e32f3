import AudioSessionCore
import PipeWireGraph

/// The manager's state of the cards that sessions switch for all programs.
struct CardPart {
    var steering = CardSwitcher()
    var abandoned = AbandonedCards()
    /// The orders of the watchdog.
    var charges: [CardCharge] = []
    /// The marks that this program publishes for these cards.
    var marks: [CardMark: any AnnouncedObject] = [:]
    /// The name of all marks of this connection.
    let name = Announcement.Kind.mark.deviceAPI + "." + String(UInt64.random(in: 0...(.max)), radix: 16)
    var watchdog: CardWatchdog?
}

/// This extension ensures that cards are switched back whenever the program ends.
///
/// The program does it itself. After a SIGKILL its watchdog does it, and if both were killed, the
/// oldest other program with a session.
extension AudioSessionManager {
    /// Updates the orders of the watchdog, and the marks.
    func protectCards() {
        guard cards.steering.isSwitching || !cards.charges.isEmpty else { return }
        let charges = cards.steering.charges(model.registry.graph)
        guard charges != cards.charges else { return }
        cards.charges = charges
        show(Set(charges.map(\.mark)))
        // A fake connection has no daemon that a watchdog could reach.
        guard graphConnection is Connection else { return }
        if cards.watchdog == nil, !charges.isEmpty { cards.watchdog = CardWatchdog(remote: configuration.remote) }
        cards.watchdog?.entrust(charges, mark: cards.name)
        if charges.isEmpty { cards.watchdog = nil }
    }

    private func show(_ marks: Set<CardMark>) {
        // They are released after the mutation, because their removal may be notified
        // synchronously.
        let gone = cards.marks.keys.filter { !marks.contains($0) }.map { cards.marks.removeValue(forKey: $0) }
        withExtendedLifetime(gone) {}
        for mark in marks where cards.marks[mark] == nil {
            cards.marks[mark] = try? graphConnection?.announce(mark.announcement(named: cards.name)) {}
        }
    }

    /// Removes the state of a connection that ends. Its watchdog then switches the cards back.
    func forgetCards() {
        disarm(.cards)
        let old = cards
        cards = CardPart()
        withExtendedLifetime(old) {}
    }

    /// Records another program's mark; marks of this program are ignored.
    func noteCardMark(_ id: ObjectID, _ properties: Properties) {
        let client = properties.objectID(.clientID)
        guard client == nil || client != graphConnection?.identity.client else { return }
        cards.abandoned.appeared(id, properties, of: client.flatMap { model.registry.graph.clients[$0] })
    }

    func noteCardMark(removed id: ObjectID) {
        if cards.abandoned.disappeared(id, now: environment.now()) { wakeForCards() }
    }

    func reviewCards() {
        let (graph, now) = (model.registry.graph, environment.now())
        let back = cards.abandoned.review(graph, isOurs: isOldestWithSession, now: now)
        let abandoned = cards.abandoned
        perform(back + cards.steering.checkRoutes(graph, now: now) { abandoned.isNeeded($0) })
        wakeForCards()
    }

    func wakeForCards() {
        guard let deadline = [cards.abandoned.deadline, cards.steering.deadline].compactMap(\.self).min() else {
            return
        }
        arm(.cards, at: deadline)
    }

    private var isOldestWithSession: Bool {
        guard let own = graphConnection?.identity.client else { return false }
        return arbitration.machine.arbitration.stack.first?.key.owner == owner(own).process
    }
}
