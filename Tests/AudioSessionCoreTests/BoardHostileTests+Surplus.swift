import SessionStories
import Testing

@testable import AudioSessionCore

/// More tokens than count at the same time.
extension BoardHostileTests {
    @Test func aSurplusTokenThatIsRefusedTakesRoomInAllPrograms() {
        let flood = TokenOwner(client: ObjectID(7), processID: 70)
        var inputs = (UInt64(1)...1024).map { appeared($0, session: 2000, mixing, flood) }
        inputs += [refused(1025, flood), refused(1026, flood), input(1027, mixing, flood)]
        var board = connected(receiving: inputs)
        for serial in UInt32(1)...3 {
            _ = board.receive(.vanished(ObjectID(serial)), now: start)
            #expect(board.arbitration.stack.count == (serial == 3 ? 2 : 1))
        }
        let late = connected(receiving: Array(inputs.dropFirst(3)))
        #expect(shape(board) == shape(late))
    }

    /// A session that keeps its place would sound without being in any program's stack.
    @Test func aSessionWhoseTokenFindsNoRoomLosesItsPlace() throws {
        var board = connected()
        let session = BoardStage.session(100)
        _ = board.receive(.opened(session, TokenTraits()), now: start)
        let asked = try #require(
            board.receive(.requested(.activate, session, ArbitrationRequestID(1)), now: start).createdTokens.first)
        _ = board.receive(own(1, asked), now: start)
        _ = board.receive(.echoed(asked.name), now: start)
        for serial in UInt64(2)...4097 {
            let owner = TokenOwner(client: ObjectID(100), processID: 100 + Int((serial - 2) / 1024))
            _ = board.receive(appeared(serial, session: 1, mixing, owner), now: start)
        }
        #expect(board.surplusCount == 1 && board.status(of: session)?.state == .active)
        // The surplus token takes the room of a token that is destroyed.
        let remade = try #require(board.receive(.vanished(ObjectID(1)), now: start).createdTokens.first)
        _ = board.receive(own(5000, remade), now: start)
        let actions = board.receive(.echoed(remade.name), now: start)
        #expect(actions.contains(.destroy(remade.name)) && actions.contains(.notify(.placeLost, session)))
        #expect(board.status(of: session)?.state == .inactive)
    }

    private func append(_ serial: UInt64, process: Int, to present: inout PresentTokens) -> Token? {
        let owner = TokenOwner(client: ObjectID(1), processID: process)
        let contents = TokenContents(name: TokenName(BoardStage.session(Int(serial)), 1), traits: mixing)
        return present.append(TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner), contents)
    }

    @Test func surplusTokensAreKeptUpToTheLimit() {
        var present = PresentTokens(limits: TokenLimits(all: 8, ofProcess: 4, surplus: 10, surplusOfProcess: 6))
        let counted = (UInt64(1)...40).compactMap { append($0, process: 70 + Int($0 % 2), to: &present)?.serial }
        #expect(counted == Array(1...8))
        #expect(present.surplusCount == 32)
        let next = (UInt32(1)...18).compactMap { present.remove(ObjectID($0))?.next?.serial }
        #expect(next == Array(9...18))
        #expect(present.isEmpty)
    }

    @Test func theFirstTokensOfEachProcessCount() {
        var random = BoardRandom(seed: 4)
        for _ in 0..<100 {
            var present = PresentTokens(limits: TokenLimits(all: 7, ofProcess: 3))
            var all: [(serial: UInt64, process: Int)] = []
            var counted: Set<UInt64> = []
            for serial in UInt64(1)...60 {
                if random.chance(60) {
                    let process = Int.random(in: 1...5, using: &random)
                    all.append((serial, process))
                    if append(serial, process: process, to: &present) != nil { counted.insert(serial) }
                } else if let position = all.indices.randomElement(using: &random) {
                    let removed = all.remove(at: position).serial
                    counted.remove(removed)
                    if let next = present.remove(ObjectID(UInt32(removed)))?.next { counted.insert(next.serial) }
                }
                var expected: [UInt64] = []
                var counts: [Int: Int] = [:]
                for token in all where counts[token.process, default: 0] < 3 {
                    counts[token.process, default: 0] += 1
                    expected.append(token.serial)
                }
                #expect(counted == Set(expected.prefix(7)))
            }
        }
    }
}
