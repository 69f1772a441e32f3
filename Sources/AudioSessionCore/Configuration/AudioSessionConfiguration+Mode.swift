extension AudioSessionConfiguration {
    /// What a category is used for in particular. Raw values are the names of Apple's constants.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Nothing in particular.
        case `default` = "AVAudioSessionModeDefault"
        /// A call. Implies ``CategoryOptions/allowBluetoothHFP`` and the priority of communication.
        case voiceChat = "AVAudioSessionModeVoiceChat"
        /// Talk beside a game; as ``voiceChat``.
        case gameChat = "AVAudioSessionModeGameChat"
        /// The sound of a film that is being made.
        case videoRecording = "AVAudioSessionModeVideoRecording"
        /// Sound as it is, with nothing done to it on the way.
        case measurement = "AVAudioSessionModeMeasurement"
        /// The sound of a film.
        case moviePlayback = "AVAudioSessionModeMoviePlayback"
        /// A call with a picture; as ``voiceChat``, and implies ``CategoryOptions/defaultToSpeaker``.
        case videoChat = "AVAudioSessionModeVideoChat"
        /// Continuous speech. Is interrupted by spoken prompts that would lower music.
        case spokenAudio = "AVAudioSessionModeSpokenAudio"
        /// Short spoken prompts, as those of navigation.
        case voicePrompt = "AVAudioSessionModeVoicePrompt"
    }
}

extension AudioSessionConfiguration.Mode {
    @available(*, unavailable, message: "Nothing here unmutes a muted program; use mode moviePlayback or default")
    public static var shortFormVideo: Self { .default }
    @available(*, unavailable, message: "Needs the paired routes of Apple's devices; choose outputs per stream")
    public static var dualRoute: Self { .default }

    /// The name of the case, such as `voiceChat`.
    public var name: String { "\(self)" }

    /// The categories that this mode may be set with.
    public var legalCategories: [AudioSessionConfiguration.Category] {
        switch self {
        case .default: AudioSessionConfiguration.Category.allCases
        case .voiceChat, .gameChat, .videoChat: [.playAndRecord]
        case .videoRecording: [.record, .playAndRecord]
        case .measurement: [.playback, .record, .playAndRecord]
        case .moviePlayback: [.playback]
        case .spokenAudio, .voicePrompt: AudioSessionConfiguration.Category.allCases.filter(\.allowsPlayback)
        }
    }

    /// The options that are on with this mode, set or not.
    public var impliedOptions: AudioSessionConfiguration.CategoryOptions {
        switch self {
        case .voiceChat, .gameChat: .allowBluetoothHFP
        case .videoChat: [.allowBluetoothHFP, .defaultToSpeaker]
        default: []
        }
    }

    /// Whether it is the mode of people who talk with each other.
    var isChat: Bool { self == .voiceChat || self == .videoChat || self == .gameChat }
}
