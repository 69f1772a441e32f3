/// The UUID of a session.
package struct SessionUUID: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Parses a UUID, with letters in either case; `nil` for anything else.
    package init?(_ text: some StringProtocol) { self.init(reading: String(text).utf8Span.span) }

    init?(reading text: Span<UInt8>) {
        guard text.count == Self.length else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for index in text.indices {
            if Self.isDash(index) {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = text[index].hexadecimalValue else { return nil }
            // A dash stands in the middle.
            if index < Self.length / 2 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
        }
        high = halves.high
        low = halves.low
    }

    package var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(Self.length)
        for half in [high, low] {
            for shift in stride(from: 60, through: 0, by: -4) {
                if Self.isDash(text.count) { text.append(UInt8(ascii: "-")) }
                let digit = UInt8(truncatingIfNeeded: half >> shift) & 15
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static let length = 36

    private static func isDash(_ index: Int) -> Bool { index == 8 || index == 13 || index == 18 || index == 23 }
}
