import Testing

@testable import AudioSessionCore

/// One program that ducks streams, on a simulated PipeWire.
@Suite struct UnmanagedStreamsTests: UnmanagedStreamsFixtures {
    @Test func aStreamIsGivenToTheWatchdogThenMarkedThenDucked() {
        var (machine, actions) = standing(appearance(stream, mpv, isMuted: true))
        #expect(
            actions == [
                .restoreAtExit([.init(id: stream, serial: "400", volumes: [1, 0.5], isMuted: true)]), .show(mark),
                .graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: true)), .notify(.ducked(player, gain: 0.2)),
            ])
        #expect(machine.ducked == [player])
        let end = DuckingMark(name: "own", gain: 1000)
        #expect(machine.receive(.turnEnded) == [.show(end), .graph(.barrier(.question(3)))])
        #expect(
            machine.receive(.graph(.barrier(.question(3)))) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: true)), .notify(.restored(player)),
                .graph(.barrier(.question(4))),
            ])
        #expect(machine.receive(.graph(.barrier(.question(4)))) == [.restoreAtExit([]), .close])
        #expect(machine.ducked == [])
    }

    /// The watchdog knows the mark by its name, and its order does not change.
    @Test func aDuckThatBeginsAgainBeforeTheFormerOneHasEndedKeepsTheName() {
        for rounds in 0..<2 {
            var (machine, _) = standing(appearance(stream, mpv))
            _ = machine.receive(.turnEnded)
            for round in 0..<rounds { _ = machine.receive(.graph(.barrier(.question(UInt64(3 + round))))) }
            let actions = machine.receive(.turnBegan(DuckingMark(name: "next", gain: 500)))
            #expect(actions.contains(.show(DuckingMark(name: "own", gain: 500))))
            #expect(machine.mark?.name == "own")
        }
    }

    @Test func aNewStreamIsDuckedWhenItsVolumesAreKnown() {
        var (machine, actions) = standing([])
        #expect(actions == [.show(mark)])
        let events = appearance(stream, mpv)
        #expect(machine.receive(.graph(events[0])) == [])
        #expect(
            machine.receive(.graph(events[1])) == [.graph(.bind(stream, .node)), .graph(.watchMute(stream))])
        #expect(machine.receive(.graph(events[2])) == [])
        #expect(machine.receive(.graph(events[3])) == [])
        #expect(
            machine.receive(.graph(events[4])).contains(.graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))))
        // The session manager restores the volume that it stored, unseen, before the stream runs.
        #expect(
            machine.receive(.graph(.nodeState(stream, .running))) == [
                .graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))
            ])
        #expect(machine.receive(.graph(.nodeState(stream, .idle))) == [])
        #expect(machine.receive(.graph(.disappeared(stream))) == [.notify(.restored(player)), .restoreAtExit([])])
    }

    @Test func aVolumeThatTheUserSetsIsDuckedToo() {
        var (machine, _) = standing(appearance(stream, mpv))
        let order = UnmanagedStreams.RestoreOrder(id: stream, serial: "400", volumes: [0.5, 0.5], isMuted: false)
        #expect(
            machine.receive(.graph(.nodeVolumes(stream, [0.5, 0.5]))) == [
                .restoreAtExit([order]), .graph(.setSoftVolumes(stream, [0.1, 0.1], isMuted: false)),
            ])
        #expect(machine.receive(.graph(.nodeVolumes(stream, [0.5, 0.5]))) == [], "the own write is echoed")
        let muted = machine.receive(.graph(.nodeMuted(stream, true)))
        #expect(muted.contains(.graph(.setSoftVolumes(stream, [0.1, 0.1], isMuted: true))))
    }

    @Test(
        arguments: [
            [.mediaClass: "Stream/Input/Audio", .clientID: "20"],
            [.mediaClass: "Stream/Output/Audio", .clientID: "20", .nodeLinkGroup: "echo-cancel"],
            [.mediaClass: "Stream/Output/Audio", .clientID: "30"],
            [
                .mediaClass: "Stream/Output/Audio", .clientID: "20", .applicationProcessID: "300",
                .clientAPI: "pipewire-pulse",
            ],
            [.mediaClass: "Stream/Output/Video", .clientID: "20"],
        ] as [Properties])
    func recordingsFiltersAndProgramsWithSessionsAreLeftAlone(_ properties: Properties) {
        let participant: [GraphEvent] = [
            .clientAppeared(Client(id: ObjectID(30), processID: 300)),
            .deviceAppeared(ObjectID(50), [.deviceAPI: Announcement.Kind.token.deviceAPI, .clientID: "30"]),
        ]
        #expect(standing(participant + appearance(stream, properties)).actions == [.show(mark)])
    }

    @Test func aProgramThatOpensASessionIsRestored() {
        var (machine, _) = standing(appearance(stream, mpv))
        let token: Properties = [.deviceAPI: Announcement.Kind.token.deviceAPI, .clientID: "20"]
        #expect(
            machine.receive(.graph(.deviceAppeared(ObjectID(50), token))) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false)), .notify(.restored(player)),
            ])
    }

    @Test func theDeepestOfTwoGainsAppliesAndTheLastProgramRestoresIt() {
        var (machine, _) = standing(appearance(stream, mpv))
        let deeper = machine.receive(.graph(device(60, DuckingMark(name: "other", gain: 100))))
        #expect(deeper == [.graph(.setSoftVolumes(stream, [0.1, 0.05], isMuted: false))])
        #expect(machine.receive(.graph(device(61, DuckingMark(name: "third", gain: 500)))) == [])
        _ = machine.receive(.graph(.disappeared(ObjectID(60))))
        _ = machine.receive(.turnEnded)
        let actions = machine.receive(.graph(.barrier(.question(3))))
        #expect(
            actions == [.notify(.restored(player)), .restoreAtExit([]), .close],
            "the third one makes it as loud as it wants")
    }

    @Test func aProgramThatStartsDuringTheRestoreIsNotOverwritten() {
        var (machine, _) = standing(appearance(stream, mpv))
        _ = machine.receive(.turnEnded)
        _ = machine.receive(.graph(.barrier(.question(3))))
        #expect(
            machine.receive(.graph(device(60, DuckingMark(name: "other", gain: 500)))) == [
                .graph(.setSoftVolumes(stream, [0.5, 0.25], isMuted: false))
            ])
        #expect(
            machine.receive(.graph(.barrier(.question(4)))) == [.graph(.barrier(.question(5)))],
            "what it wrote may have been lost to what we wrote")
        #expect(machine.receive(.graph(.barrier(.question(5)))) == [.restoreAtExit([]), .close])
    }

    @Test func aStreamThatChangesForeverDoesNotDelayTheEndForever() {
        var (machine, _) = standing(appearance(stream, mpv))
        _ = machine.receive(.turnEnded)
        var questions: UInt64 = 3
        _ = machine.receive(.graph(.barrier(.question(questions))))
        while !machine.isIdle, questions < 100 {
            questions += 1
            _ = machine.receive(.graph(.nodeVolumes(stream, [Float(questions) / 100])))
            let actions = machine.receive(.graph(.barrier(.question(questions))))
            #expect(actions.contains(.close) == machine.isIdle)
        }
        #expect(questions == UInt64(3 + UnmanagedStreams.restoringRounds))
    }

    @Test func malformedAndSandboxedMarksDoNotCount() {
        var (machine, _) = standing(appearance(stream, mpv))
        _ = machine.receive(.graph(.clientAppeared(Client(id: ObjectID(91), processID: 1, access: "flatpak"))))
        #expect(machine.receive(.graph(device(60, DuckingMark(name: "sandboxed", gain: 0), client: 91))) == [])
        for payload in ["", "1;ducks=", "1;ducks=1001", "1;ducks=-1", "1;ducks=0 ", "2;ducks=0", "1;ducks=99999999"] {
            let properties: Properties = [
                .deviceAPI: Announcement.Kind.mark.deviceAPI, .deviceName: "bad", .deviceDescription: payload,
            ]
            #expect(DuckingMark(properties) == nil, "\(payload)")
        }
        #expect(DuckingMark(mark.announcement.properties()) == mark)
    }

    @Test func aSandboxedProgramDucksNoStream() {
        var machine = UnmanagedStreams()
        _ = machine.receive(.turnBegan(mark))
        _ = machine.receive(.graph(.clientAppeared(Client(id: ObjectID(7), access: "flatpak"))))
        machine.client = ObjectID(7)
        let actions = machine.receive(.graph(.barrier(.question(1))))
        #expect(actions.first == .close)
        guard case .notify(.unavailable) = actions.last else { return #expect(Bool(false), "\(actions)") }
    }

    @Test(arguments: [PropertyKey.roleTarget, .isEndpoint])
    func noStreamIsDuckedWhereThePolicyDucksRoles(_ key: PropertyKey) {
        let roles = self.roles(key)
        var (machine, actions) = standing(roles + appearance(stream, mpv))
        #expect(actions == [.notify(.leftToRolePolicy), .show(mark)])
        // The session manager ends.
        #expect(
            machine.receive(.graph(.disappeared(ObjectID(70)))).contains(
                .graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))))
        _ = machine.receive(.graph(roles[0]))
        #expect(
            machine.receive(.graph(roles[1])) == [
                .notify(.leftToRolePolicy), .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false)),
                .notify(.restored(player)),
            ])
    }

    @Test func noSandboxedProgramAndNoStreamPretendsToBeThatPolicy() {
        let sink: Properties = [.mediaClass: "Audio/Sink", .roleTarget: "true", .clientID: "91"]
        let pretender: [GraphEvent] = [
            .clientAppeared(Client(id: ObjectID(91), processID: 1, access: "flatpak")),
            .nodeAppeared(Node(id: ObjectID(70), properties: sink)), .nodeProperties(ObjectID(70), sink),
        ]
        var role = mpv
        role[.roleTarget] = "true"
        let actions = standing(pretender + appearance(stream, role)).actions
        #expect(actions.contains(.graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))))
    }

    /// A program chooses the client of a node that lingers.
    @Test(arguments: [nil, "31"], [PropertyKey.roleTarget, .isEndpoint])
    func noSinkThatLingersPretendsToBeThatPolicy(_ client: String?, _ sign: PropertyKey) {
        var sink: Properties = [.mediaClass: "Audio/Sink", .objectLinger: "true"]
        sink[sign] = "true"
        sink[.clientID] = client
        let pretender: [GraphEvent] = [
            .clientAppeared(Client(id: ObjectID(31), processID: 1, access: "unrestricted")),
            .nodeAppeared(Node(id: ObjectID(70), properties: sink)), .nodeProperties(ObjectID(70), sink),
        ]
        let actions = standing(pretender + appearance(stream, mpv)).actions
        #expect(actions.contains(.graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))))
    }

    @Test func aLostConnectionIsRetriedUntilTheDuckEnds() {
        var (machine, _) = standing(appearance(stream, mpv))
        #expect(
            machine.receive(.failed("gone")) == [
                .notify(.restored(player)), .close, .wait(true), .notify(.unavailable(reason: "gone")),
            ])
        #expect(machine.receive(.timer) == [.open, .graph(.barrier(.question(3)))])
        #expect(machine.receive(.graph(.barrier(.question(2)))) == [], "an old answer")
        #expect(machine.receive(.failed("still")).contains(.wait(true)))
        #expect(machine.receive(.turnEnded) == [.wait(false), .restoreByWatchdog, .close])
        #expect(machine.receive(.timer) == [])
        #expect(machine.receive(.failed("what?")) == [])
    }

    @Test func theNumberOfDuckedStreamsIsLimited() {
        let crowd = (100..<400).flatMap { number -> [GraphEvent] in
            appearance(ObjectID(number), mpv)
        }
        #expect(standing(crowd).machine.ducked.count == UnmanagedStreams.limit)
    }

    /// The clients of pipewire-pulse have its process ID.
    @Test(arguments: [false, true]) func aProgramWithFewStreamsTakesRoomFromOneWithMany(isOfPulse: Bool) {
        var (machine, _) = standing(crowd(1000..<1300, client: 21, process: 500, isOfPulse: isOfPulse))
        #expect(machine.ducked.count == UnmanagedStreams.limit)
        let few = crowd(40..<42, client: 22, process: isOfPulse ? 500 : 501, isOfPulse: isOfPulse)
        let actions = few.flatMap { machine.receive(.graph($0)) }
        #expect(machine.ducked.prefix(2).map(\.id) == [ObjectID(40), ObjectID(41)])
        #expect(machine.ducked.count == UnmanagedStreams.limit)
        #expect(actions.contains(.graph(.setSoftVolumes(ObjectID(1099), [1, 0.5], isMuted: false))))
        #expect(actions.contains(.graph(.setSoftVolumes(ObjectID(1098), [1, 0.5], isMuted: false))))
        _ = machine.receive(.graph(.disappeared(ObjectID(40))))
        #expect(machine.ducked.last?.id == ObjectID(1098), "it has room again")
    }

    /// The order has a limited size, and a program can have its streams restored by a session.
    @Test func theWatchdogReceivesAllReducedStreamsAndAsManyRestoredOnesAtMost() {
        var (machine, _) = standing([])
        var orders: [UnmanagedStreams.RestoreOrder] = []
        for client in UInt32(21)..<25 {
            let first = client * 1000
            for event in crowd(first..<first + UInt32(UnmanagedStreams.limit), client: client, process: Int(client)) {
                for case .restoreAtExit(let new) in machine.receive(.graph(event)) { orders = new }
            }
            #expect(machine.ducked.count == UnmanagedStreams.limit)
            #expect(Set(machine.ducked.map(\.id)).isSubset(of: orders.map(\.id)))
            #expect(orders.count <= 2 * UnmanagedStreams.limit)
            let token: Properties = [
                .deviceAPI: Announcement.Kind.token.deviceAPI, .clientID: String(client),
            ]
            _ = machine.receive(.graph(.deviceAppeared(ObjectID(client + 100), token)))
            #expect(machine.ducked.isEmpty)
        }
    }

    /// The streams are of other programs. `application.process.id` is what the program claims.
    @Test func aClaimedProcessIDDoesNotMakeAProgramAParticipant() {
        let participant: [GraphEvent] = [
            .clientAppeared(Client(id: ObjectID(30), processID: 300)),
            .deviceAppeared(ObjectID(50), [.deviceAPI: Announcement.Kind.token.deviceAPI, .clientID: "30"]),
        ]
        var liar = mpv
        liar[.applicationProcessID] = "300"
        let (machine, _) = standing(participant + appearance(stream, liar))
        #expect(machine.ducked.map(\.processID) == [200])
    }

    @Test func theWatchdogRestoresWhatALostConnectionCannot() {
        for rounds in 0..<2 {
            var (machine, _) = standing(appearance(stream, mpv))
            _ = machine.receive(.turnEnded)
            for round in 0..<rounds { _ = machine.receive(.graph(.barrier(.question(UInt64(3 + round))))) }
            let actions = machine.receive(.failed("gone"))
            #expect(actions.first == .restoreByWatchdog && actions.last == .close)
            #expect(machine.isIdle)
            #expect(machine.mark?.name == "own", "the watchdog takes marks of other names for those of others")
        }
        var (machine, _) = standing(appearance(stream, mpv))
        _ = machine.receive(.failed("gone"))
        _ = machine.receive(.timer)
        #expect(machine.receive(.turnEnded) == [.restoreByWatchdog, .close], "not all objects are known")
    }
}
