extension TokenTraits {
    /// Derives the traits from a configuration, which must be legal.
    package init(_ configuration: AudioSessionConfiguration, duckedGain: UInt16 = TokenTraits.defaultDuckedGain) {
        self.init(
            priority: TokenPriority(configuration.effectivePriority), group: configuration.group,
            isMixable: configuration.isMixable, duckedGain: configuration.ducksOthers ? duckedGain : nil,
            interruptsSpokenAudio: configuration.interruptsSpokenAudio, isSpokenAudio: configuration.isSpokenAudio,
            capturesAudio: configuration.capturesAudio, leavesWithNotice: configuration.notifiesOthersWhenLost,
            followsSilentMode: configuration.isSilencedBySilentMode)
    }
}

extension TokenPriority {
    package init(_ priority: AudioSessionConfiguration.Priority) {
        switch priority {
        case .media: self = .media
        case .alarm: self = .alarm
        case .ringtone: self = .ringtone
        case .communication: self = .communication
        case .emergency: self = .emergency
        }
    }
}
