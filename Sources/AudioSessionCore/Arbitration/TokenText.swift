/// This extension reads a token's text byte by byte without copying it.
extension Span<UInt8> {
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        var index = start
        while index < count {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[index]) { return false }
        return true
    }

    func elementsEqual(_ other: Self) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// The text as a string, if it is short enough for a word of a payload. Such a string needs no
    /// allocation.
    var word: String? {
        guard count <= 15, let text = try? UTF8Span(validating: self) else { return nil }
        return String(copying: text)
    }
}

extension FixedWidthInteger {
    /// Parses digits without a sign.
    init?(digits text: Span<UInt8>) {
        guard !text.isEmpty else { return nil }
        var value: Self = 0
        for index in text.indices {
            guard text[index].isDigit else { return nil }
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeNow) = tens.addingReportingOverflow(Self(text[index] - UInt8(ascii: "0")))
            guard !isTooLarge, !isTooLargeNow else { return nil }
            value = sum
        }
        self = value
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    fileprivate var isPlain: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(self)
    }
}

extension StringProtocol {
    /// The longest prefix of whole characters that a group's name may have; `nil` if it is empty.
    var shortenedToGroup: String? {
        var scalars = String(self).unicodeScalars
        var count = utf8.count
        while count > TokenContents.largestGroup, let last = scalars.popLast() { count -= UTF8.width(last) }
        return scalars.isEmpty ? nil : String(scalars)
    }

    /// The name with all bytes except letters, digits and a few marks as `%xx`.
    var escapedGroup: String {
        var result = ""
        for byte in utf8 {
            if byte.isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return result
    }
}

extension String {
    /// Parses an escaped group name; `nil` if it is empty, too long, wrongly escaped, or not UTF-8.
    init?(unescapingGroup text: Span<UInt8>) {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index].isPlain {
                bytes.append(text[index])
                index += 1
            } else {
                guard text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                    let high = text[index + 1].hexadecimalValue, let low = text[index + 2].hexadecimalValue
                else { return nil }
                bytes.append(16 * high + low)
                index += 3
            }
        }
        guard !bytes.isEmpty, bytes.count <= TokenContents.largestGroup else { return nil }
        self.init(validating: bytes, as: UTF8.self)
    }
}
