extension AudioSessionConfiguration {
    /// The kind of sound that a session is for. Raw values are the names of Apple's constants.
    public enum Category: String, Sendable, Hashable, CaseIterable {
        /// Sound that the program can do without. Mixes with everything, follows the silent mode.
        case ambient = "AVAudioSessionCategoryAmbient"
        /// As ``ambient``, but alone: it interrupts others. What a session is until it says otherwise.
        case soloAmbient = "AVAudioSessionCategorySoloAmbient"
        /// Sound is the point: music, films, podcasts, games that insist.
        case playback = "AVAudioSessionCategoryPlayback"
        /// Records, and plays nothing.
        case record = "AVAudioSessionCategoryRecord"
        /// Records and plays, at once or in turn: calls, instruments.
        case playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
        /// Different sound to different outputs at once, recording possible.
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

    /// The modes that this category may have.
    public var legalModes: [AudioSessionConfiguration.Mode] {
        AudioSessionConfiguration.Mode.allCases.filter { $0.legalCategories.contains(self) }
    }
}
