/// This extension converts a token to and from an announcement.
///
/// Its payload is `1;` followed by fields, each a word or `word=value`, in any order, none twice,
/// separated by semicolons, in printable ASCII. The first field is the version. A reader rejects
/// unknown fields of its own version, and treats a newer version as a session that mixes.
extension TokenContents {
    /// The maximum length of a payload in bytes. This version writes shorter ones.
    package static let largestPayload = 512
    package static let largestGroup = 64
    /// The maximum number of buffered tokens while this process does not parse them.
    package static let mostUnread = TokenLimits.standard.ofProcess
    /// The maximum number of buffered tokens until this client's identity is known; the same as the
    /// maximum afterwards.
    package static let mostEarly = TokenLimits.standard.all + TokenLimits.standard.surplus

    /// The result of reading an announcement of another program.
    package enum Reading: Sendable, Hashable {
        case token(TokenContents)
        /// The announcement is a token, but its payload is malformed.
        case malformed
        case noToken
    }

    package static func read(_ properties: Properties) -> Reading {
        guard let announced = properties.announced(.token) else { return .noToken }
        guard let name = announced.name.flatMap(TokenName.init(reading:)), let payload = announced.payload,
            let contents = TokenContents(name: name, reading: payload)
        else { return .malformed }
        return .token(contents)
    }

    package var announcement: Announcement { Announcement(.token, name: name.description, payload: payload) }

    private init?(name: TokenName, reading payload: String) {
        // No more bytes are read than a payload may have.
        let text = payload.utf8Span.span.extracting(first: Self.largestPayload + 1)
        guard let version = Self.version(text) else { return nil }
        guard version == 1 else {
            self.init(name: name, traits: TokenTraits(isMixable: true))
            return
        }
        guard text.count <= Self.largestPayload, let fields = TokenFields(text) else { return nil }
        self.init(name: name, fields)
    }

    /// The digits before the first semicolon. A version with more digits than the number type can
    /// hold is a newer one.
    private static func version(_ text: Span<UInt8>) -> UInt32? {
        let digits = text.extracting(first: text.firstIndex(of: UInt8(ascii: ";")) ?? text.count)
        guard !digits.isEmpty, digits[0] != UInt8(ascii: "0"), digits.allSatisfy(\.isDigit) else { return nil }
        return digits.count > 9 ? .max : UInt32(digits: digits)
    }

    private init?(name: TokenName, _ fields: TokenFields) {
        guard let state = fields.state, let priority = fields.priority else { return nil }
        let traits = TokenTraits(
            priority: priority, group: fields.group, isMixable: fields.has(.mixes), duckedGain: fields.duckedGain,
            interruptsSpokenAudio: fields.has(.prompts), isSpokenAudio: fields.has(.spoken),
            capturesAudio: fields.has(.captures), leavesWithNotice: fields.has(.notifies),
            followsSilentMode: fields.has(.silenceable))
        self.init(
            name: name, state: state, traits: traits, place: fields.place, background: fields.background,
            isChange: fields.has(.change))
    }

    private var payload: String {
        var fields = ["1", "state=\(state.rawValue)", "priority=\(traits.priority.word)"]
        if let group = traits.group { fields.append("group=\(group.escapedGroup)") }
        if traits.isMixable { fields.append("mixes") }
        if let gain = traits.duckedGain { fields.append("ducks=\(gain)") }
        if traits.interruptsSpokenAudio { fields.append("prompts") }
        if traits.isSpokenAudio { fields.append("spoken") }
        if traits.capturesAudio { fields.append("captures") }
        if traits.leavesWithNotice { fields.append("notifies") }
        if traits.followsSilentMode { fields.append("silenceable") }
        if let place { fields.append("place=\(place.text)") }
        if let text = background.text { fields.append("background=\(text)") }
        if isChange { fields.append("change") }
        return fields.joined(separator: ";")
    }
}

extension Properties {
    /// The properties that a token needs, with each value shortened to the bytes that are read.
    package var ofToken: Properties {
        var result = Properties()
        let keys: [PropertyKey] = [
            .sessionToken, .sessionName, .deviceAPI, .deviceName, .deviceDescription, .objectSerial, .clientID,
        ]
        for key in keys {
            guard let value = self[key] else { continue }
            let isShort = value.utf8.count <= TokenContents.largestPayload
            // One extra character suffices to make a value too long.
            result[key] = isShort ? value : String(value.unicodeScalars.prefix(TokenContents.largestPayload + 1))
        }
        return result
    }
}

extension TokenName {
    package init?(reading text: String) {
        let text = text.utf8Span.span
        let prefix = Self.prefix.utf8Span.span
        let dot = prefix.count + AudioSessionID.length
        guard text.count > dot, text.count <= dot + 1 + 10, text[dot] == UInt8(ascii: "."),
            text.extracting(first: prefix.count).elementsEqual(prefix),
            let session = AudioSessionID(reading: text.extracting(prefix.count..<dot)),
            let number = UInt32(digits: text.extracting(dot + 1..<text.count))
        else { return nil }
        self.init(session, number)
    }
}
