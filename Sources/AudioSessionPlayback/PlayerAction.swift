package import AudioSessionCore
import AudioSessions

/// What happened to a player, as its state machine is told.
package enum PlayerEvent: Sendable {
    // The user
    case load([AudioPlayer.Item])
    case enqueue([AudioPlayer.Item])
    /// `play` was called, while the session was in this state.
    case play(in: AudioSessionState)
    case pause
    /// By another program of the desktop, which need not act for the user.
    case pauseFromDesktop
    case stop
    case seek(PlaybackTimeline.Place)
    case join
    case close

    // The manager
    /// The output in use may be gone.
    case routeEndangered
    /// It is not.
    case routeKept
    /// The output in use is lost, which the session's state and configuration decide about.
    case outputLost(PortDescription, at: MonotonicTime, in: AudioSessionState, pauses: Bool)
    case routeChanged(RouteChange)
    case sessionManagerChanged(isThere: Bool)
    case connectionLost
    /// The session may have other targets.
    case targetsChanged(RouteChangeReason?)
    /// Streams are to ask for another output than the one that is there does.
    case outputChosen

    // The session
    case sessionActivated
    case sessionInterrupted
    case interruptionEnded(shouldResume: Bool)
    /// The session was activated as ``PlayerAction/activate(_:)`` asks, or for `play`, and has this state now.
    case activated(PlayerActivation, AudioSessionState, on: RouteDescription)
    /// The output whose loss stopped the player is in use again, in this route.
    case outputRegained(RouteDescription)
    case sessionDeactivated
    /// A session that pauses at a loss has lost this output while it is interrupted. The player's sound would go to `route`.
    case outputLostMeanwhile(PortDescription, from: RouteDescription)

    // The stream
    case streamPaused(ObjectID?)
    case streamRuns(ObjectID?)
    /// The session manager has linked a node, of this player or another.
    case streamLinked(ObjectID)
    /// The server complains; the stream lives.
    case streamUnserved(PlaybackError)
    /// It is dead, or could not be made.
    case streamFailed(PlaybackError)

    case decoder(DecoderEvent)
    /// The time has come that ``PlayerAction/wake(after:)`` asked for.
    case timer
}

/// What the decoder did. `generation` names the order that it follows; what belongs to an older one is void.
package enum DecoderEvent: Sendable, Hashable {
    /// From this frame of the ring on comes an item.
    case began(generation: UInt64, PlaybackTimeline.Mark)
    /// There is enough in the ring to begin with.
    case primed(generation: UInt64)
    /// The ring's last frame is the one before `frame`: the queue's first `itemCount` items are in it, or failed.
    case ended(generation: UInt64, frame: UInt64, itemCount: Int)
    /// As `ended`; the item `next` has another format and needs another ring.
    case needsOtherFormat(generation: UInt64, frame: UInt64, next: Int)
    /// An item cannot be played, or not to its end. The decoder goes on with the next.
    case failed(generation: UInt64, PlaybackError)
}

/// What is to be done for a player, in this order.
package enum PlayerAction: Sendable, Hashable {
    /// Make a stream for the item's format, under its name, inactive, with a new ring.
    case openStream(AudioPlayer.Item)
    /// Another stream in the place of this one, or of the one released, inactive, with the same ring: nothing is lost.
    case renewStream(AudioPlayer.Item)
    /// No stream until it is renewed; the ring stays.
    case releaseStream
    case closeStream
    /// Show the item's names on the stream.
    case name(AudioPlayer.Item)
    case setActive(Bool)
    case setGate(closed: Bool)

    case setQueue([AudioPlayer.Item])
    /// Empty the ring and fill it from this place on.
    case decode(PlaybackTimeline.Place, generation: UInt64)
    /// Keep the ring full, or let it be.
    case keepDecoding(Bool)
    /// Let go of file and ring.
    case endDecoding

    /// Send ``PlayerEvent/timer`` then; `nil`: never.
    case wake(after: WakeUp?)
    /// Activate the session, and send ``PlayerEvent/activated(_:_:on:)`` if it was.
    case activate(PlayerActivation)
    case tell(AudioPlayer.Event)
    case send(ParticipantMessage)
}

extension PlayerEvent: StreamEvent {}

extension PlayerAction: StreamAction {
    package var message: ParticipantMessage? { if case .send(let message) = self { message } else { nil } }
}

/// What a player does as soon as its session is active.
package enum PlayerActivation: Sendable, Hashable {
    /// It plays because the program called `play`.
    case play
    /// It resumes because an interruption has ended with that advice.
    case resume
    /// It resumes because the output whose loss stopped it is in use again, in this route.
    case replug(RouteDescription)
}

package enum WakeUp: Sendable, Hashable {
    /// When so many more have been read.
    case frames(UInt64, rate: Int)
    /// After the next cycles of the graph.
    case cycles
    case time(Duration)
}

/// What the real-time thread had done when an event came.
package struct PlayerCounters: Sendable, Hashable {
    /// Frames read from the ring.
    package var read: UInt64
    /// Cycles of the stream.
    package var cycles: UInt64

    package init(read: UInt64 = 0, cycles: UInt64 = 0) {
        self.read = read
        self.cycles = cycles
    }
}
