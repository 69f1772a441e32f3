extension AudioSessionConfiguration {
    /// The legality of an option with a category.
    enum OptionLegality: Sendable, Hashable {
        case legal
        /// The option is legal only in mode default.
        case legalInDefaultMode
        /// The option is legal only beside `duckOthers`.
        case legalBesideDucking
        /// The category implies the option, so setting it has no effect.
        case implied
        case illegal

        /// Whether the option is legal in a mode, beside others that are set.
        func allows(_ mode: Mode, beside options: CategoryOptions) -> Bool {
            switch self {
            case .legal, .implied: true
            case .legalInDefaultMode: mode == .default
            case .legalBesideDucking: options.contains(.duckOthers)
            case .illegal: false
            }
        }
    }
}

extension AudioSessionConfiguration.OptionLegality {
    private typealias Options = AudioSessionConfiguration.CategoryOptions

    /// Returns the legality of a single option with a category.
    static func of(
        _ option: AudioSessionConfiguration.CategoryOptions, in category: AudioSessionConfiguration.Category
    ) -> Self {
        switch category {
        case .ambient: ambient[option] ?? .illegal
        case .soloAmbient: anyPlaying[option] ?? .illegal
        case .playback: playback[option] ?? .illegal
        case .record: record[option] ?? .illegal
        case .playAndRecord: .legal
        case .multiRoute: multiRoute[option] ?? .illegal
        }
    }

    private static let anyPlaying: [Options: Self] = [.allowBluetoothA2DP: .implied, .allowAirPlay: .implied]
    private static let ambient = anyPlaying.merging([.mixWithOthers: .implied, .duckOthers: .legal]) { $1 }
    private static let playback = anyPlaying.merging(mixing(.legal)) { $1 }
    // Apple's sample for speech recognition ducks while it records, which Apple's header forbids.
    private static let record: [Options: Self] = [
        .allowBluetoothHFP: .legal, .duckOthers: .legal, .mixWithOthers: .legalBesideDucking,
    ]
    private static let multiRoute = mixing(.legalInDefaultMode)

    private static func mixing(_ legality: Self) -> [Options: Self] {
        [.mixWithOthers: legality, .duckOthers: legality, .interruptSpokenAudioAndMixWithOthers: legality]
    }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// Returns all options that are legal with a category in a mode when all of them are set.
    /// - Parameters:
    ///   - category: The category of the session.
    ///   - mode: The mode of the session.
    public static func legal(
        with category: AudioSessionConfiguration.Category, mode: AudioSessionConfiguration.Mode = .default
    ) -> Self {
        guard mode.legalCategories.contains(category) else { return [] }
        return Self(named.map(\.option).filter { $0.legality(in: category).allows(mode, beside: .duckOthers) })
    }

    /// Returns all options that a category implies.
    static func implied(by category: AudioSessionConfiguration.Category) -> Self {
        Self(named.map(\.option).filter { $0.legality(in: category) == .implied })
    }

    func legality(
        in category: AudioSessionConfiguration.Category
    ) -> AudioSessionConfiguration.OptionLegality { .of(self, in: category) }
}
