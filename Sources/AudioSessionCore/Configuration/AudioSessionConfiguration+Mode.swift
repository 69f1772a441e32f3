extension AudioSessionConfiguration {
    /// The special purpose of a session within its category. Raw values are the names of Apple's
    /// constants.
    @nonexhaustive
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The mode without a special purpose.
        case `default` = "AVAudioSessionModeDefault"
        /// A call. Implies ``CategoryOptions/allowBluetoothHFP`` and the priority of communication.
        case voiceChat = "AVAudioSessionModeVoiceChat"
        /// Voice chat of a game; otherwise as ``voiceChat``.
        case gameChat = "AVAudioSessionModeGameChat"
        /// The sound of a video that is being recorded.
        case videoRecording = "AVAudioSessionModeVideoRecording"
        /// Unprocessed sound for measurements.
        case measurement = "AVAudioSessionModeMeasurement"
        /// The sound of a film.
        case moviePlayback = "AVAudioSessionModeMoviePlayback"
        /// A video call. As ``voiceChat``, and implies ``CategoryOptions/defaultToSpeaker``.
        case videoChat = "AVAudioSessionModeVideoChat"
        /// Continuous speech. Spoken prompts interrupt it instead of ducking it.
        case spokenAudio = "AVAudioSessionModeSpokenAudio"
        /// Short spoken prompts, such as those of navigation.
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

    /// The categories with which this mode is legal.
    public var legalCategories: [AudioSessionConfiguration.Category] {
        switch self {
        // Programs for iOS also record with spokenAudio, although its name is about what is played.
        case .default, .spokenAudio: AudioSessionConfiguration.Category.allCases
        case .voiceChat, .gameChat, .videoChat: [.playAndRecord]
        case .videoRecording: [.record, .playAndRecord]
        case .measurement: [.playback, .record, .playAndRecord]
        case .moviePlayback, .voicePrompt: AudioSessionConfiguration.Category.allCases.filter(\.allowsPlayback)
        }
    }

    /// The options that this mode implies.
    public var impliedOptions: AudioSessionConfiguration.CategoryOptions {
        switch self {
        case .voiceChat, .gameChat: .allowBluetoothHFP
        case .videoChat: [.allowBluetoothHFP, .defaultToSpeaker]
        default: []
        }
    }

    /// Whether the mode is that of a conversation.
    var isChat: Bool { self == .voiceChat || self == .videoChat || self == .gameChat }
}
