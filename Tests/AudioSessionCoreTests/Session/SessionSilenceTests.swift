import AudioSessionCore
import Testing

/// Why a session is silent, and when its listeners are notified of another reason.
@Suite struct SessionSilenceTests {
    @Test func silenceReasonsAreOrderedByImportance() {
        var stage = SessionStage()
        stage.join(.recorder) { ($0.isRunning, $0.isInputMuted) = (true, true) }
        stage.activate()
        stage.surroundings.status = .active(duckedGain: 0.2, isSilenced: true)
        _ = stage.receive(.surroundingsChanged)
        let ducked = AudioSessionSilenceReason.ducked(gain: 0.2, by: [SessionStage.cause])
        #expect(stage.machine.silenceReasons == [.silentMode, ducked, .inputMuted])
        stage.surroundings.graph = nil
        _ = stage.receive(.services(.lost))
        #expect(stage.machine.silenceReasons.first == .daemonLost)
    }

    @Test func otherReasonsForSilenceAreNotifiedLastAndOnce() {
        var stage = SessionStage()
        stage.surroundings.status = .active()
        let actions = stage.receiveAll(.arbitration(.activated))
        #expect(actions.last == .notify(.silenceReasonsChanged([], at: SessionStage.time(10))))
        #expect(!stage.receiveAll(.surroundingsChanged).contains { $0.isSilenceChange })
        stage.surroundings.status = .active(duckedGain: 0.5)
        let ducked = AudioSessionSilenceReason.ducked(gain: 0.5, by: [SessionStage.cause])
        #expect(
            stage.receiveAll(.surroundingsChanged).last
                == .notify(.silenceReasonsChanged([ducked], at: SessionStage.time(10))))
        #expect(!stage.receiveAll(.lifecycle(.closed)).contains { $0.isSilenceChange }, "its events have ended")
    }

    /// Other sessions interrupt this one than before, and no event says so.
    @Test func anotherCauseIsEvaluatedAtOnce() {
        var stage = SessionStage()
        stage.interrupt()
        stage.surroundings.status?.interruptedBy = []
        let actions = stage.receiveAll(.arbitration(.causesChanged))
        #expect(
            actions.contains(.notify(.silenceReasonsChanged([.interrupted(by: [])], at: stage.surroundings.now))))
    }
}
