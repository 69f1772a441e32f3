import Testing

@testable import AudioSessionCore

/// Programs that are neither ducked nor muted.
@Suite struct UnmanagedExceptionsTests {
    private let mark = DuckingMark(name: "own")
    private let stream = ObjectID(40)
    private let process = StreamProcess(id: 200, isVerified: true)

    private func machine(
        _ scope: UnmanagedScope, _ properties: Properties = [:], trace: ProgramTrace, before: [GraphEvent] = []
    ) -> (machine: UnmanagedStreams, actions: [UnmanagedStreams.Action]) {
        var machine = UnmanagedStreams(scope)
        _ = machine.receive(.turnBegan(mark))
        for event in before + appearance(properties) { _ = machine.receive(.graph(event)) }
        _ = machine.receive(.graph(.barrier(.question(1))))
        let first = machine.receive(.graph(.barrier(.question(2))))
        guard first.contains(.identify([process])) else { return (machine, first) }
        let second = machine.receive(.identified([process: trace]))
        return (machine, first + second)
    }

    private func appearance(_ properties: Properties = [:]) -> [GraphEvent] {
        var all: Properties = [
            .mediaClass: "Stream/Output/Audio", .clientID: "20", .objectSerial: "400", .applicationName: "Player",
        ]
        for key in [PropertyKey.mediaRole, .applicationName] { if let value = properties[key] { all[key] = value } }
        return [
            .clientAppeared(Client(id: ObjectID(20), applicationName: "Player", processID: 200)),
            .nodeAppeared(Node(id: stream, properties: all)), .nodeProperties(stream, all), .nodeMuted(stream, false),
            .nodeVolumes(stream, [1]), .nodeState(stream, .running),
        ]
    }

    private func appears(_ mark: Announcement, _ id: UInt32, client: UInt32 = 90) -> GraphEvent {
        var properties = mark.properties()
        properties[.clientID] = String(client)
        return .deviceAppeared(ObjectID(id), properties)
    }

    private func volumes(_ actions: [UnmanagedStreams.Action]) -> [Float]? {
        actions.compactMap { action in
            if case .graph(.setSoftVolumes(stream, let volumes, _)) = action { volumes[0] } else { nil }
        }
    }

    // MARK: Exceptions

    @Test func descendantsOfAProcessAreExceptionsAndAreNotTouchedBeforeThatIsKnown() {
        let scope = UnmanagedScope.others(except: .init(processes: [100]))
        let child = ProgramTrace(lineage: [200, 150, 100, 50])
        #expect(volumes(machine(scope, trace: child).actions) == [])
        #expect(machine(scope, trace: child).machine.audible == [:])
        let stranger = ProgramTrace(lineage: [200, 50])
        #expect(volumes(machine(scope, trace: stranger).actions) == [0.2])
        #expect(machine(scope, trace: stranger).machine.audible == [stream: process])
    }

    @Test(arguments: ["player", "PLAYER", "speech-dispatcher", "launcher"])
    func anExceptionMatchesTheStreamOrAProcessOfItsProgram(name: String) {
        let trace = ProgramTrace(lineage: [200, 150], commands: ["speech-dispatch", "launcher"])
        #expect(volumes(machine(.others(except: .init(names: [name])), trace: trace).actions) == [])
    }

    @Test(arguments: ["play", "players", "", "speech-dispatchee"]) func anotherNameIsNoException(name: String) {
        let trace = ProgramTrace(lineage: [200], commands: ["speech"])
        #expect(volumes(machine(.others(except: .init(names: [name])), trace: trace).actions) == [0.2])
    }

    /// Watchdogs leave all streams to programs that still duck others.
    @Test func anExceptionIsRestoredAfterTheEndOfAnotherProgramThatDuckedIt() {
        let other = appears(DuckingMark(name: "other", gain: 100).announcement, 60)
        var (machine, actions) = machine(
            .others(except: .init(names: ["player"])), trace: ProgramTrace(lineage: [200]), before: [other])
        #expect(volumes(actions) == [])
        #expect(volumes(machine.receive(.graph(.disappeared(ObjectID(60))))) == [1])
        #expect(volumes(machine.receive(.graph(.nodeVolumes(stream, [0.5])))) == [0.5], "it is in the way of volumes")
        let third = appears(DuckingMark(name: "third", gain: 500).announcement, 61)
        #expect(volumes(machine.receive(.graph(third))) == [0.25], "as the other one writes it")
    }

    // MARK: Hosted programs

    private let host: GraphEvent = .clientAppeared(Client(id: ObjectID(90), processID: 100))

    @Test func onlyTheHostDucksAHostedProgramWhileItsMarkExists() {
        let mark = appears(HostingMark(name: "host", process: 100).announcement, 60)
        var (machine, actions) = machine(
            .allOthers, trace: ProgramTrace(lineage: [200, 100]), before: [host])
        #expect(volumes(actions) == [0.2])
        #expect(machine.receive(.graph(mark)) == [.identify([process])], "nothing changes before it is known")
        #expect(volumes(machine.receive(.identified([process: ProgramTrace(lineage: [200, 100])]))) == [1])
        #expect(machine.audible == [:])
        #expect(volumes(machine.receive(.graph(.disappeared(ObjectID(60))))) == [0.2], "its host has ended")
        #expect(machine.audible == [stream: process])
    }

    /// Programs need no identification until then, so none is known.
    @Test func streamsAreRestoredAlthoughAHostAppearsAtTheEnd() {
        var (machine, actions) = machine(.allOthers, trace: ProgramTrace(lineage: [200, 7]), before: [host])
        #expect(volumes(actions) == [0.2])
        _ = machine.receive(.turnEnded)
        _ = machine.receive(.graph(appears(HostingMark(name: "host", process: 100).announcement, 60)))
        actions = machine.receive(.graph(.barrier(.question(3))))
        #expect(actions.contains(.identify([process])))
        #expect(volumes(actions) == [])
        actions = machine.receive(.identified([process: ProgramTrace(lineage: [200, 7])]))
        #expect(volumes(actions) == [1])
        #expect(machine.receive(.graph(.barrier(.question(4)))) == [.graph(.barrier(.question(5)))])
        #expect(machine.receive(.graph(.barrier(.question(5)))) == [.restoreAtExit([]), .close])
    }

    /// A program in a sandbox publishes more tokens and marks than are stored.
    @Test func noProgramTakesTheCapacityOfOthers() {
        let sandboxed: GraphEvent = .clientAppeared(Client(id: ObjectID(91), processID: 300, access: "flatpak"))
        func flood(_ announcement: Announcement) -> [GraphEvent] {
            [host, sandboxed] + (1000..<6000).map { appears(announcement, $0, client: 91) }
        }
        let mark = HostingMark(name: "host", process: 100).announcement
        let trace = ProgramTrace(lineage: [200, 100])
        #expect(volumes(machine(.allOthers, trace: trace, before: flood(mark) + [appears(mark, 60)]).actions) == [])
        let token = Announcement(.token, name: "token", payload: "1")
        let program: GraphEvent = .clientAppeared(Client(id: ObjectID(20), processID: 200))
        let own = flood(token) + [program, appears(token, 60, client: 20)]
        #expect(volumes(machine(.allOthers, trace: trace, before: own).actions) == [])
    }

    @Test func aMarkCountsForTheDescendantsOfItsOwnProcessOutsideOfASandbox() {
        let trace = ProgramTrace(lineage: [200, 100])
        let mark = appears(HostingMark(name: "host", process: 100).announcement, 60)
        let others: [GraphEvent] = [
            .clientAppeared(Client(id: ObjectID(90), processID: 101)),
            .clientAppeared(Client(id: ObjectID(90), processID: 100, access: "flatpak")),
        ]
        for client in others {
            #expect(volumes(machine(.allOthers, trace: trace, before: [client, mark]).actions) == [0.2])
        }
        #expect(volumes(machine(.allOthers, trace: trace, before: [host, mark]).actions) == [])
        #expect(
            volumes(machine(.allOthers, trace: .init(lineage: [200, 7]), before: [host, mark]).actions) == [0.2])
    }

    @Test func malformedMarksDoNotCount() {
        let mark = HostingMark(name: "host", process: 100)
        #expect(HostingMark(mark.announcement.properties()) == mark)
        for payload in ["", "1;hosts=", "1;hosts=0", "1;hosts=-1", "1;hosts=01", "1;hosts=1;", "1;hosts=99999999999"]
        {
            #expect(HostingMark(Announcement(.mark, name: "bad", payload: payload).properties()) == nil, "\(payload)")
        }
    }

    @Test func aHostDucksOnlyItsProgramAndPublishesAMark() {
        let other = appears(DuckingMark(name: "other", gain: 100).announcement, 60)
        var (machine, actions) = machine(
            .hosted(process: 100), trace: ProgramTrace(lineage: [200, 100]), before: [other])
        #expect(actions.contains(.showHosting(HostingMark(name: "own", process: 100))))
        #expect(volumes(actions) == [], "its session is not ducked")
        #expect(volumes(machine.receive(.hostedGain(200))) == [0.2])
        #expect(volumes(machine.receive(.mute([stream]))) == [0])
        #expect(volumes(machine.receive(.mute([]))) == [0.2])
        #expect(volumes(machine.receive(.hostedGain(1000))) == [1])
        _ = machine.receive(.hostedGain(200))
        #expect(
            machine.receive(.turnEnded) == [.graph(.barrier(.question(3)))],
            "the mark stays until all streams are restored")
        #expect(volumes(machine.receive(.graph(.barrier(.question(3))))) == [1])
        let stranger = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 7])).machine
        #expect(stranger.audible == [:])
    }

    /// One `audiosession with` runs within another one.
    @Test func theNearestOfTwoHostsGovernsAProgram() {
        let inner: [GraphEvent] = [
            host, .clientAppeared(Client(id: ObjectID(91), processID: 150)),
            appears(HostingMark(name: "own", process: 100).announcement, 60),
            appears(HostingMark(name: "inner", process: 150).announcement, 61, client: 91),
        ]
        let trace = ProgramTrace(lineage: [200, 150, 100, 50])
        var (machine, _) = machine(.hosted(process: 100), trace: trace, before: inner)
        #expect(machine.audible == [:])
        #expect(volumes(machine.receive(.hostedGain(200))) == [])
        #expect(volumes(machine.receive(.graph(.disappeared(ObjectID(61))))) == [0.2], "the inner host has ended")
        var (nearest, _) = self.machine(.hosted(process: 150), trace: trace, before: inner)
        #expect(volumes(nearest.receive(.hostedGain(200))) == [0.2])
        let playing = PlayingPrograms(hosts: [100, 150])
        let player = UnmanagedPlayer(name: "mpv", processID: 200, owner: ":1.10")
        #expect(playing.isGoverned(player, trace, in: .hosted(process: 100)))
        #expect(!playing.isGoverned(player, trace, in: .hosted(process: 150)))
        #expect(playing.isGoverned(player, trace, in: .allOthers))
    }

    /// A program that still ducks the stream writes its volume then. The host would undo that.
    @Test func aHostRestoresNoStreamOfAnotherProgramAfterTheEndOfAMark() {
        let others = [
            appears(DuckingMark(name: "other", gain: 100).announcement, 60),
            appears(DuckingMark(name: "third", gain: 500).announcement, 61),
        ]
        var (machine, _) = machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 7]), before: others)
        #expect(volumes(machine.receive(.hostedGain(200))) == [])
        #expect(volumes(machine.receive(.graph(.disappeared(ObjectID(60))))) == [])
        #expect(volumes(machine.receive(.graph(.nodeVolumes(stream, [0.5])))) == [])
    }

    // MARK: The user of a hosted program

    private var link: GraphEvent {
        .linkAppeared(Link(id: ObjectID(70), outputNode: stream, inputNode: ObjectID(30)))
    }

    private func hosting(
        _ properties: Properties = [:], _ scope: UnmanagedScope = .hosted(process: 100), lineage: [Int] = [200, 100]
    ) -> UnmanagedStreams {
        var machine = self.machine(scope, properties, trace: ProgramTrace(lineage: lineage)).machine
        _ = machine.receive(.graph(link))
        _ = machine.receive(.mute([stream]))
        return machine
    }

    @Test func aVolumeOrMuteThatTheUserSetsOverrulesTheHost() {
        var machine = hosting()
        #expect(machine.isOverruled(by: .nodeVolumes(stream, [1]), .nodeMuted(stream, false)) == false, "an echo")
        #expect(machine.isOverruled(by: .nodeVolumes(stream, [1, 1])) == false, "another format")
        #expect(machine.isOverruled(by: .nodeVolumes(stream, [1, 0.5])) == true)
        #expect(machine.isOverruled(by: .nodeMuted(stream, true)) == true)
        var stranger = hosting(lineage: [200, 7])
        #expect(stranger.isOverruled(by: .nodeVolumes(stream, [0.5])) == false, "another program's")
        var others = hosting([:], .allOthers, lineage: [200])
        #expect(others.isOverruled(by: .nodeVolumes(stream, [0.5])) == false, "no host")
    }

    /// The session manager restores the volumes of a new stream, and then links it.
    @Test func aStreamWithRestoredVolumesDoesNotOverruleTheHost() {
        var machine = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 100])).machine
        #expect(machine.isOverruled(by: .nodeMuted(stream, true), .nodeVolumes(stream, [0.4])) == false)
        #expect(machine.isOverruled(by: link, .nodeState(stream, .running)) == false)
        #expect(machine.isOverruled(by: .nodeVolumes(stream, [0.5])) == true)
    }

    @Test func aStreamThatItsProgramStartsAgainOverrulesTheHost() {
        var machine = hosting()
        #expect(machine.isOverruled(by: .nodeState(stream, .idle)) == false)
        #expect(machine.isOverruled(by: .nodeState(stream, .running)) == true)
        #expect(machine.isOverruled(by: .nodeState(stream, .running)) == false)
        // Its output is lost, and it is linked to the next one.
        let next = Link(id: ObjectID(71), outputNode: stream, inputNode: ObjectID(31))
        let isOverruled = machine.isOverruled(
            by: .disappeared(ObjectID(70)), .nodeState(stream, .idle), .linkAppeared(next),
            .nodeState(stream, .running))
        #expect(!isOverruled)
    }

    @Test func theWatchdogLeavesWhatIsMutedForALostOutput() {
        var machine = hosting()
        let order = UnmanagedStreams.RestoreOrder(id: stream, serial: "400", volumes: [1], isMuted: false)
        #expect(machine.receive(.mutesForLoss(true)) == [.restoreAtExit([])])
        #expect(machine.receive(.mutesForLoss(true)) == [])
        #expect(machine.receive(.mute([])) == [], "the loss mutes all streams")
        #expect(machine.receive(.mute([stream])) == [])
        #expect(machine.receive(.mutesForLoss(false)) == [.restoreAtExit([order])])
    }

    /// The stream was ducked before the loss, so the watchdog would restore it.
    @Test func theWatchdogLeavesWhatWasDuckedBeforeTheLoss() {
        var machine = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 100])).machine
        #expect(volumes(machine.receive(.hostedGain(200))) == [0.2])
        let actions = machine.receive(.mutesForLoss(true))
        #expect(actions.prefix(2) == [.restoreAtExit([]), .showMuted(["400"])])
        #expect(volumes(actions) == [0])
    }

    /// PipeWire may close only the host's connection. The user plays the program meanwhile.
    @Test func aLossThatIsOverBeforeTheNextConnectionLeavesNoStreamMuted() {
        var machine = hosting()
        _ = machine.receive(.mutesForLoss(true))
        _ = machine.receive(.failed("gone"))
        _ = machine.receive(.mute([]))
        let order = UnmanagedStreams.RestoreOrder(id: stream, serial: "400", volumes: [1], isMuted: false)
        #expect(machine.receive(.mutesForLoss(false)) == [.restoreAtExit([order])], "the host may end before that")
        let actions = reconnect(&machine, asking: 3)
        #expect(volumes(actions) == [1])
    }

    @Test func aStreamStaysMutedOnTheNextConnectionWhileALossLasts() {
        var machine = hosting()
        _ = machine.receive(.mutesForLoss(true))
        let order = UnmanagedStreams.RestoreOrder(id: stream, serial: "400", volumes: [1], isMuted: false)
        for round in 0..<2 {
            _ = machine.receive(.failed("gone"))
            _ = machine.receive(.mute([]))
            let actions = reconnect(&machine, asking: UInt64(3 + 2 * round))
            #expect(volumes(actions) == [0], "it is heard at no time")
            #expect(actions.contains(.showMuted(["400"])))
            #expect(!actions.contains(.restoreAtExit([order])))
        }
        #expect(volumes(machine.receive(.mutesForLoss(false))) == [1])
    }

    /// The stream's program is not known at once on the next connection.
    @Test func theWatchdogKeepsAStreamThatWasMutedOnALostConnection() {
        var machine = hosting()
        _ = machine.receive(.failed("gone"))
        let actions = reconnect(&machine, asking: 3)
        #expect(volumes(actions) == [0])
        let orders = actions.filter { if case .restoreAtExit = $0 { true } else { false } }
        #expect(orders == [])
    }

    /// Connects once more to the same PipeWire, with barriers of this and the next number.
    private func reconnect(_ machine: inout UnmanagedStreams, asking number: UInt64) -> [UnmanagedStreams.Action] {
        var actions = machine.receive(.timer)
        let barriers: [GraphEvent] = [.barrier(.question(number)), .barrier(.question(number + 1))]
        for event in appearance() + [link] + barriers { actions += machine.receive(.graph(event)) }
        return actions + machine.receive(.identified([process: ProgramTrace(lineage: [200, 100])]))
    }

    /// A notification is never muted.
    @Test func theWatchdogRestoresWhatIsOnlyDuckedAfterALoss() {
        var machine = hosting([.mediaRole: "Notification"])
        let order = UnmanagedStreams.RestoreOrder(id: stream, serial: "400", volumes: [1], isMuted: false)
        #expect(machine.receive(.hostedGain(200)).contains(.restoreAtExit([order])))
        #expect(machine.receive(.mutesForLoss(true)) == [])
    }

    /// A stopped stream runs again on the next output within milliseconds, when its player is not
    /// known yet.
    @Test func allStreamsAreMutedAtALossAndThoseThatBeginLater() {
        var machine = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 100])).machine
        _ = machine.receive(.graph(.nodeState(stream, .idle)))
        #expect(volumes(machine.receive(.mutesForLoss(true))) == [0])
        _ = machine.receive(.graph(.disappeared(stream)))
        let actions = appearance().flatMap { machine.receive(.graph($0)) }
        #expect(volumes(actions) == [], "its program is not known yet")
        #expect(volumes(machine.receive(.identified([process: ProgramTrace(lineage: [200, 100])]))) == [0])
        #expect(volumes(machine.receive(.mutesForLoss(false))) == [1])
        var stranger = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 7])).machine
        #expect(volumes(stranger.receive(.mutesForLoss(true))) == [])
    }

    /// It may not be lost, so unlike after a loss the watchdog restores them.
    @Test func allStreamsAreMutedWhileTheirOutputMayBeLost() {
        var machine = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 100])).machine
        let order = UnmanagedStreams.RestoreOrder(id: stream, serial: "400", volumes: [1], isMuted: false)
        #expect(!machine.isUrgent)
        let actions = machine.receive(.mutesAll(true))
        #expect(volumes(actions) == [0])
        #expect(actions.contains(.restoreAtExit([order])))
        #expect(machine.isUrgent)
        #expect(machine.receive(.mutesAll(true)) == [])
        #expect(volumes(machine.receive(.mutesForLoss(true))) == [])
        #expect(!machine.isUrgent)
        #expect(volumes(machine.receive(.mutesAll(false))) == [], "it is lost")
        #expect(volumes(machine.receive(.mutesForLoss(false))) == [1])
    }

    @Test func theHostKnowsTheStreamsOfItsProgram() {
        var machine = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 100])).machine
        #expect(machine.hosted == HostedStreams([stream], audible: [stream]))
        _ = machine.receive(.mutesForLoss(true))
        #expect(machine.hosted == HostedStreams([stream], audible: [stream]), "apart from mutes of the host")
        _ = machine.receive(.graph(.nodeState(stream, .idle)))
        #expect(machine.hosted == HostedStreams([stream]))
        _ = machine.receive(.graph(.disappeared(stream)))
        #expect(machine.hosted == HostedStreams())
        _ = machine.receive(.failed("gone"))
        #expect(machine.hosted == nil)
        let stranger = self.machine(.hosted(process: 100), trace: ProgramTrace(lineage: [200, 7])).machine
        #expect(stranger.hosted == HostedStreams())
        #expect(hosting([.mediaRole: "Notification"]).hosted == HostedStreams(), "it is never muted")
    }

    // MARK: Never muted

    @Test(
        arguments: [
            [.mediaRole: "Accessibility"], [.mediaRole: "Notification"], [.mediaRole: "Production"],
            [.applicationName: "orca"], [.applicationName: "speech-dispatcher-dummy"],
        ] as [Properties])
    func accessibilityAndNotificationStreamsAreNotMuted(properties: Properties) {
        var (machine, _) = machine(.allOthers, properties, trace: ProgramTrace(lineage: [200]))
        #expect(machine.receive(.mute([stream])) == [])
        var (other, _) = self.machine(.allOthers, [.mediaRole: "Music"], trace: ProgramTrace(lineage: [200]))
        #expect(volumes(other.receive(.mute([stream]))) == [0])
    }
}

extension UnmanagedStreams {
    fileprivate mutating func isOverruled(by events: GraphEvent...) -> Bool {
        events.flatMap { receive(.graph($0)) }.contains(.overruled)
    }
}
