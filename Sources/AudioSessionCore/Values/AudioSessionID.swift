/// Identifies a session on the whole computer, for as long as it exists.
///
/// It is a uuid. Its text, in lower case, is what the tool and its lines of JSON show, and can be
/// read back.
public struct AudioSessionID: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

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

    /// The uuid in lower case.
    public var description: String {
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

    /// A session that no other program has: 122 random bits, as RFC 9562 has them in version 4.
    package static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(
            high: generator.next() & 0xffff_ffff_ffff_0fff | 0x4000,
            low: generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    private static func isDash(_ index: Int) -> Bool { index == 8 || index == 13 || index == 18 || index == 23 }
}

extension AudioSessionID: LosslessStringConvertible {
    /// Reads an ID from the text of a uuid, in upper or lower case; `nil` if the text is no uuid.
    public init?(_ description: String) { self.init(reading: description.utf8Span.span) }
}

extension AudioSessionID: Codable {
    /// Reads the uuid's text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text.prefix(80))' is no uuid, as a session's id has to be.")
        }
        self = id
    }

    /// Writes the uuid's text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
