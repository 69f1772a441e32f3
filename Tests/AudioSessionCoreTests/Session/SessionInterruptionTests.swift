import AudioSessionCore
import Testing

/// The order of what a session does when an interruption begins or ends.
@Suite struct SessionInterruptionTests {
    @Test func participantsAreSilentBeforeListenersAreNotifiedOfAnInterruption() {
        var stage = SessionStage()
        stage.activate()
        stage.surroundings.status = .interrupted
        let actions = stage.receive(.arbitration(.began(by: SessionStage.cause)))
        let began = AudioSessionEvent.interruptionBegan(
            reason: .default, by: SessionStage.cause, at: stage.surroundings.now)
        #expect(
            stage.order(
                actions, .send(.interrupted), .notify(began),
                .notify(.stateChanged(.interrupted, at: SessionStage.time(10)))))
        #expect(stage.machine.silenceReasons == [.interrupted(by: [SessionStage.cause])])
    }

    @Test(arguments: [true, false]) func anEndCarriesTheResumeAdvice(shouldResume: Bool) {
        var stage = SessionStage()
        stage.interrupt()
        stage.surroundings.status = shouldResume ? .advised : .inactive
        let actions = stage.receive(.arbitration(.ended(shouldResume: shouldResume, withNotice: shouldResume)))
        let ended = AudioSessionEvent.interruptionEnded(
            options: shouldResume ? .shouldResume : [], at: stage.surroundings.now)
        #expect(stage.order(actions, .notify(ended), .send(.interruptionEnded(shouldResume: shouldResume))))
        #expect(stage.machine.silenceReasons == [shouldResume ? .advised : .inactive])
        #expect(stage.machine.state == .inactive)
    }
}
