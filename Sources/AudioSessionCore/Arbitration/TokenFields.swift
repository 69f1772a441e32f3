/// The fields of a payload. Nothing but a group's name is copied, because every process with a
/// session reads every token.
struct TokenFields {
    private(set) var state: TokenContents.State?
    private(set) var priority: TokenPriority?
    private(set) var group: String?
    private(set) var duckedGain: UInt16?
    private(set) var place: TokenPlace?
    private(set) var background = TokenContents.Background.no
    private var seen: UInt16 = 0

    /// The fields. The names of the cases are the words of the payload.
    enum Word: UInt8, CaseIterable {
        case state, priority, group, ducks, place, background
        case mixes, prompts, spoken, captures, notifies, silenceable, change
    }

    /// Parses the fields after the version; `nil` if one is malformed, unknown or repeated.
    init?(_ text: Span<UInt8>) {
        guard text.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        var separator = text.firstIndex(of: UInt8(ascii: ";"))
        while let start = separator.map({ $0 + 1 }) {
            separator = text.firstIndex(of: UInt8(ascii: ";"), from: start)
            guard take(text.extracting(start..<(separator ?? text.count))) else { return nil }
        }
    }

    func has(_ word: Word) -> Bool { seen & (1 << word.rawValue) != 0 }

    private mutating func take(_ field: Span<UInt8>) -> Bool {
        let sign = field.firstIndex(of: UInt8(ascii: "="))
        guard let word = Word(field.extracting(first: sign ?? field.count)), !has(word) else { return false }
        seen |= 1 << word.rawValue
        guard let sign else { return word.rawValue >= Word.mixes.rawValue }
        return set(word, field.extracting(sign + 1..<field.count))
    }

    private mutating func set(_ word: Word, _ value: Span<UInt8>) -> Bool {
        switch word {
        case .state: keep(value.word.flatMap(TokenContents.State.init(rawValue:)), \.state)
        case .priority: keep(value.word.flatMap(TokenPriority.init(word:)), \.priority)
        case .group: keep(String(unescapingGroup: value), \.group)
        case .ducks: keep(UInt16(digits: value).flatMap { $0 <= TokenTraits.fullGain ? $0 : nil }, \.duckedGain)
        case .place: keep(TokenPlace(reading: value), \.place)
        case .background: TokenContents.Background(reading: value).map { background = $0 } != nil
        case .mixes, .prompts, .spoken, .captures, .notifies, .silenceable, .change: false
        }
    }

    private mutating func keep<Value>(_ value: Value?, _ field: WritableKeyPath<Self, Value?>) -> Bool {
        self[keyPath: field] = value
        return value != nil
    }
}

extension TokenFields.Word {
    private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0) })

    fileprivate init?(_ text: Span<UInt8>) {
        guard let word = text.word.flatMap({ Self.named[$0] }) else { return nil }
        self = word
    }
}

extension TokenPriority {
    /// The word of the payload.
    var word: String {
        switch self {
        case .media: "media"
        case .alarm: "alarm"
        case .ringtone: "ringtone"
        case .communication: "communication"
        case .emergency: "emergency"
        }
    }

    fileprivate init?(word: String) {
        guard let priority = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = priority
    }
}

extension TokenPlace {
    var text: String { "\(cookie):\(epoch):\(serial)" }

    fileprivate init?(reading text: Span<UInt8>) {
        guard let first = text.firstIndex(of: UInt8(ascii: ":")),
            let second = text.firstIndex(of: UInt8(ascii: ":"), from: first + 1),
            let cookie = UInt32(digits: text.extracting(first: first)),
            let epoch = UInt32(digits: text.extracting(first + 1..<second)),
            let serial = UInt64(digits: text.extracting(second + 1..<text.count))
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

    fileprivate init?(reading text: Span<UInt8>) {
        if text.word == "yes" {
            self = .yes
        } else if let serial = UInt64(digits: text) {
            self = .nowPlaying(serial)
        } else {
            return nil
        }
    }
}
