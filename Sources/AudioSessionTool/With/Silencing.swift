import AudioSessions

/// The configuration of a session of `with`, `duck` or `pause`, and the programs that it leaves
/// unchanged.
struct Silencing: Sendable, Hashable {
    /// The effect on other programs, as an option of the command line.
    enum Manner: String, Sendable, CaseIterable {
        case pause, duck, mix
    }

    var configuration: AudioSessionConfiguration
    var exceptions = UnmanagedAudioExceptions()

    /// The default configuration. If such a session is lost with its program, other sessions
    /// receive advice to resume, unlike after the loss of a music player's session.
    static let prompt = AudioSessionConfiguration(.playback, mode: .voicePrompt)

    /// Combines a manner with a configuration.
    ///
    /// - Parameters:
    ///   - manner: The effect on other programs; `nil` derives it from the configuration.
    ///   - configuration: The configuration of the session.
    /// - Throws: `badParam` if the configuration is illegal, or mixes although others must pause.
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
        configuration.unmanagedAudioPolicy =
            switch manner {
            case .pause: .silence
            case .duck: .duck
            case .mix: .leave
            case nil: configuration.ducksOthers ? .duck : configuration.isMixable ? .leave : .silence
            }
        self.configuration = configuration
    }
}
