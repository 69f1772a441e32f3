import AudioSessionCore
import PipeWireGraph

/// The manager's state of the cards that sessions switch for all programs.
struct CardPart {
    var steering = CardSwitcher()
    var abandoned = AbandonedCards()
    var protection = CardProtection()
    /// The marks that this program publishes for these cards.
    var marks: [CardMark: any AnnouncedObject] = [:]
    /// The name of all marks of this connection.
    let name = Announcement.Kind.mark.deviceAPI + "." + String(UInt64.random(in: 0...(.max)), radix: 16)
    var watchdog: (any GraphWatchdog)?
}

/// This extension ensures that cards are switched back whenever the program ends.
///
/// The program does it itself. After a SIGKILL its watchdog does it, and if both were killed, the
/// oldest other program with a session.
extension AudioSessionManager {
    /// Updates the marks and the watchdog's orders, and then sends the commands, which switch
    /// cards.
    func protectCards(_ commands: [GraphCommand] = []) {
        expectSwitches(by: commands)
        guard cards.steering.isSwitching || !cards.protection.isIdle else { return ask(commands) }
        let orders = cards.steering.restoreOrders(model.registry.graph)
        if orders != cards.protection.orders { show(Set(orders.map(\.mark))) }
        perform(cards.protection.set(orders, before: commands))
    }

    private func perform(_ actions: [CardProtection.Action]) {
        for action in actions {
            switch action {
            case .start: startWatchdog()
            case .restoreAtExit(let orders): cards.watchdog?.restoreAtExit(orders, mark: cards.name)
            case .end: cards.watchdog = nil
            case .perform(let commands): ask(commands)
            }
        }
    }

    private func startWatchdog() {
        guard let start = environment.startWatchdog else { return started(nil, for: cards.name) }
        let (name, executor) = (cards.name, environment.taskExecutor)
        start(configuration.remote) { [weak self] watchdog in
            // Not on a thread of Swift's pool, because the program may block all of them.
            Task(executorPreference: executor) { [weak self] in await self?.started(watchdog, for: name) }
        }
    }

    /// Handles the end of a start. If the connection has ended meanwhile, the watchdog ends too,
    /// because it has no order.
    /// - Parameter name: The name of the marks when the start began.
    private func started(_ watchdog: (any GraphWatchdog)?, for name: String) {
        guard name == cards.name else { return }
        cards.watchdog = watchdog
        perform(cards.protection.started(watchdog != nil, isSwitching: cards.steering.isSwitching))
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
        let commands = back + cards.steering.checkRoutes(graph, now: now) { abandoned.isNeeded($0) }
        expectSwitches(by: commands)
        ask(commands)
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
