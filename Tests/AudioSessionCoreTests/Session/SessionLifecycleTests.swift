import AudioSessionCore
import Testing

/// The lifecycle of a session, from its opening to its closing.
@Suite struct SessionLifecycleTests {
    @Test func aSessionBeyondTheLimitCanBeOpenedAgain() {
        var stage = SessionStage()
        #expect(stage.receive(.lifecycle(.refused)) == [.ask(.close)])
        #expect(stage.machine.phase == .unopened)
        let opened = stage.receive(.lifecycle(.opened))
        let traits = TokenTraits(stage.machine.configuration)
        #expect(opened == [.publish, .ask(.open(traits, stage.machine.routeTargets)), .readSound(.all)])
        #expect(stage.machine.phase == .open)
        #expect(stage.receive(.lifecycle(.opened)).isEmpty)
    }

    @Test func anActivationIsReadableBeforeListenersAndBeforeParticipantsStart() {
        var stage = SessionStage()
        stage.join(.player)
        let actions = stage.activate()
        #expect(stage.machine.state == .active && stage.machine.silenceReasons == [.paused])
        #expect(actions.first == .publish)
        #expect(
            stage.order(
                actions, .publish, .notify(.stateChanged(.active, at: SessionStage.time(10))), .send(.activated)))
    }

    @Test(arguments: [true, false]) func aDeactivationStopsParticipantsAndPassesNotify(notify: Bool) {
        var stage = SessionStage()
        stage.activate()
        #expect(
            stage.receive(.lifecycle(.deactivating(notify: notify))).contains(.send(.deactivated(isFinal: false))))
        #expect(stage.machine.leavesSilently == !notify)
        stage.activate()
        #expect(!stage.machine.leavesSilently)
    }

    /// A participant may start while a deactivation waits for PipeWire's answer to something else.
    @Test(arguments: [ArbitrationEvent.placeLost, .deactivated]) func anEndStopsParticipants(event: ArbitrationEvent)
    {
        var stage = SessionStage()
        stage.activate()
        stage.surroundings.status = .inactive
        let actions = stage.receive(.arbitration(event))
        #expect(
            stage.order(
                actions, .send(.deactivated(isFinal: false)),
                .notify(.stateChanged(.inactive, at: SessionStage.time(10)))))
    }

    @Test func aClosedSessionIgnoresFurtherInputs() {
        var stage = SessionStage()
        stage.activate()
        let actions = stage.receive(.lifecycle(.managerClosed))
        #expect(actions == [.send(.deactivated(isFinal: true)), .publish, .endEvents])
        #expect(stage.machine.state == .inactive && stage.machine.silenceReasons == [.inactive])
        _ = stage.receive(.surroundingsChanged)
        #expect(stage.machine.silenceReasons == [.inactive])
        #expect(stage.receive(.lifecycle(.closed)).contains(.endEvents))
        #expect(stage.receive(.arbitration(.activated)).isEmpty && stage.machine.phase == .closed)
    }

    @Test func onlyAnOpenSessionIsClosedAtTheManager() {
        var stage = SessionStage()
        #expect(stage.receive(.lifecycle(.closed)).last == .ask(.close))
        var unopened = SessionStateMachine(AudioSessionConfiguration(.playback))
        #expect(!unopened.receive(.lifecycle(.closed), in: stage.surroundings).contains(.ask(.close)))
    }
}
