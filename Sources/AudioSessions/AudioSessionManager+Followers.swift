package import AudioSessionCore
package import PipeWireGraph

struct WeakFollower {
    weak var follower: (any RouteFollower)?
}

extension Sequence<WeakFollower> {
    func send(_ input: RouteInput) { for element in self { element.follower?.receive(input) } }
}

extension AudioSessionManager {
    func send(_ id: FollowerID, _ input: RouteInput) { followers[id]?.follower?.receive(input) }

    /// Executes a participant's request, and sends it the answer.
    package func receive(_ request: ParticipantRequest, from participant: any RouteFollower, of session: AudioSession)
    {
        let id = ObjectIdentifier(participant)
        switch (request, participantFollowers[id]) {
        case (.follow, nil): participantFollowers[id] = follow(participant, session.routeTargets)
        case (.unfollow, let follower?):
            participantFollowers[id] = nil
            unfollow(follower)
        case (.retarget(let reason), let follower?):
            if let reason { expect(reason, to: session.routeChoice, of: follower) }
            setTargets(session.routeTargets, of: follower)
            sendRoute(of: follower, to: participant)
        case (.setStreams(let streams), let follower?):
            setStreams(streams, of: follower)
            sendRoute(of: follower, to: participant)
        case (.followInputs(true), _): followInputs(participant)
        case (.followInputs(false), _): inputFollowers[id] = nil
        case (.observeInput(let stream, let former), _):
            participant.receive(.inputObserved(observeInput(of: stream, former: former)))
        case (.follow, _), (.unfollow, nil), (.retarget, nil), (.setStreams, nil): break
        }
    }

    /// Sends a participant its route. It keeps the last one while PipeWire is away.
    private func sendRoute(of id: FollowerID, to participant: any RouteFollower) {
        if let route = model.route(of: id) { participant.receive(.routed(route)) }
    }

    /// The connection on which streams are made; `nil` without a connection, until its objects are
    /// known, and in tests without PipeWire. Before the objects are known, a lost output could not
    /// be detected.
    package var connection: Connection? { model.isKnown ? graphConnection as? Connection : nil }

    /// Whether streams can be made.
    package nonisolated var isConnected: Bool { snapshot.withLock(\.isConnected) }

    package var graph: AudioGraph { model.registry.graph }

    package func follow(_ follower: any RouteFollower, _ targets: RouteTargets = RouteTargets()) -> FollowerID {
        let id = nextFollower(.player)
        follow(follower, as: id, targets)
        return id
    }

    func nextFollower(_ kind: FollowerID.Kind) -> FollowerID {
        lastFollower += 1
        return FollowerID(lastFollower, kind)
    }

    func follow(_ follower: any RouteFollower, as id: FollowerID, _ targets: RouteTargets) {
        followers[id] = WeakFollower(follower: follower)
        perform(model.follow(id, targets))
    }

    /// Sets the nodes of the follower's running streams.
    /// - Parameters:
    ///   - streams: The streams that play; empty while the follower is paused.
    ///   - sources: The nodes from which its other streams record.
    package func setStreams(
        _ streams: Set<ObjectID>, recordingFrom sources: Set<ObjectID> = [], of id: FollowerID
    ) {
        perform(model.setStreams(streams, recordingFrom: sources, of: id, now: now))
    }

    package func unfollow(_ id: FollowerID) {
        followers[id] = nil
        model.unfollow(id)
    }
}
