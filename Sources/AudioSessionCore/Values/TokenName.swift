/// The name of a token: its session, and a number that the session never reuses.
package struct TokenName: Sendable, Hashable, CustomStringConvertible {
    package let session: AudioSessionID
    package let number: UInt32

    package init(_ session: AudioSessionID, _ number: UInt32) {
        self.session = session
        self.number = number
    }

    package var description: String { "\(Self.prefix)\(session).\(number)" }

    static let prefix = "audio-session."
}
