import AudioSessionCore
import Testing

/// Jacks whose contacts bounce, with session managers of different speed. The last notification
/// must match the final state.
@Suite struct RouteBouncePropertyTests {
    @Test(arguments: 1...400) func theLastNotifiedRouteIsTheFinalRoute(seed: Int) {
        var bounce = JackBounce(seed: UInt64(seed))
        bounce.run()
        let truth = bounce.truth
        #expect(bounce.route(of: .computer) == truth, "the machine's; \(bounce.log)")
        #expect(bounce.route(of: bounce.player) == truth, "the player's; \(bounce.log)")
    }

    /// A slow program misses many events: a final change from headphones to the speaker is a loss.
    @Test(arguments: 1...400) func aJackThatIsEmptyInTheEndWasLost(seed: Int) {
        var bounce = JackBounce(seed: UInt64(seed))
        bounce.pull()
        #expect(bounce.route(of: bounce.player) == [.builtInSpeaker], "\(bounce.log)")
        #expect(bounce.losers.filter { $0 == .computer }.count == 1, "\(bounce.log)")
        #expect(bounce.losers.filter { $0 == bounce.player }.count == 1, "\(bounce.log)")
    }
}

/// A jack that is plugged and pulled at random, and a session manager that follows it at random
/// times.
private struct JackBounce {
    private var random: BoardRandom
    private var scene: RouteScene
    let player: FollowerID
    private var contact: Availability
    private var chosen: Availability
    private(set) var log: [String] = []
    /// The followers that were notified of a loss, each time.
    private(set) var losers: [FollowerID] = []

    init(seed: UInt64) {
        random = BoardRandom(seed: seed)
        scene = RouteScene.listening()
        contact = .yes
        chosen = .yes
        player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
    }

    mutating func run() {
        let isHaste = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 1...7, using: &random) {
            note("jack")
            contact = contact == .yes ? .no : .yes
            emit(.deviceRoutes(laptop, Laptop.routes(headphones: contact)))
            if Int.random(in: 0..<3, using: &random) > 0 { advance(upTo: isHaste ? 20 : 600) }
            if Bool.random(using: &random) { choose() }
            advance(upTo: isHaste ? 30 : 600)
        }
        if Bool.random(using: &random) {
            advance(upTo: 1500)
            choose()
        }
        scene.settle()
        advance(upTo: 4000, atLeast: 4000)
        scene.settle()
        advance(upTo: 4000, atLeast: 4000)
    }

    /// Pulls the jack for good, in up to seven contacts of a few milliseconds. Some contacts are
    /// reported.
    mutating func pull() {
        var (received, receivedChoice) = (contact, chosen)
        for number in 0..<(2 * Int.random(in: 0...3, using: &random) + 1) {
            contact = number % 2 == 0 ? .no : .yes
            advance(upTo: 12)
            if Bool.random(using: &random) { chosen = contact }
            advance(upTo: 12)
            guard Bool.random(using: &random) else { continue }
            if received != contact { emit(.deviceRoutes(laptop, Laptop.routes(headphones: contact))) }
            if receivedChoice != chosen { emit(.deviceActiveRoutes(laptop, active)) }
            (received, receivedChoice) = (contact, chosen)
        }
        if received != contact { emit(.deviceRoutes(laptop, Laptop.routes(headphones: contact))) }
        if receivedChoice != .no {
            chosen = .no
            advance(upTo: 12)
            emit(.deviceActiveRoutes(laptop, active))
        }
        scene.settle()
        advance(upTo: 4000, atLeast: 4000)
    }

    private var active: [DeviceRoute] { chosen == .yes ? Laptop.listening : Laptop.speaking }
    private var laptop: ObjectID { ObjectID(Laptop.device) }

    /// The ports that can be used: an empty jack is none.
    var truth: [PortType] {
        if chosen == .no { return [.builtInSpeaker] }
        return contact == .yes ? [.headphones] : []
    }

    func route(of follower: FollowerID) -> [PortType] { scene.routes.route(of: follower).outputs.map(\.type) }

    private mutating func choose() {
        guard chosen != contact else { return }
        chosen = contact
        note("choice")
        emit(.deviceActiveRoutes(laptop, active))
    }

    private mutating func emit(_ event: GraphEvent) {
        scene.emit(event)
        if Bool.random(using: &random) { scene.settle() }
        let received = scene.takeEvents()
        let losers = received.compactMap { if case .becameNoisy(let id, _, _) = $0 { id } else { nil } }
        self.losers += losers
        log += received.map { "\($0)".prefix(40).description }
        if losers.contains(player) { scene.stop(player) }
    }

    private mutating func advance(upTo milliseconds: Int, atLeast least: Int = 0) {
        scene.advance(by: .milliseconds(Int.random(in: least...milliseconds, using: &random)))
        if Bool.random(using: &random) { scene.settle() }
    }

    private mutating func note(_ word: String) {
        log.append("\(scene.now.nanoseconds / 1_000_000 % 1_000_000): \(word)")
    }
}
