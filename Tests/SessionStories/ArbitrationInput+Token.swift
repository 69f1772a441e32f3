package import AudioSessionCore

extension ArbitrationInput {
    /// The appearance of a token whose object has the number of its serial.
    package static func token(_ serial: UInt64, _ contents: TokenContents, of owner: TokenOwner) -> ArbitrationInput {
        let identity = TokenIdentity(object: ObjectID(UInt32(serial)), serial: serial, owner: owner)
        return .appeared(identity, contents.announcement.properties())
    }
}

extension [ArbitrationAction] {
    /// The tokens that these actions create.
    package var createdTokens: [TokenContents] {
        compactMap { if case .create(let contents) = $0 { contents } else { nil } }
    }
}
