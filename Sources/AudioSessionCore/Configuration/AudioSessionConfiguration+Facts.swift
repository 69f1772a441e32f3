// What follows from a configuration, provided that it is legal.
extension AudioSessionConfiguration {
    /// The options in force: those that were set, those that they imply, and those that the category and the mode
    /// imply.
    public var effectiveOptions: CategoryOptions {
        var effective = options.union(.implied(by: category)).union(mode.impliedOptions)
        if options.contains(.duckOthers) { effective.insert(.mixWithOthers) }
        return effective
    }

    /// The priority in force: what was declared, and at least that of communication for a call.
    public var effectivePriority: Priority { isCall ? max(priority, .communication) : priority }

    /// Whether its category plays.
    public var allowsPlayback: Bool { category.allowsPlayback }
    /// Whether its category records.
    public var allowsRecording: Bool { category.allowsRecording }

    /// Whether it talks with people: category playAndRecord in a chat mode.
    public var isCall: Bool { category == .playAndRecord && mode.isChat }

    /// Whether others go on when it is activated, and it goes on when they are. The opposite is primary audio.
    public var isMixable: Bool { effectiveOptions.contains(.mixWithOthers) }

    /// Whether others are lowered while it is active.
    public var ducksOthers: Bool { options.contains(.duckOthers) }

    /// Whether it interrupts sessions that speak continuously, although it mixes.
    public var interruptsSpokenAudio: Bool { options.contains(.interruptSpokenAudioAndMixWithOthers) }

    /// Whether it is one of those, interrupted by prompts rather than lowered.
    public var isSpokenAudio: Bool { mode == .spokenAudio }

    /// Whether silent mode silences it.
    public var isSilencedBySilentMode: Bool { category == .ambient || category == .soloAmbient }

    /// Whether recording is its purpose. One that is activated may be refused because of another.
    ///
    /// A session of category multiRoute can record, but does not count as one that does.
    public var capturesAudio: Bool { category == .record || category == .playAndRecord }

    /// Whether it can be what the machine is now playing, which may be activated in the background.
    public var canBeNowPlaying: Bool { !isMixable && effectivePriority == .media }

    /// Whether it pauses, unless it is told otherwise, when the output that it plays to goes away.
    ///
    /// Calls are not paused (nobody hangs up by pulling a plug), and neither is sound that only accompanies.
    public var pausesWhenOutputDisappears: Bool {
        allowsPlayback && !isMixable && !isCall && priority != .communication
    }

    /// Whether others may resume after it vanished without a word.
    ///
    /// Whoever started music means it to stay; nearly everything else comes to an end by itself.
    public var notifiesOthersWhenLost: Bool {
        let isMusic = (category == .playback || category == .soloAmbient) && effectivePriority == .media
        return !(isMusic && [.default, .moviePlayback, .spokenAudio].contains(mode))
    }

    /// Whether hands-free Bluetooth devices may be used, which costs their users the good sound of playback.
    public var allowsBluetoothHFP: Bool { effectiveOptions.contains(.allowBluetoothHFP) }
    /// Whether Bluetooth devices that only play may be used for output.
    public var allowsBluetoothA2DP: Bool { effectiveOptions.contains(.allowBluetoothA2DP) }
    /// Whether AirPlay receivers may be used for output.
    public var allowsAirPlay: Bool { effectiveOptions.contains(.allowAirPlay) }

    /// Whether its output is a phone's receiver, where there is one, when nothing else is connected.
    public var prefersReceiver: Bool {
        category == .playAndRecord && !effectiveOptions.contains(.defaultToSpeaker)
    }
}
