/// Values by their names, for command lines, files and other programs' text.
enum ConfigurationText {
    /// Finds the value with this name.
    /// - Parameter values: All values, each with its names.
    /// - Throws: `badParam` if none has this name.
    static func value<Value>(
        of text: String, _ kind: AppleOnly.Kind, among values: [(value: Value, names: [String])]
    ) throws(AudioSessionError) -> Value {
        if let match = values.first(where: { $0.names.contains(text) }) { return match.value }
        if let known = AppleOnly.all.first(where: { $0.kind == kind && ($0.name == text || $0.appleName == text) }) {
            throw AudioSessionError(.badParam, rule: known.rule, fix: known.fix)
        }
        let names = values.compactMap(\.names.first).joined(separator: ", ")
        throw AudioSessionError(
            .badParam, rule: "There is no \(kind.rawValue) \(quoted(text)).", fix: "Use one of \(names).")
    }

    /// Returns the text in quotation marks, shortened, and with escapes for characters that could
    /// disturb a terminal or log.
    private static func quoted(_ text: String) -> String {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
        return start.debugDescription + (start.utf8.count < text.utf8.count ? "…" : "")
    }
}

extension AudioSessionConfiguration.Category {
    /// Makes the value with this name, such as `playback`, or with this raw value.
    /// - Parameter text: The name.
    /// - Throws: `badParam` if there is none.
    public init(named text: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: text, .category, among: Self.allCases.map { ($0, [$0.name, $0.rawValue]) })
    }
}

extension AudioSessionConfiguration.Mode {
    /// Makes the value with this name, such as `voiceChat`, or with this raw value.
    /// - Parameter text: The name.
    /// - Throws: `badParam` if there is none.
    public init(named text: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: text, .mode, among: Self.allCases.map { ($0, [$0.name, $0.rawValue]) })
    }
}

extension AudioSessionConfiguration.RouteSharingPolicy {
    /// Makes the value with this name, such as `longFormAudio`.
    /// - Parameter text: The name.
    /// - Throws: `badParam` if there is none.
    public init(named text: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: text, .policy,
            among: Self.allCases.map { ($0, $0 == .longFormAudio ? [$0.name, "longForm"] : [$0.name]) })
    }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// Makes the options with these names, such as `duckOthers,allowBluetoothHFP`. An empty text
    /// has no options.
    /// - Parameter text: The names, separated by commas.
    /// - Throws: `badParam` if a name is unknown.
    public init(named text: String) throws(AudioSessionError) {
        self = []
        guard !text.isEmpty else { return }
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            insert(try Self(single: String(name)))
        }
    }

    private init(single name: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: name, .option,
            among: Self.named.map {
                ($0.option, $0.option == .allowBluetoothHFP ? [$0.name, "allowBluetooth"] : [$0.name])
            })
    }
}
