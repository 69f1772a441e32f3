package import AudioSessionCore
import PipeWireGraph

/// A snapshot of all sessions and streams that play or may play.
package struct SoundOverview: Sendable, Hashable {
    /// The standing sessions, oldest first.
    package var sessions: [Session]
    /// The streams of programs without such a session, in the order of their ids.
    package var streams: [Stream]
    /// The number of tokens that could not be parsed.
    package var malformedTokens: UInt64
    /// The number of tokens above the limit.
    package var surplusTokens: UInt64
    /// The number of devices, nodes and entries of device lists above the limit.
    package var refusedObjects: UInt64 = 0
    package var isSilentMode = false

    package typealias Session = SessionStatus
    package typealias State = SessionStatus.State

    package struct Stream: Sendable, Hashable {
        package var node: ObjectID
        package var name: String?
        package var application: String?
        package var processID: Int?
        package var isRunning: Bool
        /// The ports that the stream is linked to; empty without a link.
        package var ports: [PortDescription]
        /// Whether the stream or its port is muted.
        package var isMuted = false

        package init(
            node: ObjectID, name: String?, application: String?, processID: Int?, isRunning: Bool,
            ports: [PortDescription]
        ) {
            self.node = node
            self.name = name
            self.application = application
            self.processID = processID
            self.isRunning = isRunning
            self.ports = ports
        }
    }

    package init(
        sessions: [Session] = [], streams: [Stream] = [], malformedTokens: UInt64 = 0, surplusTokens: UInt64 = 0
    ) {
        self.sessions = sessions
        self.streams = streams
        self.malformedTokens = malformedTokens
        self.surplusTokens = surplusTokens
    }
}

extension SoundOverview.Session {
    /// The silence reasons of the session as far as other programs can know them. They do not say
    /// whether the program plays.
    package var silenceReasons: [AudioSession.SilenceReason] {
        switch state {
        case .interrupted: return [.interrupted(by: interruptedBy)]
        case .advised: return [.advised]
        case .inactive: return [.inactive]
        case .active: break
        }
        let causes: [AudioSession.SilenceReason] = (isSilenced ? [.silentMode] : []) + (isMuted ? [.muted] : [])
        return duckedBy.isEmpty ? causes : causes + [.ducked(gain: duckedGain, by: duckedBy)]
    }
}

extension AudioSessionManager {
    /// The overview as this process sees it now.
    ///
    /// Other programs determine the number of sessions and streams, so neither is combined with
    /// itself or with the other.
    package var overview: SoundOverview {
        joinArbitration()
        let stack = arbitration.machine.arbitration.stack
        let (owners, running) = (Set(stack.map(\.key.owner)), runningStreams)
        // Only the program itself knows which session each stream belongs to.
        let muted = owners.filter { model.registry.graph.areMuted(running[$0] ?? []) }
        var overview = SoundOverview(
            sessions: stack.map { session($0, isMuted: muted.contains($0.key.owner)) },
            streams: streams(besides: owners), malformedTokens: arbitration.machine.malformedCount,
            surplusTokens: arbitration.machine.surplusCount)
        overview.refusedObjects = model.registry.refusedCount &+ (graphConnection?.refusedCount ?? 0)
        overview.isSilentMode = silentMode.isOn
        return overview
    }

    private func session(_ standing: StackEntry, isMuted: Bool) -> SoundOverview.Session {
        let arbitration = arbitration.machine.arbitration
        let most = ArbitrationStateMachine.Limits.namedCauses
        var session = SoundOverview.Session(id: standing.token.cause, traits: standing.traits)
        if standing.isAdvised {
            session.state = .advised
        } else if standing.isActive {
            session.isSilenced = silentMode.isOn && standing.traits.followsSilentMode
            session.isMuted = isMuted
            session.duckedGain = Float(arbitration.gain(of: standing.key)) / Float(TokenTraits.fullGain)
            session.duckedBy = arbitration.duckers(of: standing.key, most: most).map(\.token.cause)
        } else {
            session.state = .interrupted
            session.interruptedBy = arbitration.blockers(of: standing.key, most: most).map(\.token.cause)
        }
        return session
    }

    /// The running streams of each process.
    private var runningStreams: [TokenOwner.Process: Set<ObjectID>] {
        var streams: [TokenOwner.Process: Set<ObjectID>] = [:]
        for id in model.registry.graph.runningNodes {
            guard let node = model.registry.graph.nodes[id], node.mediaClass == .playbackStream,
                let process = node.clientID.map(model.registry.graph.clients.process(of:))
            else { continue }
            streams[process, default: []].insert(id)
        }
        return streams
    }

    private func streams(besides owners: Set<TokenOwner.Process>) -> [SoundOverview.Stream] {
        let graph = model.registry.graph
        return graph.nodes.values.filter { $0.mediaClass == .playbackStream }.sorted { $0.id < $1.id }
            .compactMap { node in
                let client = node.clientID.flatMap { graph.clients[$0] }
                let process = node.clientID.map(graph.clients.process(of:))
                guard process.map({ !owners.contains($0) }) ?? true else { return nil }
                let sinks = Set(graph.links(from: [node.id]).values.map(\.inputNode))
                var stream = SoundOverview.Stream(
                    node: node.id, name: node.properties[.mediaName] ?? node.name,
                    application: client?.applicationName, processID: client?.processID,
                    isRunning: graph.runningNodes.contains(node.id),
                    ports: sinks.sorted().compactMap { graph.nodes[$0] }.compactMap {
                        graph.port(for: $0, direction: .output)
                    })
                stream.isMuted = graph.areMuted([node.id])
                return stream
            }
    }
}
