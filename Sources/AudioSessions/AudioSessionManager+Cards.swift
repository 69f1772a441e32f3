import AudioSessionCore
import PipeWireGraph

/// What a manager keeps of cards that sessions switch for all programs.
struct CardPart {
    var steering = CardSteering()
    var abandoned = AbandonedCards()
    /// What the watchdog was last told, and other programs are shown.
    var charges: [CardCharge] = []
    var marks: [CardMark: any AnnouncedObject] = [:]
    /// Of all marks of this connection.
    let name = Announcement.Kind.mark.deviceAPI + "." + String(UInt64.random(in: 0...(.max)), radix: 16)
    var guardian: CardGuard?
    var timer: (any GraphTimer)?
}

/// Cards are switched back at every end of the program: by itself, by its watchdog after a kill, and by the oldest other
/// program with a session if both were killed.
extension AudioSessionManager {
    func protectCards() {
        guard cards.steering.isSwitching || !cards.charges.isEmpty else { return }
        let charges = cards.steering.charges(machine.registry.graph)
        guard charges != cards.charges else { return }
        cards.charges = charges
        show(Set(charges.map(\.mark)))
        // In a test without PipeWire there is none to watch.
        guard graphConnection is Connection else { return }
        if cards.guardian == nil, !charges.isEmpty { cards.guardian = CardGuard(remote: configuration.remote) }
        cards.guardian?.entrust(charges, mark: cards.name)
        if charges.isEmpty { cards.guardian = nil }
    }

    private func show(_ marks: Set<CardMark>) {
        // They go after they were taken out: their end may be news at once.
        let gone = cards.marks.keys.filter { !marks.contains($0) }.map { cards.marks.removeValue(forKey: $0) }
        withExtendedLifetime(gone) {}
        for mark in marks where cards.marks[mark] == nil {
            cards.marks[mark] = try? graphConnection?.announce(mark.announcement(named: cards.name)) {}
        }
    }

    /// Nothing of the connection's is left; what was switched is switched back by the watchdog.
    func forgetCards() {
        let old = cards
        cards = CardPart()
        withExtendedLifetime(old) {}
    }

    func noteCardMark(goneFrom id: ObjectID) {
        if cards.abandoned.disappeared(id, now: environment.now()) { wakeForCards() }
    }

    private func reviewCards() {
        perform(
            cards.abandoned.review(machine.registry.graph, isOurs: isOldestWithSession, now: environment.now()))
        wakeForCards()
    }

    private func wakeForCards() {
        guard let deadline = cards.abandoned.deadline else { return }
        if cards.timer == nil { cards.timer = timer { $0.reviewCards() } }
        cards.timer?.arm(after: max(.zero, deadline.since(environment.now())))
    }

    private var isOldestWithSession: Bool {
        guard let own = graphConnection?.identity.client else { return false }
        return board.machine.arbitration.stack.first?.key.owner == owner(own).process
    }

    func client(_ properties: Properties) -> Client? {
        properties.objectID(.clientID).flatMap { machine.registry.graph.clients[$0] }
    }
}
