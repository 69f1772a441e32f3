import AudioSessionPlayback

/// The repetitions of an ``AVAudioPlayer``, which plays the library's player anew for each of them.
struct Repetitions: Sendable {
    /// The number of repetitions; a negative number repeats without end.
    var limit = 0
    private var played = 0
    /// Whether decoding has failed since playback began.
    var hasFailed = false
    /// Whether the next repetition is to play. Between two repetitions, the library's player has
    /// finished.
    private(set) var isOn = false
    /// Whether the player is between two repetitions, where no event of the library's player
    /// reports that the session was interrupted or lost its output.
    private var isBetween = false

    /// The consequence of the end of the file.
    enum End: Equatable {
        case repeats
        /// The player was paused just before the end, and repeats when it plays again.
        case waits
        case ends(isSuccess: Bool)
    }

    mutating func follow(_ state: AudioPlayer.State) {
        switch state {
        case .playing: (isOn, isBetween) = (true, false)
        // A seek between two repetitions enters the latter state, and does not end them.
        case .finished, .paused(reason: .user): break
        default: pause()
        }
    }

    mutating func pause() { (isOn, isBetween) = (false, false) }

    /// Pauses if the player is between two repetitions.
    /// - Returns: Whether it was.
    mutating func pauseBetween() -> Bool {
        let wasBetween = isBetween
        if wasBetween { pause() }
        return wasBetween
    }

    mutating func stop() {
        pause()
        played = 0
    }

    /// Ends one repetition of the sound.
    ///
    /// - Parameter isEmpty: whether the sound has no frames.
    mutating func finish(isEmpty: Bool = false) -> End {
        defer { hasFailed = false }
        // Decoding that fails once fails in each repetition. A sound without frames would make
        // stream after stream.
        guard !hasFailed, !isEmpty, limit < 0 || played < limit else {
            stop()
            return .ends(isSuccess: !hasFailed)
        }
        played += 1
        isBetween = isOn
        return isOn ? .repeats : .waits
    }
}
