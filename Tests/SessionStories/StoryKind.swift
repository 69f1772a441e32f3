package import AudioSessionCore

/// The kind of a story's session: a word such as `music`, or `music@g` for one of group g.
package struct StoryKind: Sendable, Hashable {
    package let configuration: AudioSessionConfiguration
    /// The depth of the duck; `nil` means the default.
    package let duckedGain: UInt16?

    private init(
        _ category: AudioSessionConfiguration.Category, _ mode: AudioSessionConfiguration.Mode = .default,
        _ options: AudioSessionConfiguration.CategoryOptions = [],
        _ priority: AudioSessionConfiguration.Priority = .media, duckedGain: UInt16? = nil
    ) {
        configuration = AudioSessionConfiguration(category, mode: mode, options: options, priority: priority)
        self.duckedGain = duckedGain
    }

    private init(_ configuration: AudioSessionConfiguration, _ duckedGain: UInt16?) {
        self.configuration = configuration
        self.duckedGain = duckedGain
    }

    package init(_ text: String) {
        let parts = text.split(separator: "@").map(String.init)
        guard let kind = Self.kinds[parts[0]] else { preconditionFailure("no such kind: \(text)") }
        var configuration = kind.configuration
        if parts.count > 1 { configuration.group = parts[1] }
        self.init(configuration, kind.duckedGain)
    }

    package var traits: TokenTraits {
        TokenTraits(configuration, duckedGain: duckedGain ?? TokenTraits.defaultDuckedGain)
    }

    private static let kinds: [String: StoryKind] = [
        "music": .init(.playback),
        "podcast": .init(.playback, .spokenAudio),
        "game": .init(.playback, .default, .mixWithOthers),
        "spokenGame": .init(.playback, .spokenAudio, .mixWithOthers),
        "nav": .init(.playback, .voicePrompt, .duckOthers),
        "deepNav": .init(.playback, .voicePrompt, .duckOthers, duckedGain: 50),
        "prompt": .init(.playback, .voicePrompt, [.duckOthers, .interruptSpokenAudioAndMixWithOthers]),
        "alarm": .init(.playback, .default, [], .alarm),
        "ring": .init(.playback, .default, [], .ringtone),
        "emergency": .init(.playback, .default, [], .emergency),
        "call": .init(.playAndRecord, .voiceChat),
        "mixCall": .init(.playAndRecord, .voiceChat, .mixWithOthers),
        "rec": .init(.record),
        "mixRec": .init(.playAndRecord, .default, .mixWithOthers),
        "duckRec": .init(.playAndRecord, .default, .duckOthers),
        "studio": .init(.playAndRecord),
        "ambient": .init(.ambient),
        "solo": .init(.soloAmbient),
    ]
}
