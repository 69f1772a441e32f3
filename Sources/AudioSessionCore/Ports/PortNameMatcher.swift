/// A name split into lower-case words, so that `[Out] HDMI1`, `hdmi-stereo` and `vc4-hdmi-0` can be
/// searched alike.
package struct PortNameMatcher: Sendable, Hashable {
    private let text: String

    package init(_ name: String) {
        guard name.utf8.allSatisfy({ $0 < 128 }) else {
            let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
            text = " " + words.joined(separator: " ") + " "
            return
        }
        // The fast path for ASCII, which nearly all names are. Querying Unicode takes about 20
        // times as long.
        var bytes: [UInt8] = [.space]
        bytes.reserveCapacity(name.utf8.count + 2)
        for byte in name.utf8 {
            if byte.isAlphanumeric {
                bytes.append(byte.lowercased)
            } else if bytes.last != .space {
                bytes.append(.space)
            }
        }
        if bytes.last != .space || bytes.count == 1 { bytes.append(.space) }
        text = String(decoding: bytes, as: UTF8.self)
    }

    package func contains(_ part: String) -> Bool { text.holds(part) }

    /// Whether a word begins with `part`.
    package func containsWord(from part: String) -> Bool { text.holds(" " + part) }
}

/// A name that is searched for words, with its weight.
package struct PortName: Sendable, Hashable {
    package let words: PortNameMatcher
    /// The source of the name, as a phrase for the user.
    package let source: String
    /// Whether the name is that of this very port, rather than of the card or one of its chips.
    package let isFirm: Bool
}

extension PortEvidence {
    /// The names of the port, the most specific first.
    var names: [PortName] {
        var names = [PortName(words: PortNameMatcher(routeName), source: "the route's name", isFirm: true)]
        guard !isOtherRoute else { return names }
        func add(_ name: String?, _ source: String, isFirm: Bool) {
            if let name { names.append(PortName(words: PortNameMatcher(name), source: source, isFirm: isFirm)) }
        }
        add(nodeProfile, "the profile's name", isFirm: true)
        add(node?.name, "the node's name", isFirm: true)
        add(node?.properties[.alsaID], "the ALSA id", isFirm: false)
        add(node?.properties[.alsaName], "the ALSA name", isFirm: false)
        add(self[.alsaCardName], "the card's name", isFirm: false)
        // A card's mixer is named after one chip, which need not be that of this output.
        let own = [node?.properties[.alsaID], node?.properties[.alsaName]].compactMap(\.self)
        let isOfAnotherChip = own.contains { PortNameMatcher($0).contains("analog") }
        add(isOfAnotherChip ? nil : self[.alsaMixerName], "the mixer's name", isFirm: false)
        if isDescribedOnly { add(ownDescription, "the description, the only data", isFirm: true) }
        return names
    }

    /// The node's description without the card's description at its beginning.
    private var ownDescription: String? {
        guard let text = node?.properties[.nodeDescription] else { return nil }
        guard let card = device?.properties[.deviceDescription], text.hasPrefix(card) else { return text }
        return String(text.dropFirst(card.count))
    }
}

/// These helpers cover only ASCII.
extension UInt8 {
    fileprivate static let space = UInt8(ascii: " ")

    var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}

extension String {
    /// Whether the string contains `part`. For short names this is faster than the standard
    /// library's `contains`, which builds tables first.
    func holds(_ part: String) -> Bool {
        let (text, part) = (utf8Span.span, part.utf8Span.span)
        guard text.count >= part.count else { return false }
        for start in 0...(text.count - part.count) {
            var length = 0
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
        }
        return false
    }
}
