import AudioSessionCore
import Testing

/// Jacks whose contacts bounce, under session managers of every haste: what is told in the end is what is.
@Suite struct RouteBouncePropertyTests {
    @Test(arguments: 1...400) func theLastRouteToldIsTheLastThatWas(seed: Int) {
        var bounce = JackBounce(seed: UInt64(seed))
        bounce.run()
        let truth = bounce.truth
        #expect(bounce.route(of: .machine) == truth, "the machine's; \(bounce.log)")
        #expect(bounce.route(of: bounce.player) == truth, "the player's; \(bounce.log)")
    }
}

/// A jack that is plugged and pulled at random, and a session manager that follows it when it likes.
private struct JackBounce {
    private var random: BoardRandom
    private var scene: RouteScene
    let player: FollowerID
    private var contact: Availability
    private var chosen: Availability
    private(set) var log: [String] = []

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
            happen(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: contact)))
            if Int.random(in: 0..<3, using: &random) > 0 { pass(isHaste ? 20 : 600) }
            if Bool.random(using: &random) { choose() }
            pass(isHaste ? 30 : 600)
        }
        if Bool.random(using: &random) {
            pass(1500)
            choose()
        }
        scene.settle()
        pass(4000, atLeast: 4000)
        scene.settle()
        pass(4000, atLeast: 4000)
    }

    /// Where sound can go: an empty jack is nowhere.
    var truth: [PortType] {
        if chosen == .no { return [.builtInSpeaker] }
        return contact == .yes ? [.headphones] : []
    }

    func route(of follower: FollowerID) -> [PortType] { scene.routes.route(of: follower).outputs.map(\.type) }

    private mutating func choose() {
        guard chosen != contact else { return }
        chosen = contact
        note("choice")
        happen(.deviceActiveRoutes(ObjectID(Laptop.device), chosen == .yes ? Laptop.listening : Laptop.speaking))
    }

    private mutating func happen(_ event: GraphEvent) {
        scene.happen(event)
        if Bool.random(using: &random) { scene.settle() }
        let told = scene.takeEvents()
        let isStopped = told.contains { if case .becameNoisy(player, _, _) = $0 { true } else { false } }
        log += told.map { "\($0)".prefix(40).description }
        if isStopped { scene.stop(player) }
    }

    private mutating func pass(_ milliseconds: Int, atLeast least: Int = 0) {
        scene.pass(.milliseconds(Int.random(in: least...milliseconds, using: &random)))
        if Bool.random(using: &random) { scene.settle() }
    }

    private mutating func note(_ word: String) {
        log.append("\(scene.now.nanoseconds / 1_000_000 % 1_000_000): \(word)")
    }
}
