/// A code of four bytes, as in Apple's errors and constants, such as `!pri`.
///
/// Its text has the four characters if all are printable, and otherwise `0x` and eight hexadecimal
/// digits. Both forms can be parsed again, so a log preserves every code.
package struct FourCharacterCode: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Makes the code of a status that an Apple function returns.
    /// - Parameter status: The status as a signed number.
    package init(status: Int32) { rawValue = UInt32(bitPattern: status) }

    /// The status that Apple's functions return for this code.
    package var status: Int32 { Int32(bitPattern: rawValue) }

    /// Whether all four characters are printable ASCII, including spaces.
    package var isPrintable: Bool { bytes.allSatisfy(Self.printable.contains) }

    private static let printable: ClosedRange<UInt8> = 0x20...0x7e

    private var bytes: [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    }
}

extension FourCharacterCode: LosslessStringConvertible {
    package var description: String {
        if isPrintable { return String(decoding: bytes, as: UTF8.self) }
        let digits = String(rawValue, radix: 16)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Parses four printable ASCII characters, or `0x` and eight hexadecimal digits; `nil` for
    /// anything else.
    /// - Parameter description: The text of a code.
    package init?(_ description: String) {
        // The limit is one byte more than is legal, so that the length of a hostile text costs
        // nothing.
        let text = Array(description.utf8.prefix(11))
        switch text.count {
        case 4:
            guard text.allSatisfy(Self.printable.contains) else { return nil }
            rawValue = text.reduce(0) { $0 << 8 | UInt32($1) }
        case 10:
            // `UInt32.init(_:radix:)` accepts a sign.
            guard text.starts(with: "0x".utf8), text[2] != UInt8(ascii: "+"), text[2] != UInt8(ascii: "-"),
                let value = UInt32(String(decoding: text[2...], as: UTF8.self), radix: 16)
            else { return nil }
            rawValue = value
        default: return nil
        }
    }
}
