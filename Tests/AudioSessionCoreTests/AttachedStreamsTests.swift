import Testing

@testable import AudioSessionCore

/// Streams of this process, number 100, that other code renders and that follow a session of it.
@Suite struct AttachedStreamsTests {
    private let mark = DuckingMark(name: "own", gain: TokenTraits.fullGain)
    private let stream = ObjectID(40)

    /// Returns a state machine that knows the streams after these events, and its actions.
    private func machine(_ events: [GraphEvent]) -> (machine: UnmanagedStreams, actions: [UnmanagedStreams.Action]) {
        var machine = UnmanagedStreams(.attached(process: 100))
        _ = machine.receive(.turnBegan(mark))
        for event in events { _ = machine.receive(.graph(event)) }
        _ = machine.receive(.graph(.barrier(.question(1))))
        let actions = machine.receive(.graph(.barrier(.question(2))))
        return (machine, actions)
    }

    private func client(_ id: UInt32, process: Int) -> GraphEvent {
        .clientAppeared(Client(id: ObjectID(id), applicationName: "Game", processID: process))
    }

    /// A stream that plays, of client 20 unless it has another one.
    private func appearance(_ id: UInt32, _ others: [PropertyKey: String] = [:]) -> [GraphEvent] {
        var properties: Properties = [
            .mediaClass: "Stream/Output/Audio", .clientID: "20", .objectSerial: "\(id)0", .applicationName: "Game",
        ]
        for (key, value) in others { properties[key] = value }
        let node = ObjectID(id)
        return [
            .nodeAppeared(Node(id: node, properties: properties)), .nodeProperties(node, properties),
            .nodeMuted(node, false), .nodeVolumes(node, [1]), .nodeState(node, .running),
        ]
    }

    private var own: [GraphEvent] { [client(20, process: 100)] + appearance(40) }

    private func appears(_ announcement: Announcement, _ id: UInt32, client: UInt32) -> GraphEvent {
        var properties = announcement.properties()
        properties[.clientID] = String(client)
        return .deviceAppeared(ObjectID(id), properties)
    }

    /// The token of this process's session.
    private var token: GraphEvent { appears(Announcement(.token, name: "token", payload: "1"), 60, client: 20) }

    /// Another program that ducks streams of programs without sessions to a tenth.
    private var ducker: [GraphEvent] {
        [client(90, process: 900), appears(DuckingMark(name: "other", gain: 100).announcement, 61, client: 90)]
    }

    private func volumes(_ actions: [UnmanagedStreams.Action]) -> [ObjectID: Float] {
        var volumes: [ObjectID: Float] = [:]
        for case .graph(.setSoftVolumes(let id, let new, _)) in actions { volumes[id] = new[0] }
        return volumes
    }

    @Test func streamsOfThisProcessAreAttachedExceptThoseOfTheLibraryAndFilters() {
        let others =
            appearance(41, [.sessionStream: "true"]) + appearance(42, [.nodeLinkGroup: "filter"])
            + [client(21, process: 200)] + appearance(43, [.clientID: "21"])
        let pulse =
            [client(22, process: 300)]
            + appearance(44, [.clientID: "22", .clientAPI: "pipewire-pulse", .applicationProcessID: "100"])
        var (machine, actions) = machine(own + others + pulse + [token])
        #expect(machine.hosted?.audible == [stream, ObjectID(44)])
        #expect(volumes(actions) == [:])
        actions = machine.receive(.hostedGain(200))
        #expect(volumes(actions) == [stream: 0.2, ObjectID(44): 0.2])
        actions = machine.receive(.mutesAll(true))
        #expect(volumes(actions) == [stream: 0, ObjectID(44): 0])
        actions = appearance(45).flatMap { machine.receive(.graph($0)) }
        #expect(volumes(actions) == [ObjectID(45): 0], "it begins while the session is silent")
    }

    /// A mark of a host would make other programs leave alone what this process starts.
    @Test func noHostIsPublishedAndNoProgramIsIdentified() {
        let (_, actions) = machine(own)
        #expect(actions.contains(.show(mark)))
        #expect(!actions.contains { if case .identify = $0 { true } else { false } })
        let trace = ProgramTrace(lineage: [100, 7])
        #expect(!UnmanagedScope.attached(process: 100).includes(trace, named: ["Game"]))
        let player = UnmanagedPlayer(name: "game", processID: 100, owner: ":1.10")
        #expect(PlayingPrograms().isGoverned(player, trace, in: .attached(process: 100)))
    }

    /// Accessibility does not depend on the session.
    @Test func aStreamOfAScreenReaderIsNotMuted() {
        var (machine, _) = machine([client(20, process: 100)] + appearance(40, [.mediaRole: "Accessibility"]))
        #expect(volumes(machine.receive(.mutesAll(true))) == [:])
        #expect(volumes(machine.receive(.hostedGain(200))) == [stream: 0.2])
    }

    /// Streams of a process with a token are left to its session.
    @Test func otherProgramsCountOnlyWhileTheSessionIsInactive() {
        var (active, _) = machine(own + ducker + [token])
        #expect(volumes(active.receive(.hostedGain(200))) == [stream: 0.2])
        #expect(volumes(active.receive(.hostedGain(1000))) == [stream: 1], "its session is not ducked")

        var (inactive, actions) = machine(own + ducker)
        #expect(volumes(actions) == [:])
        _ = inactive.receive(.mutesAll(true))
        #expect(volumes(inactive.receive(.mutesAll(false))) == [stream: 0.1], "as the other program writes it")
        actions = inactive.receive(.graph(.nodeVolumes(stream, [0.5])))
        #expect(volumes(actions) == [:], "the other program writes it")
    }

    /// Another program restores what it has ducked until now, perhaps after the write of this one.
    @Test func aGainIsWrittenOnceMoreAfterOtherProgramsHadDuckedTheStream() {
        var (machine, _) = machine(own + ducker)
        #expect(machine.receive(.graph(token)).contains(.awaitOthers))
        #expect(volumes(machine.receive(.hostedGain(200))) == [stream: 0.2])
        #expect(volumes(machine.receive(.othersRestored)) == [stream: 0.2])
        _ = machine.receive(.hostedGain(1000))
        #expect(volumes(machine.receive(.othersRestored)) == [:], "it has its own volume in any case")
        #expect(!machine.receive(.graph(.disappeared(ObjectID(61)))).contains(.awaitOthers))

        var (alone, _) = self.machine(own)
        #expect(!alone.receive(.graph(token)).contains(.awaitOthers))
    }

    /// The last write of this process may arrive after the first one of the other program.
    @Test func aProgramThatDucksWritesOnceMoreAfterTheEndOfTheSession() {
        var (machine, _) = machine(own + ducker + [token])
        _ = machine.receive(.hostedGain(200))
        _ = machine.receive(.hostedGain(1000))
        let actions = machine.receive(.graph(.disappeared(ObjectID(60))))
        #expect(volumes(actions) == [:])
        #expect(actions.contains(.show(mark)), "which is a new mark, in place of the former one")
    }

    /// A host ducks this process, which it started, while the session of the process is inactive.
    @Test(arguments: [false, true]) func aHostWritesTheStreamsWhileTheSessionIsInactive(isTokenGoneFirst: Bool) {
        let (token, hostMark) = (ObjectID(60), HostingMark(name: "host", process: 900).announcement)
        var (machine, _) = machine(own + [client(90, process: 900), appears(hostMark, 62, client: 90)])
        #expect(machine.receive(.graph(self.token)).contains(.awaitOthers), "the host restores the streams")
        #expect(volumes(machine.receive(.hostedGain(200))) == [stream: 0.2])
        var actions: [UnmanagedStreams.Action] = []
        let last: [UnmanagedStreams.Event] = [.hostedGain(1000), .graph(.disappeared(token))]
        for event in isTokenGoneFirst ? last.reversed() : last { actions += machine.receive(event) }
        #expect(volumes(actions) == [stream: 1])
        #expect(actions.contains(.show(mark)), "the host writes its gain when the former mark is removed")
        actions = [GraphEvent.nodeState(stream, .idle), .nodeState(stream, .running), .nodeVolumes(stream, [0.5])]
            .flatMap { machine.receive(.graph($0)) }
        #expect(volumes(actions) == [:])
        #expect(machine.receive(.graph(self.token)).contains(.awaitOthers))
    }

    /// This process may host what it starts itself.
    @Test func theOwnMarkOfAHostConcernsNoAttachedStreams() {
        let hostMark = HostingMark(name: "own", process: 100).announcement
        var (machine, _) = machine(own + [appears(hostMark, 62, client: 20)])
        #expect(!machine.receive(.graph(token)).contains(.awaitOthers))
    }

    @Test func attachedStreamsAreRestoredAtTheEnd() {
        var (machine, _) = machine(own + [token])
        _ = machine.receive(.mutesAll(true))
        #expect(machine.receive(.turnEnded).contains(.graph(.barrier(.question(3)))))
        #expect(volumes(machine.receive(.graph(.barrier(.question(3))))) == [stream: 1])
        #expect(machine.receive(.graph(.barrier(.question(4)))).last == .close)
    }
}
