package import AudioSessionCore
import AudioSessions

/// An input of a player's state machine.
package enum PlayerEvent: Sendable {
    case load([AudioPlayer.Item])
    case enqueue([AudioPlayer.Item])
    /// `play` was called, while the session was in this state.
    case play(in: AudioSessionState)
    case pause
    /// A desktop client paused the player, which need not be the user.
    /// - Parameter isOfSessionManager: Whether the client is known to be the session manager.
    case pauseFromDesktop(isAsleep: Bool, isOfSessionManager: Bool)
    case stop
    case seek(PlaybackTimeline.Position)
    /// Repeat the only item of the queue this many times; without end if it is negative.
    /// - Parameter restarts: Whether the repetitions count from now on.
    case setRepetitions(Int, restarts: Bool)
    case join
    case close

    case playback(PlaybackEvent)
    case decoder(DecoderEvent)
    /// The timer of ``PlayerAction/wake(after:)`` fired.
    case timer
}

/// An event of the decoder. Events whose `generation` is older than the last command's are ignored.
package enum DecoderEvent: Sendable, Hashable {
    /// At this frame of the ring an item begins.
    case began(generation: UInt64, PlaybackTimeline.Mark)
    /// The ring holds enough to start playing.
    case primed(generation: UInt64)
    /// The ring's last frame is the one before `frame`. It contains the queue's first `itemCount`
    /// items, except those that failed, with this limit of repetitions.
    case ended(generation: UInt64, frame: UInt64, itemCount: Int, repetitions: Int = 0)
    /// The ring ends before `frame`, because the item `next` has another format and needs another
    /// ring.
    case needsOtherFormat(generation: UInt64, frame: UInt64, next: Int)
    /// An item cannot be played, or not to its end. The decoder continues with the next one.
    case failed(generation: UInt64, AudioSessionError)
}

/// An action of a player's driver. Actions are executed in order.
package enum PlayerAction: Sendable, Hashable {
    /// Make an inactive stream for the item's format, with the item's names and a new ring.
    case openStream(AudioPlayer.Item)
    /// Replace the current or the released stream by an inactive one with the same ring, which
    /// keeps its frames.
    case renewStream(AudioPlayer.Item)
    /// Release the stream until it is renewed, and keep the ring.
    case releaseStream
    case closeStream
    /// Set the item's names on the stream.
    case name(AudioPlayer.Item)
    case setActive(Bool)
    case setGate(closed: Bool)

    case setQueue([AudioPlayer.Item])
    case setRepetitions(Int)
    /// Clear the ring and fill it from this position on.
    case decode(PlaybackTimeline.Position, generation: UInt64)
    /// Start or stop keeping the ring full.
    case keepDecoding(Bool)
    /// Close the file and release the ring.
    case endDecoding

    /// Send ``PlayerEvent/timer`` after this time; `nil` disarms the timer.
    case wake(after: WakeUp?)
    /// Activate the session, and send ``PlaybackEvent/activated(_:_:on:)`` if that succeeds.
    case activate(PlayerActivation)
    case notify(AudioPlayer.Event)
    case send(ParticipantMessage)
}

extension PlayerEvent: PlaybackReceiverEvent {}

extension PlayerAction: PlaybackAction {
    package var message: ParticipantMessage? { if case .send(let message) = self { message } else { nil } }

    package var makesStream: Bool {
        switch self {
        case .openStream, .renewStream: true
        default: false
        }
    }
}

extension AudioPlayer.Event: PlaybackNotice {}
extension AudioPlayer.State: PlaybackState {}
extension AudioPlayer.PauseReason: PlaybackPauseReason {}

/// The reason for which a player or an output activates its session, and what it does then.
package enum PlayerActivation: Sendable, Hashable {
    /// The player plays because the program called `play`.
    case play
    /// The player resumes because an interruption ended with that advice.
    case resume
    /// The player resumes because the output whose loss stopped it is in use again, in this route.
    case replug(RouteDescription)
}

package enum WakeUp: Sendable, Hashable {
    /// The timer fires when this number of further frames was read.
    case frames(UInt64, rate: Int)
    /// The timer fires after the next cycles of the graph.
    case cycles
    case time(Duration)
}

/// The progress of the real-time thread at the time of an event.
package struct PlayerCounters: Sendable, Hashable {
    /// The number of frames read from the ring.
    package var read: UInt64
    /// The number of cycles of the stream.
    package var cycles: UInt64
    package var now: MonotonicTime

    package init(read: UInt64 = 0, cycles: UInt64 = 0, now: MonotonicTime = MonotonicTime(nanoseconds: 0)) {
        self.read = read
        self.cycles = cycles
        self.now = now
    }
}
