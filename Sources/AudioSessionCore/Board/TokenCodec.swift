/// The properties of a token's device.
///
/// `device.name` is the token's name, `device.description` its payload: `1;` and then fields, each a word or
/// `word=value`, in any order, none twice, separated by semicolons, all in printable ASCII. The first field is the
/// version. A reader refuses what it does not know in its own version, and takes a newer one as a session that mixes.
extension TokenContents {
    package static let deviceAPI = "audio-session"
    /// More than the longest payload that this version writes.
    package static let largestPayload = 512
    package static let largestGroup = 64

    /// What somebody's device says.
    package enum Reading: Sendable, Hashable {
        case token(TokenContents)
        /// It says that it is a token, and then talks nonsense.
        case malformed
        case noToken
    }

    package static func read(_ properties: Properties) -> Reading {
        guard properties[.deviceAPI] == deviceAPI else { return .noToken }
        guard let name = properties[.deviceName].flatMap(TokenName.init(reading:)),
            let payload = properties[.deviceDescription],
            let contents = TokenContents(name: name, reading: payload)
        else { return .malformed }
        return .token(contents)
    }

    package var properties: Properties {
        [.deviceAPI: Self.deviceAPI, .deviceName: name.description, .deviceDescription: payload]
    }

    private init?(name: TokenName, reading payload: String) {
        // Looked at no further than it may be long.
        let bytes = Array(payload.utf8.prefix(Self.largestPayload + 1))
        guard let version = Self.version(bytes) else { return nil }
        guard version == 1 else {
            self.init(name: name, traits: TokenTraits(isMixable: true))
            return
        }
        guard bytes.count <= Self.largestPayload, let fields = TokenFields(bytes) else { return nil }
        self.init(name: name, fields)
    }

    /// The digits before the first semicolon. A version with more digits than a number holds is a newer one.
    private static func version(_ bytes: [UInt8]) -> UInt32? {
        let digits = bytes.prefix { $0 != UInt8(ascii: ";") }
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.allSatisfy(\.isDigit) else { return nil }
        return digits.count > 9 ? .max : UInt32(String(decoding: digits, as: UTF8.self))
    }

    private init?(name: TokenName, _ fields: TokenFields) {
        var fields = fields
        guard let state = fields.take("state").flatMap(State.init(word:)),
            let priority = fields.take("priority").flatMap(TokenPriority.init(word:)),
            let group = fields.takeOptional("group", { $0.unescapedGroup }),
            let gain = fields.takeOptional("ducks", { UInt16($0).flatMap { $0 <= TokenTraits.fullGain ? $0 : nil } }),
            let place = fields.takeOptional("place", TokenPlace.init(text:)),
            let background = fields.takeOptional("background", Background.init(text:))
        else { return nil }
        let traits = TokenTraits(
            priority: priority, group: group, isMixable: fields.takeWord("mixes"), duckedGain: gain,
            interruptsSpokenAudio: fields.takeWord("prompts"), isSpokenAudio: fields.takeWord("spoken"),
            capturesAudio: fields.takeWord("captures"), leavesWithNotice: fields.takeWord("notifies"),
            followsSilentMode: fields.takeWord("silenceable"))
        self.init(
            name: name, state: state, traits: traits, place: place, background: background ?? .no,
            isChange: fields.takeWord("change"))
        guard fields.isEmpty else { return nil }
    }

    private var payload: String {
        var fields = ["1", "state=\(state.word)", "priority=\(traits.priority.word)"]
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

extension TokenName {
    package init?(reading text: String) {
        let longest = Self.prefix.utf8.count + 36 + 1 + 10
        guard text.utf8.prefix(longest + 1).count <= longest, text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let session = TokenSession(parts[0]), let number = UInt32(canonical: parts[1])
        else { return nil }
        self.init(session, number)
    }
}
