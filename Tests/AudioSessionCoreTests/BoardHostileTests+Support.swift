import SessionStories

@testable import AudioSessionCore

/// Boards and tokens for the tests of hostile programs. The object of a token has the number of its
/// serial.
extension BoardHostileTests {
    /// The board of a program that has received these inputs since its connection.
    func connected(
        _ owner: TokenOwner? = nil, receiving inputs: [ArbitrationInput] = [], at now: MonotonicTime? = nil
    ) -> ArbitrationStateMachine {
        var board = ArbitrationStateMachine()
        _ = board.receive(.connected(cookie: 1, owner: owner ?? me), now: start)
        for input in inputs { _ = board.receive(input, now: now ?? start) }
        return board
    }

    /// Advances the clock, with a deadline each second.
    func advance(_ seconds: Int, _ board: inout ArbitrationStateMachine, _ now: inout MonotonicTime) {
        for _ in 0..<seconds {
            now = now + .seconds(1)
            _ = board.receive(.deadline, now: now)
        }
    }

    /// The serial of each session in the stack, and whether it is blocked.
    func shape(_ board: ArbitrationStateMachine) -> [String] {
        board.arbitration.stack.map { "\($0.serial) \($0.isBlocked)" }
    }

    func traits(_ kind: String) -> TokenTraits { BoardStage.traits(kind) }

    /// The first token of a session of its own.
    func input(
        _ serial: UInt64, _ traits: TokenTraits, _ owner: TokenOwner, state: TokenContents.State = .standing
    ) -> ArbitrationInput {
        let name = TokenName(BoardStage.session(Int(serial)), 1)
        return .token(serial, TokenContents(name: name, state: state, traits: traits), of: owner)
    }

    /// A token of this session.
    func appeared(
        _ serial: UInt64, session: Int, _ traits: TokenTraits, _ owner: TokenOwner,
        state: TokenContents.State = .standing
    ) -> ArbitrationInput {
        let name = TokenName(BoardStage.session(session), UInt32(serial))
        return .token(serial, TokenContents(name: name, state: state, traits: traits), of: owner)
    }

    /// A token that is refused because its program is in the background.
    func refused(_ serial: UInt64, _ owner: TokenOwner) -> ArbitrationInput {
        let name = TokenName(BoardStage.session(Int(serial)), 1)
        return .token(serial, TokenContents(name: name, traits: TokenTraits(), background: .yes), of: owner)
    }

    /// A token that the board of this program has created.
    func own(_ serial: UInt64, _ contents: TokenContents) -> ArbitrationInput { .token(serial, contents, of: me) }
}
