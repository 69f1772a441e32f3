import AudioSessionCore

/// The board of a program that has one session, among those of others.
package struct Board {
    private var stateMachine = ArbitrationStateMachine()
    private var serial: UInt64 = 100
    private let now = MonotonicTime(nanoseconds: 0)
    private let own = TokenOwner(client: ObjectID(1), processID: 1, application: "own")

    package init(sessions: Int) {
        send(.connected(cookie: 1, owner: own))
        if let session = Self.session(1) {
            send(.opened(session, TokenTraits(isMixable: true)))
            send(.requested(.activate, session, ArbitrationRequestID(1)))
        }
        for _ in 0..<sessions { _ = activateOther(TokenTraits(isMixable: true)) }
    }

    package mutating func activateAndEndOther() {
        guard let object = activateOther(TokenTraits()) else { return }
        send(.vanished(object))
    }

    private mutating func activateOther(_ traits: TokenTraits) -> ObjectID? {
        serial += 1
        guard let session = Self.session(Int(serial)) else { return nil }
        let client = UInt32(50 + serial % 50)
        let owner = TokenOwner(client: ObjectID(client), processID: Int(client), application: "other")
        let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner)
        send(
            .appeared(identity, TokenContents(name: TokenName(session, 1), traits: traits).announcement.properties()))
        return identity.object
    }

    /// PipeWire creates, shows and removes the board's tokens at once.
    private mutating func send(_ event: ArbitrationInput) {
        for action in stateMachine.receive(event, now: now) {
            guard case .create(let contents) = action else { continue }
            serial += 1
            let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: own)
            send(.appeared(identity, contents.announcement.properties()))
            send(.echoed(contents.name))
        }
    }

    private static func session(_ number: Int) -> AudioSessionID? {
        let digits = String(number, radix: 16)
        return AudioSessionID("00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }
}
