/// The fields of a payload, taken out one by one; what is left over was not understood.
struct TokenFields {
    private var values: [Substring: Substring?] = [:]

    /// `nil` if a field comes twice or anything is not printable ASCII. The first field, the version, is left out.
    init?(_ bytes: [UInt8]) {
        guard bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        for field in text.split(separator: ";", omittingEmptySubsequences: false).dropFirst() {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let word = parts.first, values[word] == nil else { return nil }
            values[word] = .some(parts.count == 2 ? parts[1] : nil)
        }
    }

    var isEmpty: Bool { values.isEmpty }

    mutating func take(_ word: Substring) -> Substring? {
        guard let value = values[word], let value else { return nil }
        values[word] = nil
        return value
    }

    /// `nil` if the field is there but not readable; `.some(nil)` if it is not there.
    mutating func takeOptional<Value>(_ word: Substring, _ read: (Substring) -> Value?) -> Value?? {
        guard values[word] != nil else { return .some(nil) }
        return take(word).flatMap(read).map { .some($0) }
    }

    /// Whether the word is there, without a value. (With one it stays, and nobody understands it.)
    mutating func takeWord(_ word: Substring) -> Bool {
        guard let value = values[word], value == nil else { return false }
        values[word] = nil
        return true
    }
}

extension TokenContents.State {
    var word: String {
        switch self {
        case .standing: "standing"
        case .waiting: "waiting"
        case .advised: "advised"
        case .releasedWithNotice: "released-notify"
        case .releasedSilently: "released-silent"
        }
    }

    init?(word: Substring) {
        guard let state = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = state
    }
}

extension TokenPriority {
    // Spelled out, for every process reads every token, and asking a value for its name takes longer than all else.
    var word: String {
        switch self {
        case .media: "media"
        case .alarm: "alarm"
        case .ringtone: "ringtone"
        case .communication: "communication"
        case .emergency: "emergency"
        }
    }

    init?(word: Substring) {
        guard let priority = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = priority
    }
}

extension TokenPlace {
    var text: String { "\(cookie):\(epoch):\(serial)" }

    init?(text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let cookie = UInt32(canonical: parts[0]), let epoch = UInt32(canonical: parts[1]),
            let serial = UInt64(canonical: parts[2])
        else { return nil }
        self.init(cookie: cookie, epoch: epoch, serial: serial)
    }
}

extension TokenContents.Background {
    var text: String? {
        switch self {
        case .no: nil
        case .yes: "yes"
        case .nowPlaying(let serial): "\(serial)"
        }
    }

    init?(text: Substring) {
        if text == "yes" {
            self = .yes
        } else if let serial = UInt64(canonical: text) {
            self = .nowPlaying(serial)
        } else {
            return nil
        }
    }
}

extension FixedWidthInteger {
    /// Digits only: no sign.
    init?(canonical text: Substring) {
        guard text.utf8.allSatisfy(\.isDigit), let value = Self(text) else { return nil }
        self = value
    }
}

extension StringProtocol {
    /// At most as many bytes as a group may have, of whole characters; `nil` if nothing is left.
    var shortenedToGroup: String? {
        var scalars = String(self).unicodeScalars
        var count = utf8.count
        while count > TokenContents.largestGroup, let last = scalars.popLast() { count -= UTF8.width(last) }
        return scalars.isEmpty ? nil : String(scalars)
    }

    /// Anything but letters, digits and a few marks as `%xx`, a byte each.
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

    /// `nil` if it is empty, too long, not escaped as it should be, or not UTF-8.
    var unescapedGroup: String? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            if byte.isPlain {
                bytes.append(byte)
            } else {
                guard byte == UInt8(ascii: "%"), rest.count >= 2, rest.prefix(2).allSatisfy(\.isHexadecimal),
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            }
        }
        guard !bytes.isEmpty, bytes.count <= TokenContents.largestGroup else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isPlain: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(self)
    }
}
