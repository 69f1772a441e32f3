// These properties assume a legal configuration.
extension AudioSessionConfiguration {
    /// The options in force: those that are set, those that they imply, and those that category and
    /// mode imply.
    public var effectiveOptions: CategoryOptions {
        var effective = options.union(.implied(by: category)).union(mode.impliedOptions)
        if options.contains(.duckOthers) { effective.insert(.mixWithOthers) }
        return effective
    }

    /// The priority in force: the declared one, but at least `communication` for a call.
    public var effectivePriority: Priority { isCall ? max(priority, .communication) : priority }

    /// Whether the session's category plays.
    public var allowsPlayback: Bool { category.allowsPlayback }
    /// Whether the session's category records.
    public var allowsRecording: Bool { category.allowsRecording }

    /// Whether this is the configuration of a call: category playAndRecord with a chat mode.
    public var isCall: Bool { category == .playAndRecord && mode.isChat }

    /// Whether the session mixes with other sound instead of interrupting it. The opposite is
    /// primary audio.
    public var isMixable: Bool { effectiveOptions.contains(.mixWithOthers) }

    /// Whether the session ducks others while it is active.
    public var ducksOthers: Bool { options.contains(.duckOthers) }

    /// Whether the session interrupts sessions of mode spokenAudio, although it mixes.
    public var interruptsSpokenAudio: Bool { options.contains(.interruptSpokenAudioAndMixWithOthers) }

    /// Whether the session's mode is spokenAudio, so that prompts interrupt it instead of ducking
    /// it.
    public var isSpokenAudio: Bool { mode == .spokenAudio }

    /// Whether silent mode silences the session.
    public var isSilencedBySilentMode: Bool { category == .ambient || category == .soloAmbient }

    /// Whether recording is the purpose of the session. A capturing session may refuse another one.
    ///
    /// A session of category multiRoute can record, but does not count as a capturing one.
    public var capturesAudio: Bool { category == .record || category == .playAndRecord }

    /// Whether the session can be *now playing*, which may be activated in the background.
    public var canBeNowPlaying: Bool { !isMixable && effectivePriority == .media }

    /// Whether the session pauses by default when the output in use is lost.
    ///
    /// Calls continue, because pulling a plug does not end a call, and so does sound that mixes.
    public var pausesWhenOutputDisappears: Bool {
        allowsPlayback && !isMixable && !isCall && priority != .communication
    }

    /// Whether the loss of the output in use silences a program that the session hosts. Sound that
    /// mixes does not continue either, because the program did not choose to mix.
    package var silencesHostedProgramAtLoss: Bool {
        pausesOnRouteLoss && !isCall && priority != .communication
    }

    /// Whether the loss of the output in use silences streams that are attached to the session.
    /// Like the session's own streams, those of a session that mixes continue.
    package var silencesAttachedStreamsAtLoss: Bool { pausesOnRouteLoss && pausesWhenOutputDisappears }

    /// Whether the sessions that this one interrupts may resume if it is lost without a release.
    ///
    /// Music is expected to stay. Nearly all other sound ends by itself.
    public var notifiesOthersWhenLost: Bool {
        let isMusic = (category == .playback || category == .soloAmbient) && effectivePriority == .media
        return !(isMusic && [.default, .moviePlayback, .spokenAudio].contains(mode))
    }

    /// Whether hands-free Bluetooth devices are permitted. Their profile reduces the quality of
    /// playback.
    public var allowsBluetoothHFP: Bool { effectiveOptions.contains(.allowBluetoothHFP) }
    /// Whether Bluetooth devices that only play are permitted as outputs.
    public var allowsBluetoothA2DP: Bool { effectiveOptions.contains(.allowBluetoothA2DP) }
    /// Whether option `allowAirPlay` is in force. It has no effect here.
    public var allowsAirPlay: Bool { effectiveOptions.contains(.allowAirPlay) }

    /// Whether a phone with iOS would play through its receiver when nothing else is connected.
    /// Here the session uses the default output.
    public var prefersReceiver: Bool {
        category == .playAndRecord && !effectiveOptions.contains(.defaultToSpeaker)
    }
}
