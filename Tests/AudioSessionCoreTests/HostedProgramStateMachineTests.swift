import Testing

@testable import AudioSessionCore

@Suite struct HostedProgramStateMachineTests {
    private typealias Event = HostedProgramStateMachine.Event
    private typealias Action = HostedProgramStateMachine.Action

    private func actions(_ events: Event...) -> [Action] {
        var machine = HostedProgramStateMachine()
        return events.flatMap { machine.receive($0) }
    }

    @Test func aHostedProgramIsSilentWhileItsSessionIsInterrupted() {
        #expect(actions(.activated) == [])
        #expect(
            actions(.activated, .interrupted, .interrupted, .interruptionEnded(shouldResume: true), .activated) == [
                .silence, .unsilence(resumes: true),
            ])
    }

    /// A hosted program cannot end a mute itself, and would stay silent.
    @Test func withoutAdviceToResumeItsPlayersStayPausedAndItsStreamsAreHeard() {
        #expect(
            actions(.activated, .interrupted, .interruptionEnded(shouldResume: false), .deactivated, .activated) == [
                .silence, .unsilence(resumes: false),
            ])
    }

    @Test func takingBackOrDeactivatingEndsTheSilence() {
        for event in [Event.activated, .deactivated] {
            #expect(actions(.interrupted, event) == [.silence, .unsilence(resumes: true)])
        }
    }

    @Test func aHostedProgramHasTheGainOfItsSession() {
        #expect(actions(.activated, .ducked(200), .ducked(200), .ducked(1000)) == [.duck(200), .duck(1000)])
        #expect(actions(.activated, .ducked(200), .deactivated) == [.duck(200), .duck(1000)])
        #expect(
            actions(.activated, .ducked(200), .interrupted) == [.duck(200), .duck(1000), .silence],
            "an interrupted session is silent, whatever ducks")
    }

    // MARK: The loss of the output

    private func time(_ seconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    private func route(_ outputs: [String]) -> RouteDescription {
        RouteDescription(
            outputs: outputs.map { PortDescription(type: .unknown, name: $0, uid: $0, direction: .output) })
    }

    private func change(
        _ reason: RouteChangeReason, from previous: [String], to current: [String], at seconds: UInt64 = 10,
        instead underlying: RouteChangeReason? = nil
    ) -> Event {
        .routeChanged(
            RouteChange(
                reason: reason, previous: route(previous), current: route(current), time: time(seconds),
                underlyingReason: underlying))
    }

    /// The loss of the headphones, after which the route goes to the speaker.
    private var loss: [Event] {
        [
            .outputLost("headphones", at: time(10)),
            change(.oldDeviceUnavailable, from: ["headphones"], to: ["speaker"]),
        ]
    }

    private func afterLoss(_ events: Event...) -> [Action] {
        var machine = HostedProgramStateMachine()
        let first = ([Event.activated] + loss).flatMap { machine.receive($0) }
        #expect(first == [.silenceForLoss, .readRoute])
        return events.flatMap { machine.receive($0) }
    }

    @Test func aLostOutputSilencesTheProgramUntilItReturns() {
        #expect(afterLoss(change(.newDeviceAvailable, from: ["speaker"], to: ["screen"])) == [])
        #expect(
            afterLoss(change(.newDeviceAvailable, from: ["speaker"], to: ["headphones"])) == [
                .unsilence(resumes: false)
            ])
    }

    /// A call may have switched the headset before it was lost.
    @Test func aHeadsetThatReturnsInItsOtherModeEndsTheSilence() {
        let (call, music) = (headset(.bluetoothHFP), headset(.bluetoothA2DP))
        let speaker = route(["speaker"])
        var machine = HostedProgramStateMachine()
        _ = machine.receive(.activated)
        let lost = RouteChange(
            reason: .oldDeviceUnavailable, previous: RouteDescription(outputs: [call]), current: speaker,
            time: time(10))
        #expect(machine.receive(.routeChanged(lost)) == [.silenceForLoss])
        let regained = RouteChange(
            reason: .newDeviceAvailable, previous: speaker, current: RouteDescription(outputs: [music]),
            time: time(20))
        #expect(machine.receive(.routeChanged(regained)) == [.unsilence(resumes: false)])
    }

    private func headset(_ type: PortType) -> PortDescription {
        PortDescription(
            type: type, name: "Headset", uid: type.rawValue, direction: .output, deviceName: "bluez_card.1")
    }

    /// The output may have been lost before the route was followed to it.
    @Test func aRouteChangeAloneMayBeALoss() {
        let lost = change(.oldDeviceUnavailable, from: ["headphones"], to: ["speaker"])
        #expect(actions(.activated, lost) == [.silenceForLoss])
        #expect(
            actions(.activated, change(.noSuitableRouteForCategory, from: ["headphones"], to: [])) == [
                .silenceForLoss
            ])
        for reason in [RouteChangeReason.override, .newDeviceAvailable, .categoryChange, .routeConfigurationChange] {
            #expect(actions(.activated, change(reason, from: ["headphones"], to: ["speaker"])) == [], "\(reason)")
        }
        let ofInput = change(.oldDeviceUnavailable, from: ["speaker"], to: ["speaker"])
        #expect(actions(.activated, ofInput) == [], "an input was lost")
        #expect(actions(lost) == [], "the session is inactive")
        #expect(actions(.activated, .deactivated, lost) == [], "the session is inactive")
    }

    /// The program is heard before its session is active again.
    @Test func anOutputMayBeLostWhileTheSessionHoldsItsClaim() {
        func afterAnInterruption(shouldResume: Bool, _ events: Event...) -> [Action] {
            var machine = HostedProgramStateMachine()
            let ended = [Event.interruptionEnded(shouldResume: shouldResume), .deactivated]
            return ([Event.activated, .interrupted] + ended + events).flatMap { machine.receive($0) }
        }
        #expect(
            afterAnInterruption(shouldResume: true, loss[0], .claimEnded, loss[1], .activated) == [
                .silence, .unsilence(resumes: true), .silenceForLoss, .readRoute,
            ])
        #expect(
            afterAnInterruption(shouldResume: true, .claimEnded, loss[0], loss[1]) == [
                .silence, .unsilence(resumes: true),
            ])
        #expect(
            afterAnInterruption(shouldResume: false, loss[0], loss[1]) == [.silence, .unsilence(resumes: false)],
            "there is no claim")
    }

    @Test func anOutputMayBeLostDuringASleep() {
        let (headphones, speaker) = (["headphones"], ["speaker"])
        let lost = change(.wakeFromSleep, from: headphones, to: speaker, instead: .oldDeviceUnavailable)
        #expect(actions(.activated, lost) == [.silenceForLoss])
        let plugged = change(.wakeFromSleep, from: speaker, to: headphones, instead: .newDeviceAvailable)
        #expect(actions(.activated, plugged) == [])
    }

    @Test func aProgramWhoseSessionContinuesAtALossIsNotSilenced() {
        var machine = HostedProgramStateMachine()
        machine.pausesAtLoss = false
        let actions = ([Event.activated] + loss).flatMap { machine.receive($0) }
        #expect(actions == [])
    }

    /// The output is plugged in again before the route has changed, which causes no event.
    @Test func anOutputThatReturnsAtOnceEndsTheSilence() {
        let lost = Event.outputLost("headphones", at: time(10))
        #expect(
            actions(.activated, lost, .routeRead(["headphones"])) == [
                .silenceForLoss, .readRoute, .unsilence(resumes: false),
            ])
        #expect(afterLoss(.routeRead(["speaker"])) == [])
    }

    /// The route before PipeWire was lost may still have the lost output.
    @Test func theRouteIsReadAgainWhenPipeWireIsBack() {
        let lost = Event.outputLost("headphones", at: time(10))
        #expect(
            actions(.activated, lost, .mediaServicesLost, .routeRead(["headphones"])) == [
                .silenceForLoss, .readRoute,
            ])
        #expect(
            afterLoss(.mediaServicesLost, .mediaServicesReset(at: time(20)), .routeRead(["headphones"])) == [
                .readRoute, .unsilence(resumes: false),
            ], "it was plugged in meanwhile")
        #expect(
            afterLoss(
                .volumeChanged(at: time(11)), .mediaServicesLost, .mediaServicesReset(at: time(20)),
                .volumeChanged(at: time(20)), .routeRead(["speaker"])) == [.readRoute, .readRoute],
            "these may be the volumes of other outputs")
        #expect(actions(.activated, .mediaServicesLost, .mediaServicesReset(at: time(20))) == [])
    }

    /// The output may have returned with a restart whose events are missing.
    @Test func droppedEventsOfARestartAreMadeUpFor() {
        let whileConnected = Event.eventsDropped(isServiceLost: false, at: time(20))
        let whileAway = Event.eventsDropped(isServiceLost: true, at: time(20))
        let regained: [Action] = [.readRoute, .unsilence(resumes: false)]
        let read = Event.routeRead(["headphones"])
        #expect(afterLoss(.mediaServicesLost, whileConnected, read) == regained, "the reset is missing")
        #expect(afterLoss(whileConnected, read) == regained, "loss and reset may be missing")
        #expect(afterLoss(whileAway, read) == [], "the reset follows")
        #expect(afterLoss(whileAway, .mediaServicesReset(at: time(30)), read) == regained)
        #expect(actions(.activated, whileConnected) == [])
    }

    @Test func theUserEndsTheSilenceAfterALoss() {
        #expect(afterLoss(.overruled(at: time(12))) == [.unsilence(resumes: false)])
        #expect(
            afterLoss(.volumeChanged(at: time(11)), .volumeChanged(at: time(11)), .routeRead(["speaker"])) == [
                .readRoute, .unsilence(resumes: false),
            ])
    }

    /// The route change reports a loss again, and the host may know its user's action first.
    @Test func aLossThatTheUserHasOverruledSilencesTheProgramNoMore() {
        let overruled: [Action] = [.silenceForLoss, .readRoute, .unsilence(resumes: false)]
        #expect(actions(.activated, loss[0], .overruled(at: time(12)), loss[0], loss[1]) == overruled)
        let returned = change(.newDeviceAvailable, from: ["speaker"], to: ["headphones"], at: 20)
        let again = Event.outputLost("headphones", at: time(21))
        #expect(
            actions(.activated, loss[0], .overruled(at: time(12)), loss[1], returned, again)
                == overruled + [.silenceForLoss, .readRoute])
    }

    /// Some cards stop and start their sink, and with it its streams, when a jack changes.
    @Test func aStreamThatStartsAgainWithTheRouteChangeDoesNotEndTheSilence() {
        #expect(afterLoss(.overruled(at: time(10))) == [])
        #expect(
            actions(.activated, .deactivated, .refused, loss[0], .overruled(at: time(10)), .overruled(at: time(11)))
                == [
                    .silence, .silenceForLoss, .readRoute, .unsilence(resumes: false),
                ])
    }

    /// A stream that is not silent would be heard beside the call when the headphones return.
    @Test func aStreamThatStartsAgainWithTheRouteChangeDoesNotEndTheSilenceAfterARefusal() {
        let returned = change(.newDeviceAvailable, from: ["speaker"], to: ["headphones"], at: 20)
        #expect(
            actions(.activated, .deactivated, .refused, loss[0], .overruled(at: time(10)), loss[1], returned)
                == [.silence, .silenceForLoss, .readRoute, .silence])
        #expect(
            actions(.refused, returned, .overruled(at: time(20)), .overruled(at: time(21)))
                == [.silence, .unsilence(resumes: false)])
    }

    /// The end of the host deactivates the session, and what is silent for a loss stays so.
    @Test func aDeactivationEndsTheSilenceOnlyAtTheNextActivation() {
        #expect(afterLoss(.deactivated) == [])
        #expect(afterLoss(.deactivated, .activated) == [.unsilence(resumes: false)])
        #expect(
            afterLoss(.deactivated, .refused, .activated) == [.silence, .unsilence(resumes: false)],
            "a refused activation is a new intention, too")
    }

    /// The events of the volume and of the route arrive in any order.
    @Test func theVolumeOfAnotherOutputDoesNotEndTheSilence() {
        let soon = MonotonicTime(nanoseconds: 10_900_000_000)
        #expect(afterLoss(.volumeChanged(at: soon), .routeRead(["speaker"])) == [])
        let screen = change(.newDeviceAvailable, from: ["speaker"], to: ["screen"], at: 20)
        #expect(afterLoss(screen, .volumeChanged(at: time(20)), .routeRead(["screen"])) == [])
        #expect(afterLoss(.volumeChanged(at: time(20)), screen, .routeRead(["screen"])) == [.readRoute])
    }

    @Test func aLossOutlastsAnInterruption() {
        #expect(afterLoss(.interrupted, .interruptionEnded(shouldResume: true), .deactivated, .activated) == [])
        #expect(
            afterLoss(.interrupted, .overruled(at: time(12)), .interruptionEnded(shouldResume: true)) == [
                .silence, .unsilence(resumes: false),
            ], "nothing plays by itself after a loss")
        let returned = change(.newDeviceAvailable, from: ["speaker"], to: ["headphones"])
        #expect(
            actions(
                .activated, .interrupted, loss[1], .interruptionEnded(shouldResume: false), .deactivated, .activated,
                returned) == [.silence, .silenceForLoss, .unsilence(resumes: false)])
        #expect(
            actions(.activated, .interrupted, loss[1], returned, .activated) == [
                .silence, .silenceForLoss, .silence, .unsilence(resumes: false),
            ], "the interruption outlasts the loss, and its mutes end with the host")
    }

    @Test func afterALossTheNextInterruptionResumesPlayersAgain() {
        #expect(
            afterLoss(.overruled(at: time(12)), .interrupted, .interruptionEnded(shouldResume: true)) == [
                .unsilence(resumes: false), .silence, .unsilence(resumes: true),
            ])
    }

    // MARK: Its streams

    private func streams(_ areAudible: Bool, at seconds: UInt64) -> Event {
        .streamsChanged(HostedStreams([ObjectID(1)], audible: areAudible ? [ObjectID(1)] : []), at: time(seconds))
    }

    /// What its user plays next is to be heard on the next output.
    @Test func aLossSilencesNoProgramThatDoesNotPlay() {
        #expect(actions(.activated, streams(false, at: 5), loss[0], loss[1]) == [])
        #expect(actions(.activated, streams(true, at: 1), streams(false, at: 5), loss[0], loss[1]) == [])
        let silenced: [Action] = [.silenceForLoss, .readRoute]
        #expect(actions(.activated, streams(false, at: 5), streams(true, at: 8), loss[0]) == silenced)
        let unknown = Event.streamsChanged(nil, at: time(6))
        #expect(actions(.activated, streams(false, at: 5), unknown, loss[0]) == silenced)
    }

    /// A card may stop its sink, and with it the streams, before it reports an empty jack.
    @Test(arguments: [10, 11] as [UInt64]) func aStreamThatHasJustStoppedCountsAsPlaying(seconds: UInt64) {
        let stopped = streams(false, at: seconds)
        #expect(actions(.activated, streams(true, at: 5), stopped, loss[0]) == [.silenceForLoss, .readRoute])
    }

    /// A headset has seconds to show another sink, and its stream may stop until there is one.
    @Test func aStreamThatStopsAfterTheFirstSignOfALossCountsAsPlaying() {
        let (played, stopped) = (streams(true, at: 1), streams(false, at: 5))
        let endangered = Event.outputEndangered(at: time(5))
        #expect(actions(.activated, played, endangered, stopped, loss[0]) == [.silenceForLoss, .readRoute])
        #expect(actions(.activated, played, endangered, stopped, .outputKept, loss[0]) == [])
    }

    /// The players that were paused would resume on the next output.
    @Test func aLossSilencesAProgramThatPlayedBeforeAnInterruption() {
        let began = [Event.activated, streams(true, at: 1), .interrupted, streams(false, at: 2)]
        func after(_ events: Event...) -> [Action] {
            var machine = HostedProgramStateMachine()
            return (began + events).flatMap { machine.receive($0) }
        }
        let silenced: [Action] = [.silenceForLoss, .readRoute]
        #expect(after(loss[0]) == [.silence] + silenced)
        let resumes = Event.interruptionEnded(shouldResume: true)
        #expect(after(resumes, .activated, loss[0]) == [.silence, .unsilence(resumes: true)] + silenced)
        #expect(
            after(resumes, .activated, streams(true, at: 3), streams(false, at: 4), loss[0])
                == [.silence, .unsilence(resumes: true)], "its user has paused it")
        #expect(
            after(.interruptionEnded(shouldResume: false), .activated, loss[0])
                == [.silence, .unsilence(resumes: false)])
        #expect(actions(.activated, streams(false, at: 1), .interrupted, loss[0]) == [.silence])
    }

    @Test func anOutputThatMayBeLostEndangersAProgramThatPlays() {
        func isEndangered(_ events: Event...) -> Bool {
            var machine = HostedProgramStateMachine()
            for event in events { _ = machine.receive(event) }
            return machine.isEndangered
        }
        let endangered = Event.outputEndangered(at: time(9))
        #expect(isEndangered(.activated, endangered))
        #expect(!isEndangered(endangered), "the session is inactive")
        #expect(!isEndangered(.activated, streams(false, at: 5), endangered))
        for end in [Event.outputKept, loss[0], .mediaServicesLost] {
            #expect(!isEndangered(.activated, endangered, end), "\(end)")
        }
    }

    /// The host's own connection may receive the removal before the session does.
    @Test func aRemovedOutputEndangersTheProgramUntilTheSessionKnows() {
        var machine = HostedProgramStateMachine()
        func receive(_ events: Event...) -> [Action] { events.flatMap { machine.receive($0) } }
        let removed = Event.objectRemoved(ObjectID(41), at: time(9))
        #expect(receive(.gateTriggersChanged([ObjectID(41)]), removed) == [], "the session is inactive")
        #expect(receive(.activated, streams(false, at: 1), removed) == [], "nothing plays")
        #expect(receive(streams(true, at: 5), .objectRemoved(ObjectID(42), at: time(9))) == [], "another object")
        #expect(!machine.isEndangered)
        #expect(receive(removed) == [.awaitSession])
        #expect(machine.isEndangered)
        #expect(receive(.outputKept) == [])
        #expect(machine.isEndangered, "the session means an earlier danger")
        #expect(receive(.outputEndangered(at: time(9)), .suspicionEnded) == [])
        #expect(machine.isEndangered, "the session decides")
        #expect(receive(.outputKept) == [])
        #expect(!machine.isEndangered)
        #expect(receive(removed, .suspicionEnded) == [.awaitSession])
        #expect(!machine.isEndangered, "the session does not report it")
        #expect(receive(removed, loss[0], removed) == [.awaitSession, .silenceForLoss, .readRoute])
        #expect(!machine.isEndangered)
    }

    /// The session's event may arrive later than those of its participant, which forgets the nodes.
    @Test func theNodesOfTheNextOutputAreKnownAlthoughTheLossOfPipeWireIsReportedLate() {
        var machine = HostedProgramStateMachine()
        _ = machine.receive(.gateTriggersChanged([ObjectID(41)]))
        _ = machine.receive(.gateTriggersChanged([]))
        #expect(machine.gateTriggers == [])
        _ = machine.receive(.gateTriggersChanged([ObjectID(42)]))
        _ = machine.receive(.mediaServicesLost)
        #expect(machine.gateTriggers == [ObjectID(42)])
    }

    @Test func theSessionKnowsWhetherItsProgramPlaysOrALossStoppedIt() {
        var machine = HostedProgramStateMachine()
        #expect(machine.facts == ParticipantFacts())
        for event in [Event.activated, streams(true, at: 5)] { _ = machine.receive(event) }
        var facts = ParticipantFacts()
        (facts.isRunning, facts.streams) = (true, [ObjectID(1)])
        #expect(machine.facts == facts)
        _ = machine.receive(loss[0])
        (facts.isRunning, facts.isStoppedByRouteLoss) = (false, true)
        #expect(machine.facts == facts)
        #expect(machine.loss?.output == "headphones")
    }

    private func streams(_ all: Set<ObjectID>, audible: Set<ObjectID>) -> Event {
        .streamsChanged(HostedStreams(all, audible: audible), at: time(5))
    }

    /// As the route of a session of its own is that of the players that play.
    @Test func aStreamThatIsPausedElsewhereDoesNotDetermineTheRoute() {
        var machine = HostedProgramStateMachine()
        let (music, video) = (ObjectID(1), ObjectID(2))
        #expect(machine.receive(streams([music, video], audible: [])) == [])
        #expect(machine.facts.streams == [music, video], "none has played")
        #expect(machine.receive(streams([music, video], audible: [music])) == [])
        #expect(machine.facts.streams == [music])
        #expect(machine.receive(streams([music, video], audible: [])) == [])
        #expect(machine.facts.streams == [music], "it played last")
        #expect(machine.receive(.streamsSettled) == [])
        #expect(machine.facts.streams == [music])
        #expect(machine.receive(streams([video], audible: [])) == [])
        #expect(machine.facts.streams == [video])
        #expect(machine.receive(streams([music, video], audible: [music, video])) == [])
        #expect(machine.receive(.streamsChanged(nil, at: time(6))) == [])
        #expect(machine.facts.streams == [], "their numbers may be those of other objects")
        #expect(machine.receive(streams([music, video], audible: [])) == [])
        #expect(machine.facts.streams == [music, video])
    }

    /// A card may stop its streams before it reports that its output is lost.
    @Test func aStreamThatHasJustStoppedDeterminesTheRouteBesideOneThatPlays() {
        var machine = HostedProgramStateMachine()
        let (music, video) = (ObjectID(1), ObjectID(2))
        #expect(machine.receive(streams([music, video], audible: [music, video])) == [])
        #expect(machine.receive(streams([music, video], audible: [music])) == [.awaitStreams])
        #expect(machine.facts.streams == [music, video])
        #expect(machine.receive(.streamsSettled) == [])
        #expect(machine.facts.streams == [music])
    }

    /// The streams of a headset stop up to five seconds before its loss is certain. Without the
    /// stopped one in the route, that loss would not be reported.
    @Test func aStoppedStreamDeterminesTheRouteWhileItsOutputMayBeLost() {
        var machine = HostedProgramStateMachine()
        let (music, video) = (ObjectID(1), ObjectID(2))
        _ = machine.receive(.activated)
        _ = machine.receive(streams([music, video], audible: [music, video]))
        _ = machine.receive(.outputEndangered(at: time(5)))
        #expect(machine.receive(streams([music, video], audible: [music])) == [.awaitStreams])
        #expect(machine.receive(.streamsSettled) == [.awaitStreams])
        #expect(machine.facts.streams == [music, video])
        _ = machine.receive(.outputKept)
        #expect(machine.receive(.streamsSettled) == [])
        #expect(machine.facts.streams == [music])
    }

    // MARK: A refused activation

    @Test func aProgramWhoseSessionWasRefusedIsSilentUntilItIsActive() {
        #expect(
            actions(.activated, .deactivated, .refused, .refused, .activated) == [
                .silence, .unsilence(resumes: true),
            ])
        #expect(
            actions(.activated, .deactivated, .refused, .overruled(at: time(12))) == [
                .silence, .unsilence(resumes: false),
            ],
            "its user lets it play")
        #expect(
            actions(.activated, .interrupted, .refused, .interruptionEnded(shouldResume: true), .deactivated) == [
                .silence
            ], "another session refused it meanwhile")
    }

    /// A host reports each refusal, and may do so before the events of the session.
    @Test func aRefusalSilencesTheProgramInAnyOrderOfEvents() {
        #expect(actions(.activated, .refused, .deactivated) == [.silence])
        #expect(
            actions(.refused, .activated, .deactivated, .refused) == [
                .silence, .unsilence(resumes: true), .silence,
            ])
        #expect(
            actions(.refused, .overruled(at: time(12)), .refused, .activated, .deactivated, .refused) == [
                .silence, .unsilence(resumes: false), .silence,
            ], "its user lets it play until the session is active")
    }

    /// A loss that does not count would let the program sound on the loudspeaker after the call.
    @Test func anOutputMayBeLostWhileTheSessionIsRefused() {
        #expect(
            actions(.activated, .deactivated, .refused, loss[1], .refused, .activated, .overruled(at: time(12))) == [
                .silence, .silenceForLoss, .unsilence(resumes: false),
            ])
        #expect(
            actions(.refused, .overruled(at: time(5)), loss[1]).last == .silenceForLoss, "its user has let it play")
    }

    @Test func onlySessionsThatAreNotCallsSilenceTheirProgramAtALoss() {
        for options in [AudioSessionConfiguration.CategoryOptions.mixWithOthers, .duckOthers, []] {
            #expect(AudioSessionConfiguration(.playback, options: options).silencesHostedProgramAtLoss, "\(options)")
        }
        #expect(!AudioSessionConfiguration(.playAndRecord, mode: .voiceChat).silencesHostedProgramAtLoss)
        var configuration = AudioSessionConfiguration(.playback)
        configuration.pausesOnRouteLoss = false
        #expect(!configuration.silencesHostedProgramAtLoss)
    }
}
