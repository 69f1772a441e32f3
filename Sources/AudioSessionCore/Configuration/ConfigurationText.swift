/// Values by their names, for command lines, files and other programs' text.
enum ConfigurationText {
    /// - Parameters:
    ///   - names: of all values, with what else each may be called.
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

    /// Short, and without anything that could disturb a terminal or a line of a log.
    private static func quoted(_ text: String) -> String {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(40)))
        return start.debugDescription + (start.utf8.count < text.utf8.count ? "…" : "")
    }
}

extension AudioSessionConfiguration.Category {
    /// Reads a name such as `playback`, or the raw value.
    public init(named text: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: text, .category, among: Self.allCases.map { ($0, [$0.name, $0.rawValue]) })
    }
}

extension AudioSessionConfiguration.Mode {
    /// Reads a name such as `voiceChat`, or the raw value.
    public init(named text: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: text, .mode, among: Self.allCases.map { ($0, [$0.name, $0.rawValue]) })
    }
}

extension AudioSessionConfiguration.RouteSharingPolicy {
    /// Reads a name such as `longFormAudio`.
    public init(named text: String) throws(AudioSessionError) {
        self = try ConfigurationText.value(
            of: text, .policy,
            among: Self.allCases.map { ($0, $0 == .longFormAudio ? [$0.name, "longForm"] : [$0.name]) })
    }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// Reads names such as `duckOthers,allowBluetoothHFP`; none is no option.
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
