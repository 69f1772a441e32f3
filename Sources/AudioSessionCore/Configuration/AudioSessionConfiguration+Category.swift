extension AudioSessionConfiguration {
    /// The kind of sound that a session is for. Raw values are the names of Apple's constants.
    @nonexhaustive
    public enum Category: String, Sendable, Hashable, CaseIterable {
        /// Sound that the program can do without. It mixes with other sound and follows silent
        /// mode.
        case ambient = "AVAudioSessionCategoryAmbient"
        /// Sound that the program can do without, but that interrupts other sound. It follows
        /// silent mode. The default category.
        case soloAmbient = "AVAudioSessionCategorySoloAmbient"
        /// Sound that is central to the program: music, films, podcasts, and games whose sound
        /// matters.
        case playback = "AVAudioSessionCategoryPlayback"
        /// Recording without playback of any sound.
        case record = "AVAudioSessionCategoryRecord"
        /// Recording and playback, at once or in turn: calls, instruments.
        case playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
        /// Different sound for different outputs at once, with recording. Here a session has one
        /// output at a time: make a session for each output.
        case multiRoute = "AVAudioSessionCategoryMultiRoute"
    }
}

extension AudioSessionConfiguration.Category {
    @available(*, unavailable, message: "Converting sound needs no session, and has no device to reserve here")
    public static var audioProcessing: Self { .ambient }

    /// The name of the case, such as `playAndRecord`.
    public var name: String { "\(self)" }

    /// Whether a session of this category plays.
    public var allowsPlayback: Bool { self != .record }

    /// Whether a session of this category records.
    public var allowsRecording: Bool { self == .record || self == .playAndRecord || self == .multiRoute }

    /// The modes that are legal with this category.
    public var legalModes: [AudioSessionConfiguration.Mode] {
        AudioSessionConfiguration.Mode.allCases.filter { $0.legalCategories.contains(self) }
    }
}
