import SessionStories
import Testing

@testable import AudioSessionCore

/// A board with room for few tokens, and programs that do with tokens what the daemon permits: they
/// hold them back, keep refused and replaced ones, and have more than there is room for.
struct HostileBoard {
    private var random: BoardRandom
    private var board = HostileBoard.start()
    /// The tokens that PipeWire shows, in the order of their arrival.
    private var shown: [(identity: TokenIdentity, properties: Properties)] = []
    /// The serials of objects that were created and are not shown.
    private var heldBack: [UInt64] = []
    private var lastSerial: UInt64 = 0
    private var now = MonotonicTime(nanoseconds: 1)

    init(seed: UInt64) { random = BoardRandom(seed: seed) }

    private static func start() -> TokenBoard {
        TokenBoard(cookie: 1, limits: TokenLimits(all: 7, ofProcess: 4, surplus: 100, surplusOfProcess: 100))
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55: show()
        case 55..<85:
            guard let position = shown.indices.randomElement(using: &random) else { return }
            _ = board.vanished(shown.remove(at: position).identity.object, now)
        default:
            now = now + .milliseconds(Int.random(in: 0...1500, using: &random))
            board.passed(now)
        }
    }

    private mutating func show() {
        if random.chance(15) { heldBack.append(nextSerial()) }
        var serial = nextSerial()
        if random.chance(25), let position = heldBack.indices.randomElement(using: &random) {
            serial = heldBack.remove(at: position)
        }
        let process = Int.random(in: 20...22, using: &random)
        let owner = TokenOwner(client: ObjectID(UInt32(process)), processID: process)
        let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner)
        let properties = contents().announcement.properties()
        shown.append((identity, properties))
        _ = board.appeared(identity, properties, now)
    }

    private mutating func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    private mutating func contents() -> TokenContents {
        let states: [TokenContents.State] = [
            .standing, .standing, .standing, .standing, .standing, .waiting, .advised, .releasedWithNotice,
        ]
        let state = states.randomElement(using: &random) ?? .standing
        var place: TokenPlace?
        if state != .standing || random.chance(20) {
            // The present run is 1.
            place = TokenPlace(
                cookie: .random(in: 1...3, using: &random), epoch: .random(in: 0...3, using: &random),
                serial: .random(in: 1...lastSerial, using: &random))
        }
        var background = TokenContents.Background.no
        if random.chance(8) { background = .yes }
        if random.chance(15) { background = .nowPlaying(.random(in: 0...lastSerial, using: &random)) }
        let priorities: [TokenPriority] = [.media, .media, .media, .alarm, .communication, .emergency]
        let traits = TokenTraits(
            priority: priorities.randomElement(using: &random) ?? .media,
            group: random.chance(25) ? ["a", "b"].randomElement(using: &random) : nil, isMixable: random.chance(25),
            interruptsSpokenAudio: random.chance(10), isSpokenAudio: random.chance(20),
            capturesAudio: random.chance(20))
        return TokenContents(
            name: TokenName(BoardStage.session(Int.random(in: 1...3, using: &random)), UInt32(lastSerial)),
            state: state, traits: traits, place: place, background: background, isChange: random.chance(20))
    }

    /// Checks that a program that starts now computes the same stack when nothing more happens.
    func check(_ moment: Comment) {
        var late = Self.start()
        for token in shown { _ = late.appeared(token.identity, token.properties, now) }
        #expect(settled(board, moment) == settled(late, moment), moment)
    }

    private func settled(_ start: TokenBoard, _ moment: Comment) -> [String] {
        var (board, time, turns) = (start, now, 0)
        while let next = board.nextReview(time), turns < 1000 {
            time = max(time, next)
            board.passed(time)
            turns += 1
        }
        #expect(turns < 1000, "no decision changes forever: \(moment)")
        return board.arbitration.stack.map { "\($0.key) \($0.serial) \($0.isBlocked)" }
    }

    /// Removes all tokens. No state may be left.
    mutating func end(_ moment: Comment) {
        for token in shown { _ = board.vanished(token.identity.object, now) }
        shown = []
        #expect(board.isEmpty, moment)
    }
}
