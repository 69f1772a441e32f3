import Testing

@testable import AudioSessionCore

/// One program that mutes streams, on a simulated PipeWire.
@Suite struct UnmanagedMutingTests: UnmanagedStreamsFixtures {
    private let muting = DuckingMark(name: "own", gain: TokenTraits.fullGain)

    /// A state machine that only mutes, in effect, with mpv's stream running.
    private func mutingMachine(_ events: [GraphEvent] = []) -> UnmanagedStreams {
        var machine = UnmanagedStreams()
        _ = machine.receive(.turnBegan(muting))
        for event in appearance(stream, mpv) + [.nodeState(stream, .running)] + events {
            _ = machine.receive(.graph(event))
        }
        #expect(machine.audible == nil, "not everything is known")
        _ = machine.receive(.graph(.barrier(.question(1))))
        #expect(machine.receive(.graph(.barrier(.question(2)))) == [.show(muting)], "none is ducked")
        return machine
    }

    private var order: UnmanagedStreams.RestoreOrder {
        .init(id: stream, serial: "400", volumes: [1, 0.5], isMuted: false)
    }

    private func mutingMark(_ id: UInt32, serial: String, client: UInt32 = 90) -> GraphEvent {
        var properties = MutingMark(name: "other", serial: serial).announcement.properties()
        properties[.clientID] = String(client)
        return .deviceAppeared(ObjectID(id), properties)
    }

    @Test func aStreamIsGivenToTheWatchdogThenMarkedThenMuted() {
        var machine = mutingMachine()
        #expect(machine.audible == [stream: StreamProcess(id: 200, isVerified: true)])
        #expect(
            machine.receive(.mute([stream])) == [
                .restoreAtExit([order]), .showMuted(["400"]),
                .graph(.setSoftVolumes(stream, [0, 0], isMuted: false)),
            ])
        #expect(machine.audible?.count == 1, "what is written here does not count")
        #expect(machine.ducked == [])
        #expect(
            machine.receive(.mute([])) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false)), .showMuted([]),
            ])
    }

    @Test func aMutedStreamIsRestoredAtTheEnd() {
        var machine = mutingMachine()
        _ = machine.receive(.mute([stream]))
        #expect(
            machine.receive(.turnEnded) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false)), .showMuted([]), .show(muting),
                .graph(.barrier(.question(3))),
            ])
        #expect(machine.receive(.graph(.barrier(.question(3)))) == [.graph(.barrier(.question(4)))])
        #expect(machine.receive(.graph(.barrier(.question(4)))) == [.restoreAtExit([]), .close])
    }

    @Test func aMutedStreamIsHeardAtTheEndAlsoWhileAnotherProgramDucks() {
        var machine = mutingMachine([device(60, DuckingMark(name: "other", gain: 100))])
        _ = machine.receive(.mute([stream]))
        #expect(
            machine.receive(.turnEnded) == [
                .graph(.setSoftVolumes(stream, [0.1, 0.05], isMuted: false)), .showMuted([]), .show(muting),
                .graph(.barrier(.question(3))),
            ])
        #expect(machine.receive(.graph(.barrier(.question(3)))) == [.restoreAtExit([]), .close])
    }

    /// The other program may have an exception for the stream.
    @Test func whileAnotherProgramDucksAnUnmutedStreamIsWrittenOnlyBeforeItsMarkIsRemoved() {
        var machine = mutingMachine([device(60, DuckingMark(name: "other", gain: 100))])
        _ = machine.receive(.mute([stream]))
        #expect(
            machine.receive(.mute([])) == [
                .graph(.setSoftVolumes(stream, [0.1, 0.05], isMuted: false)), .showMuted([]),
            ])
        let third = DuckingMark(name: "third", gain: 50)
        for event in [device(61, third), .disappeared(ObjectID(61)), mutingMark(62, serial: "400")] {
            #expect(machine.receive(.graph(event)) == [], "\(event)")
        }
        #expect(machine.receive(.graph(.disappeared(ObjectID(62)))) == [])
        #expect(
            machine.receive(.graph(.disappeared(ObjectID(60)))) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false))
            ])
    }

    /// Its last write may reach the stream after that of the program that ducks.
    @Test func aProgramThatUnmutedAStreamReplacesItsMarkWhenAnotherOneBeginsToDuck() {
        let other = DuckingMark(name: "other", gain: 100)
        var machine = mutingMachine()
        _ = machine.receive(.mute([stream]))
        #expect(machine.receive(.graph(device(60, other))) == [], "the removal of the muting mark follows")
        _ = machine.receive(.graph(.disappeared(ObjectID(60))))
        _ = machine.receive(.mute([]))
        #expect(machine.receive(.graph(device(61, other))) == [.show(muting)])
        #expect(machine.receive(.graph(device(62, DuckingMark(name: "third", gain: 50)))) == [])
    }

    /// The order to the watchdog has a limited size.
    @Test func theWatchdogReceivesALimitedNumberOfStreamsThatAreLeftToOthers() {
        let other = device(60, DuckingMark(name: "other", gain: 100))
        var machine = mutingMachine([other] + crowd(1000..<1300, client: 21, process: 500))
        var largest = 0
        for id in UInt32(1000)..<1300 {
            var actions = machine.receive(.mute([ObjectID(id)]))
            #expect(actions.contains(.graph(.setSoftVolumes(ObjectID(id), [0, 0], isMuted: false))))
            actions += machine.receive(.mute([])) + machine.receive(.graph(.nodeState(ObjectID(id), .running)))
            for case .restoreAtExit(let orders) in actions { largest = max(largest, orders.count) }
        }
        #expect(largest == UnmanagedStreams.limit + 1, "one is muted")
    }

    @Test func streamsThatWereNotMutedAreNotWritten() {
        var machine = mutingMachine()
        _ = machine.receive(.turnEnded)
        #expect(machine.receive(.graph(.barrier(.question(3)))) == [.graph(.barrier(.question(4)))])
        #expect(machine.receive(.graph(.barrier(.question(4)))) == [.close])
    }

    @Test func onlyRunningStreamsThatAreNotSilentAreAudible() {
        var machine = mutingMachine()
        for event: GraphEvent in [.nodeState(stream, .idle), .nodeMuted(stream, true), .nodeVolumes(stream, [0])] {
            _ = machine.receive(.graph(event))
            #expect(machine.audible == [:], "\(event)")
            for event in appearance(stream, mpv).suffix(2) + [.nodeState(stream, .running)] {
                _ = machine.receive(.graph(event))
            }
            #expect(machine.audible?.count == 1)
        }
    }

    @Test func aStreamThatAnotherProgramMutesStaysMuted() {
        // The other program mutes it too.
        var machine = mutingMachine([mutingMark(60, serial: "400")])
        _ = machine.receive(.mute([stream]))
        #expect(machine.receive(.mute([])) == [.showMuted([])], "it is silent already")
        #expect(
            machine.receive(.graph(.disappeared(ObjectID(60)))) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false))
            ])
        // The other program ducks streams.
        var (ducker, actions) = standing(appearance(stream, mpv) + [mutingMark(60, serial: "400")])
        #expect(actions.contains(.graph(.setSoftVolumes(stream, [0, 0], isMuted: false))))
        #expect(
            ducker.receive(.graph(.disappeared(ObjectID(60)))) == [
                .graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))
            ])
        _ = ducker.receive(.graph(mutingMark(61, serial: "400")))
        _ = ducker.receive(.turnEnded)
        #expect(
            ducker.receive(.graph(.barrier(.question(3)))).prefix(2) == [
                .graph(.setSoftVolumes(stream, [0, 0], isMuted: false)), .notify(.restored(player)),
            ])
    }

    /// Programs and watchdogs leave streams to the program whose mark has the lowest gain. An older
    /// version of the library writes that gain although the policy ducks roles.
    @Test func aStreamThatAnotherProgramLeftIsRestoredWhereThePolicyDucksRoles() {
        for (mark, isLeft) in [
            (mutingMark(60, serial: "400"), true), (mutingMark(60, serial: "4000"), false),
            (device(60, DuckingMark(name: "other", gain: TokenTraits.fullGain)), true),
        ] {
            var (machine, _) = standing(roles() + appearance(stream, mpv) + [mark])
            let restored: [UnmanagedStreams.Action] = [
                .restoreAtExit([order]), .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false)),
            ]
            #expect(machine.receive(.graph(.disappeared(ObjectID(60)))) == (isLeft ? restored : []))
        }
    }

    /// The program that ducks leaves it to the policy, but its mark has a gain for when that ends.
    @Test func noGainOfAnotherProgramIsWrittenWhereThePolicyDucksRoles() {
        var machine = mutingMachine(roles() + [device(60, DuckingMark(name: "other", gain: 100))])
        _ = machine.receive(.mute([stream]))
        #expect(
            machine.receive(.mute([])) == [
                .graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false)), .showMuted([]),
            ])
        #expect(
            machine.receive(.graph(.disappeared(ObjectID(70)))) == [.show(muting)],
            "its last write may reach the stream after that of the program that ducks now")
    }

    @Test func malformedSandboxedAndUnrelatedMarksMuteNothing() {
        let sandbox: [GraphEvent] = [
            .clientAppeared(Client(id: ObjectID(91), processID: 1, access: "flatpak")),
            mutingMark(60, serial: "400", client: 91), mutingMark(61, serial: "4000"),
        ]
        #expect(
            standing(appearance(stream, mpv) + sandbox).actions.contains(
                .graph(.setSoftVolumes(stream, [0.2, 0.1], isMuted: false))))
        // The last one is equal to a valid mark by Unicode's rules.
        let malformed = [
            "", "1;mutes=", "1;mutes=-1", "1;mutes=0400", "1;mutes=400 ", "2;mutes=400", "1;ducks=400",
            "1\u{37e}mutes=400",
        ]
        for payload in malformed {
            let properties: Properties = [
                .deviceAPI: Announcement.Kind.mark.deviceAPI, .deviceName: "bad", .deviceDescription: payload,
            ]
            #expect(MutingMark(properties) == nil, "\(payload)")
        }
        let mark = MutingMark(name: "own", serial: "400")
        #expect(MutingMark(mark.announcement.properties()) == mark)
        #expect(DuckingMark(mark.announcement.properties()) == nil)
    }

    @Test func aProgramThatOnlyMutesReportsNoFailure() {
        var machine = mutingMachine()
        _ = machine.receive(.mute([stream]))
        #expect(machine.receive(.failed("gone")) == [.close, .wait(true)])
        #expect(machine.audible == nil)
    }

    /// PipeWire may close a connection, for example if another program destroys its client.
    @Test func aStreamThatWasMutedOnALostConnectionIsRestoredOnTheNextOne() {
        for isSame in [true, false] {
            var machine = mutingMachine()
            _ = machine.receive(.mute([stream]))
            _ = machine.receive(.failed("gone"))
            _ = machine.receive(.mute([]))
            #expect(machine.receive(.timer) == [.open, .graph(.barrier(.question(3)))])
            var other = mpv
            if !isSame { other[.objectSerial] = "401" }
            for event in appearance(stream, other) { _ = machine.receive(.graph(event)) }
            _ = machine.receive(.graph(.barrier(.question(3))))
            let actions = machine.receive(.graph(.barrier(.question(4))))
            let restored = UnmanagedStreams.Action.graph(.setSoftVolumes(stream, [1, 0.5], isMuted: false))
            let expected: [UnmanagedStreams.Action] =
                isSame ? [.show(muting), restored] : [.restoreAtExit([]), .show(muting)]
            #expect(actions == expected)
        }
    }

    /// A program can change the properties of its node, but not those in the registry.
    @Test func aSerialThatAProgramClaimsReachesNeitherTheWatchdogNorAMark() {
        var machine = mutingMachine()
        var liar = mpv
        liar[.objectSerial] = "1 0 3f800000\n99 990 0 0"
        _ = machine.receive(.graph(.nodeProperties(stream, liar)))
        #expect(machine.receive(.mute([stream])).prefix(2) == [.restoreAtExit([order]), .showMuted(["400"])])
    }
}
