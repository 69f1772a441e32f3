/// What a program announces that lowers the streams of programs without sessions.
///
/// The payload is `1;ducks=` and the gain in thousandths. What is of another form is no mark.
package struct DuckingMark: Sendable, Hashable {
    package let name: String
    /// In thousandths; all of them: it lowers nobody any more.
    package let gain: UInt16

    /// - Parameter name: nobody else's.
    package init(name: String, gain: UInt16 = TokenTraits.defaultDuckedGain) {
        self.name = name
        self.gain = min(gain, TokenTraits.fullGain)
    }

    package init?(_ properties: Properties) {
        guard let announced = properties.announced(.mark), let name = announced.name,
            let payload = announced.payload, payload.hasPrefix(Self.start),
            let gain = UInt16(digits: payload.utf8Span.span.extracting(droppingFirst: Self.start.utf8.count)),
            gain <= TokenTraits.fullGain
        else { return nil }
        self.init(name: name, gain: gain)
    }

    package var announcement: Announcement {
        Announcement(.mark, name: name, payload: Self.start + String(gain))
    }

    private static let start = "1;ducks="
}
