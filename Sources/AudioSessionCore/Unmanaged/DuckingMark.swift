/// The announcement of a program that ducks unmanaged streams.
///
/// The payload is `1;ducks=` and the gain in thousandths. An announcement of another form is
/// ignored.
package struct DuckingMark: Sendable, Hashable {
    package let name: String
    /// The gain in thousandths. At full gain the program ducks no stream any more.
    package let gain: UInt16

    /// Makes a mark with a gain.
    /// - Parameter name: A name that no other program uses.
    package init(name: String, gain: UInt16 = TokenTraits.defaultDuckedGain) {
        self.name = name
        self.gain = min(gain, TokenTraits.fullGain)
    }

    package init?(_ properties: Properties) {
        guard let (name, digits) = properties.mark(beginningWith: Self.start),
            let gain = UInt16(digits: digits.utf8Span.span), gain <= TokenTraits.fullGain
        else { return nil }
        self.init(name: name, gain: gain)
    }

    package var announcement: Announcement {
        Announcement(.mark, name: name, payload: Self.start + String(gain))
    }

    private static let start = "1;ducks="
}
