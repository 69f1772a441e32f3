import SessionStories
import Testing

@testable import AudioSessionCore

/// Programs that lie about their priority, or create too many tokens.
@Suite struct BoardHostileTests {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    let me = TokenOwner(client: ObjectID(1), processID: 10)
    let mixing = TokenTraits(isMixable: true)

    // MARK: Sandboxes

    @Test(arguments: ["flatpak", "portal", "restricted", "snap", "rejected", "", "Unrestricted"])
    func unknownAccessMeansASandbox(_ access: String) {
        #expect(Client(id: ObjectID(1), access: access).isSandboxed)
    }

    @Test(arguments: ["unrestricted", "allowed", "default", nil]) func knownAccessMeansNoSandbox(_ access: String?) {
        #expect(!Client(id: ObjectID(1), access: access).isSandboxed)
    }

    /// The creator of a security context chooses the access of its clients.
    @Test(arguments: ["unrestricted", "allowed", "default", nil]) func aSecurityContextMeansASandbox(
        _ access: String?
    ) {
        #expect(Client(id: ObjectID(1), access: access, socket: "pipewire-fd-31").isSandboxed)
        for socket in ["pipewire-0", "pipewire-0-manager", "/run/pipewire/pipewire-0", "pipewire", ""] {
            #expect(!Client(id: ObjectID(1), access: access, socket: socket).isSandboxed, "\(socket)")
        }
    }

    @Test(arguments: ["alarm", "ring", "call", "emergency"]) func aSandboxedProgramHasPriorityMedia(
        _ kind: String
    ) {
        let sandboxed = TokenOwner(client: ObjectID(2), processID: 20, isSandboxed: true)
        // To others, to itself, and to a program that starts later.
        for reader in [me, sandboxed] {
            var board = connected(reader)
            _ = board.receive(input(5, traits(kind), sandboxed), now: start)
            #expect(board.arbitration.stack.map(\.traits.priority) == [.media])
        }
    }

    @Test func aSandboxedEmergencyEndsNoCall() {
        var board = connected()
        let phone = TokenOwner(client: ObjectID(3), processID: 30)
        _ = board.receive(input(5, traits("call"), phone), now: start)
        let trusted = TokenOwner(client: ObjectID(2), processID: 20)
        let sandboxed = TokenOwner(client: ObjectID(2), processID: 20, isSandboxed: true)
        _ = board.receive(input(6, traits("emergency"), sandboxed), now: start)
        #expect(board.arbitration.stack.map(\.serial) == [5])
        #expect(board.arbitration.stack.map(\.isBlocked) == [false])
        _ = board.receive(.vanished(ObjectID(6)), now: start)
        _ = board.receive(input(7, traits("emergency"), trusted), now: start)
        #expect(board.arbitration.stack.map(\.isBlocked) == [true, false])
    }

    @Test func aSandboxedCallStillInterruptsMusicAndIsEndedByIt() {
        var board = connected()
        let player = TokenOwner(client: ObjectID(3), processID: 30)
        _ = board.receive(input(5, traits("music"), player), now: start)
        let sandboxed = TokenOwner(client: ObjectID(2), processID: 20, isSandboxed: true)
        _ = board.receive(input(6, traits("call"), sandboxed), now: start)
        #expect(board.arbitration.stack.map(\.isBlocked) == [true, false])
        let other = TokenOwner(client: ObjectID(4), processID: 40)
        _ = board.receive(input(7, traits("music"), other), now: start)
        #expect(board.arbitration.stack.map(\.isBlocked) == [true, true, false])
    }

    // MARK: Floods

    @Test func moreConnectionsGiveAProcessNoMoreTokens() {
        var board = connected()
        for serial in UInt64(1)...1500 {
            let owner = TokenOwner(client: ObjectID(100 + UInt32(serial % 7)), processID: 20)
            _ = board.receive(input(serial, mixing, owner), now: start)
        }
        #expect(board.arbitration.stack.count == 1024)
        #expect(board.surplusCount == 476)
    }

    @Test func aSurplusTokenIsSeenWhenThereIsCapacity() {
        var board = connected()
        // Four processes use all the capacity, with one session each.
        for serial in UInt64(1)...4096 {
            let owner = TokenOwner(client: ObjectID(100), processID: 100 + Int((serial - 1) / 1024))
            _ = board.receive(appeared(serial, session: 1, mixing, owner), now: start)
        }
        let honest = TokenOwner(client: ObjectID(7), processID: 70)
        _ = board.receive(input(5000, mixing, honest), now: start)
        _ = board.receive(input(5001, mixing, honest), now: start)
        #expect(board.surplusCount == 2)
        // A surplus token that is removed before there is capacity is never seen.
        _ = board.receive(.vanished(ObjectID(5001)), now: start)
        for serial in UInt32(1)...4096 { _ = board.receive(.vanished(ObjectID(serial)), now: start) }
        #expect(board.arbitration.stack.map(\.serial) == [5000])
    }

    @Test func afterAFloodAllProgramsAgreeWithALateOne() {
        var board = connected()
        let flood = TokenOwner(client: ObjectID(7), processID: 70)
        for serial in UInt64(1)...1100 { _ = board.receive(input(serial, mixing, flood), now: start) }
        for serial in UInt32(1)...1000 { _ = board.receive(.vanished(ObjectID(serial)), now: start) }
        #expect(board.arbitration.stack.map(\.serial) == Array(1001...1100))
    }

    /// A process holds back an emergency behind a token that finds no room at first.
    @Test(arguments: [70, 80], [false, true])
    func tokensHeldBackBehindSurplusOnesAreThoseOfALateProgram(process: Int, removesSurplus: Bool) {
        let flood = TokenOwner(client: ObjectID(7), processID: 70)
        let other = TokenOwner(client: ObjectID(8), processID: process)
        // The first ones are of one session, which costs less.
        var tokens = (UInt64(1)...1024).map { (serial: $0, input: appeared($0, session: 1, mixing, flood)) }
        tokens.append((serial: 3000, input: input(3000, mixing, flood)))
        tokens.append((serial: 2000, input: input(2000, traits("emergency"), other)))
        var board = connected(receiving: tokens.map { $0.input })
        var now = start
        for removed: UInt64 in [0, removesSurplus ? 3000 : 1, 2, 3000] {
            if tokens.contains(where: { $0.serial == removed }) {
                _ = board.receive(.vanished(ObjectID(UInt32(removed))), now: now)
                tokens.removeAll { $0.serial == removed }
            }
            // A refused token is reviewed once a second.
            advance(3, &board, &now)
            let late = connected(receiving: tokens.map { $0.input }, at: now)
            #expect(shape(board) == shape(late), "after the end of \(removed)")
        }
    }

    @Test func noProgramHidesHowAnotherLeft() {
        var departures = Departures()
        let honest = SessionKey(owner: .id(80), session: BoardStage.session(1))
        departures.append(honest, isWithNotice: true, start)
        for number in 1...200 {
            let key = SessionKey(owner: .id(90), session: BoardStage.session(number))
            departures.append(key, isWithNotice: false, start)
        }
        #expect(departures.isWithNotice(honest, start) == true)
        #expect(departures.end(of: .id(80), start) == start + .seconds(1))
        #expect(departures.end(of: .id(90), start) == start + .seconds(1))
        // The oldest records of that process were dropped.
        let first = SessionKey(owner: .id(90), session: BoardStage.session(1))
        #expect(departures.isWithNotice(first, start) == nil)
    }

    @Test func departuresOfTheLastSecondDecideWhichIsDropped() {
        var departures = Departures()
        func append(_ process: Int, _ session: Int, at time: MonotonicTime) -> SessionKey {
            let key = SessionKey(owner: .id(process), session: BoardStage.session(session))
            departures.append(key, isWithNotice: true, time)
            return key
        }
        for number in 1...64 { _ = append(90, number, at: start) }
        let later = start + .seconds(1)
        let (first, second) = (append(80, 1, at: later), append(80, 2, at: later))
        let others = (3...65).map { append(100 + $0, $0, at: later) }
        #expect(departures.isWithNotice(first, later) == nil)
        #expect(departures.isWithNotice(second, later) == true)
        #expect(others.allSatisfy { departures.isWithNotice($0, later) == true })
    }

    @Test func aFloodThatEndsLeavesNoTokens() {
        var board = connected()
        let flood = TokenOwner(client: ObjectID(7), processID: 70)
        for serial in UInt64(1)...20_000 {
            _ = board.receive(input(serial, traits(serial % 2 == 0 ? "emergency" : "music"), flood), now: start)
            _ = board.receive(.vanished(ObjectID(UInt32(serial))), now: start)
        }
        #expect(board.surplusCount == 0)
        #expect(board.arbitration.stack.isEmpty)
        #expect(board.tokens.isEmpty)
    }

    // MARK: Restart counters

    private func restored(_ serial: UInt64, _ owner: TokenOwner, run: UInt32, counter: UInt32) -> ArbitrationInput {
        let contents = TokenContents(
            name: TokenName(BoardStage.session(Int(serial)), 1), traits: mixing,
            place: TokenPlace(cookie: run, epoch: counter, serial: 5))
        return .token(serial, contents, of: owner)
    }

    private static let owners = (0..<3).map { TokenOwner(client: ObjectID(UInt32(7 + $0)), processID: 70 + $0) }

    /// A board with a restored session of each of two former runs, and one of the present run.
    private func withTwoFormerRuns() -> ArbitrationStateMachine {
        connected(receiving: [
            restored(1, Self.owners[0], run: 100, counter: 1), restored(2, Self.owners[1], run: 101, counter: 2),
            input(3, mixing, Self.owners[0]),
        ])
    }

    @Test func oneProgramCannotExhaustTheRestartCounter() {
        var board = connected()
        let one = TokenOwner(client: ObjectID(7), processID: 70)
        let two = TokenOwner(client: ObjectID(8), processID: 80)
        let liar = TokenOwner(client: ObjectID(9), processID: 90)
        _ = board.receive(restored(1, one, run: 100, counter: 4), now: start)
        _ = board.receive(restored(2, two, run: 101, counter: 5), now: start)
        #expect(board.presentEpoch == 6)
        _ = board.receive(restored(3, liar, run: 99, counter: .max), now: start)
        #expect(board.presentEpoch == 7, "one above the highest that two processes claim")
        _ = board.receive(.vanished(ObjectID(3)), now: start)
        #expect(board.presentEpoch == 6)
        #expect(board.arbitration.stack.map(\.serial) == [1, 2])
    }

    @Test func aRestartCounterThatIsClaimedLaterMovesOnlyItsRun() {
        var board = withTwoFormerRuns()
        _ = board.receive(restored(4, Self.owners[0], run: 101, counter: 2), now: start)
        #expect(board.arbitration.stack.map(\.serial) == [1, 2, 4, 3])
        // The first run was later than that, for example two runs.
        _ = board.receive(restored(5, Self.owners[1], run: 100, counter: 4), now: start)
        _ = board.receive(restored(6, Self.owners[2], run: 100, counter: 4), now: start)
        #expect(board.arbitration.stack.map(\.serial) == [2, 4, 1, 5, 6, 3])
        let late = Arbitration(granted: board.arbitration.stack.map(\.token), cookie: 1)
        #expect(late.stack.map(\.serial) == board.arbitration.stack.map(\.serial))
    }

    /// A hostile run that moves must not cause a comparison of each session with all others.
    @Test func aRunThatMovesConcernsOnlyRestoredSessions() {
        var board = withTwoFormerRuns()
        let version = board.tokens.version
        _ = board.receive(restored(4, Self.owners[1], run: 100, counter: 4), now: start)
        #expect(board.arbitration.stack.map(\.serial) == [2, 1, 4, 3])
        func concerns(_ session: Int) -> Bool {
            let key = SessionKey(owner: .id(70), session: BoardStage.session(session))
            return if case .everything = board.tokens.change(since: version, for: key) { true } else { false }
        }
        #expect(concerns(1) && !concerns(3))
    }

    @Test func aSessionThatARunWithItsBlockersPassesStaysInterrupted() throws {
        var board = ArbitrationStateMachine()
        let session = BoardStage.session(100)
        _ = board.receive(.connected(cookie: 3, owner: me), now: start)
        _ = board.receive(.opened(session, TokenTraits()), now: start)
        let asked = try #require(
            board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start).createdTokens.first)
        _ = board.receive(own(10, asked), now: start)
        _ = board.receive(.echoed(asked.name), now: start)
        _ = board.receive(.disconnected, now: start)
        let again = try #require(board.receive(.connected(cookie: 5, owner: me), now: start).createdTokens.first)
        _ = board.receive(own(1, again), now: start)
        let older = TokenContents(
            name: TokenName(BoardStage.session(2), 1), traits: TokenTraits(),
            place: TokenPlace(cookie: 2, epoch: 0, serial: 5))
        _ = board.receive(.token(2, older, of: Self.owners[0]), now: start)
        var now = start
        advance(2, &board, &now)
        _ = board.receive(appeared(20, session: 3, TokenTraits(), Self.owners[1]), now: now)
        #expect(board.status(of: session)?.state == .interrupted)
        // The run of the older session turns out to be the later one.
        _ = board.receive(restored(21, Self.owners[2], run: 2, counter: 7), now: now)
        _ = board.receive(.vanished(ObjectID(20)), now: now)
        #expect(board.status(of: session)?.state == .interrupted)
        _ = board.receive(.vanished(ObjectID(2)), now: now)
        #expect(board.status(of: session)?.state == .inactive)
    }

    /// With a limit for runs, the history would decide which of them count.
    @Test func placesOfAnyNumberOfRunsCount() {
        let flood = TokenOwner(client: ObjectID(7), processID: 70)
        // The first and the last are of one run.
        let inputs = (UInt64(1)...40).map { restored($0, flood, run: 100 + UInt32($0 % 39), counter: 1) }
        var board = connected(receiving: inputs)
        _ = board.receive(.vanished(ObjectID(1)), now: start)
        let late = connected(receiving: Array(inputs.dropFirst()))
        #expect(board.surplusCount == 0 && board.arbitration.stack.count == 39)
        #expect(shape(board) == shape(late))
        for serial in UInt32(2)...40 { _ = board.receive(.vanished(ObjectID(serial)), now: start) }
        #expect(board.tokens.isEmpty)
    }

    @Test func eventsBeforeTheConnectionAreKeptUpToALimit() {
        let long = String(repeating: "é", count: 4000)
        let properties: Properties = [
            .deviceAPI: "audio-session", .deviceName: long, .deviceDescription: long, .objectSerial: "7",
            .clientID: "8", .deviceNick: long,
        ]
        let short = properties.ofToken
        #expect(short.pairs.allSatisfy { $0.1.utf8.count <= 2 * (TokenContents.largestPayload + 1) })
        #expect(TokenContents.read(short) == .malformed && short[.deviceNick] == nil && short[.clientID] == "8")
        let token = TokenContents(name: TokenName(BoardStage.session(1), 1), traits: traits("call"))
        #expect(TokenContents.read(token.announcement.properties().ofToken) == .token(token))
    }
}
