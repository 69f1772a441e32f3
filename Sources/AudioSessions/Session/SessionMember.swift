package import AudioSessionCore

/// Something of this process that plays or records for a session.
///
/// The session calls it on the PipeWire loop, synchronously from the callback that brought the news, and before
/// anybody is told. An implementation does its work at once and never blocks.
package protocol SessionMember: AnyObject, Sendable {
    /// Whether it is heard, or would be, as far as it is concerned.
    var isPlaying: Bool { get }
    /// Whether what it does is heard; recorders are not.
    var isHeard: Bool { get }
    /// Whether it is silent because its output went.
    var isStoppedByRouteLoss: Bool { get }
    /// The nodes of its running streams.
    var streams: Set<ObjectID> { get }
    func sessionActivated()
    /// Be silent from now on.
    func sessionInterrupted()
    func sessionInterruptionEnded(shouldResume: Bool)
    /// An output is gone while the session is interrupted.
    func sessionLostOutput(_ port: PortDescription)
    /// The output is back whose loss stopped it, and going on was asked for.
    func sessionRegainedRoute()
    /// Stop.
    /// - Returns: the name of a stream that ran until now.
    func sessionDeactivates() -> String?
    func sessionDucked(to gain: Float)
    /// The session's ``AudioSession/target(_:)`` may be another one, or a card is about to be switched for it.
    /// - Parameter reason: of the change of routes that follows; `nil`: as the routes themselves show.
    func sessionChoseRoute(for reason: RouteChangeReason?)
    /// Whether it records silence because its input is muted, by the program or by the user.
    var isInputMuted: Bool { get }
    /// The session has another configuration.
    func sessionReconfigured()
    /// What the real-time thread and the graph show of its streams.
    var sound: MemberSound { get }
    /// Its streams that run carry these properties from now on.
    func sessionPrefers(_ properties: [(String, String)])
}

/// What a member's streams show of how sound is carried; nothing while none runs.
package struct MemberSound: Sendable, Hashable {
    package var output: StreamTiming?
    package var input: StreamTiming?
    /// What it records from.
    package var source: ObjectID?

    package init(output: StreamTiming? = nil, input: StreamTiming? = nil, source: ObjectID? = nil) {
        self.output = output
        self.input = input
        self.source = source
    }
}

extension SessionMember {
    package func sessionChoseRoute(for reason: RouteChangeReason?) {}
    package var isHeard: Bool { true }
    package var isInputMuted: Bool { false }
    package func sessionReconfigured() {}
    package var sound: MemberSound { MemberSound() }
    package func sessionPrefers(_ properties: [(String, String)]) {}
}

extension AudioSession {
    var liveMembers: [any SessionMember] { members.values.compactMap(\.member) }

    package func join(_ member: any SessionMember) {
        open()
        members[ObjectIdentifier(member)] = WeakMember(member: member)
        member.sessionDucked(to: gain)
    }

    package func leave(_ member: any SessionMember) {
        members[ObjectIdentifier(member)] = nil
        followStreams()
        updateSounding()
        refresh()
    }

    // MARK: What members tell

    /// Before it stops, if it does.
    package func memberLosesOutput(_ port: PortDescription, at time: MonotonicTime) { lastLoss = (port.uid, time) }

    /// To be called when a member began or ceased to play, or to be stopped by the loss of its output.
    package func memberChanged() {
        updateRouteLoss()
        updateSounding()
        refresh()
        updateSound()
    }

    /// To be called when it plays to something else, or records from something else.
    package func memberMoved() {
        followStreams()
        updateSound()
    }

    private func updateSounding() {
        let (token, isSounding) = (token, liveMembers.contains(where: \.isPlaying))
        manager.assumeIsolated { $0.setSounding(isSounding, token) }
    }

    func updateRouteLoss() {
        let stopped = Set(liveMembers.filter(\.isStoppedByRouteLoss).map { ObjectIdentifier($0) })
        considerMembers(stopped)
        let (token, isStopped) = (token, wasStoppedByRouteLoss || !stopped.isEmpty)
        manager.assumeIsolated { $0.tell(.stoppedByRouteLoss(isStopped, token)) }
    }

    /// Whoever began to play, or was stopped by a loss and is not any more, shows what somebody wants.
    private func considerMembers(_ stopped: Set<ObjectIdentifier>) {
        let playing = Set(liveMembers.filter(\.isPlaying).map { ObjectIdentifier($0) })
        let isOverruled = !playing.isSubset(of: playingMembers) || !stoppedMembers.isSubset(of: stopped)
        let hasStopped = !stopped.isSubset(of: stoppedMembers)
        playingMembers = playing
        stoppedMembers = stopped
        if isOverruled { consider(.overruled) }
        if hasStopped, let lastLoss { consider(.stopped(byLossOf: lastLoss.uid, at: lastLoss.time)) }
    }
}
