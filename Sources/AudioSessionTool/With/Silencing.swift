import AudioSessions

/// What a session of `with`, `duck` or `pause` is for, and what is done to programs without sessions meanwhile.
struct Silencing: Sendable, Hashable {
    /// What others do, as an option of the command line.
    enum Manner: String, Sendable, CaseIterable {
        case pause, duck, mix
    }

    var configuration: AudioSessionConfiguration
    let policy: ForeignAudioPolicy
    var exceptions = ForeignAudioExceptions()

    /// A session of this mode that is lost with its program lets others resume, unlike that of a music player.
    static let prompt = AudioSessionConfiguration(.playback, mode: .voicePrompt)

    /// - Parameter manner: `nil`: as the configuration says.
    /// - Throws: `badParam` if the configuration is illegal, or mixes while others are to pause.
    init(_ manner: Manner?, _ configuration: AudioSessionConfiguration) throws(AudioSessionError) {
        var configuration = configuration
        switch manner {
        case .duck: configuration.options.insert(.duckOthers)
        case .mix where !configuration.isMixable: configuration.options.insert(.mixWithOthers)
        case .mix, .pause, nil: break
        }
        try configuration.validate()
        if manner == .pause, configuration.isMixable {
            throw AudioSessionError(
                .badParam,
                rule: "With category \(configuration.category.name) and these options a session mixes with others, "
                    + "so that they do not pause.",
                fix: "Leave out --pause, or the category and the options.")
        }
        self.configuration = configuration
        policy =
            switch manner {
            case .pause: .silence
            case .duck: .duck
            case .mix: .leave
            case nil: configuration.ducksOthers ? .duck : configuration.isMixable ? .leave : .silence
            }
    }
}
