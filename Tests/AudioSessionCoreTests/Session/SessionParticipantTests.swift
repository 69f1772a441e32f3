import AudioSessionCore
import Testing

/// The reports of a session's players and recorders.
@Suite struct SessionParticipantTests {
    @Test func participantsShareTheSessionsStreams() {
        var stage = SessionStage()
        let player = stage.join(.player), recorder = stage.join(.recorder)
        _ = stage.move(player) { $0.streams = [ObjectID(7)] }
        let actions = stage.move(recorder) { $0.source = ObjectID(9) }
        #expect(actions.contains(.ask(.setStreams([ObjectID(7)], recordingFrom: [ObjectID(9)]))))
    }

    @Test func aParticipantsReportIsReadableBeforeItIsHandled() {
        var stage = SessionStage()
        let player = stage.join(.player)
        stage.activate()
        #expect(stage.machine.silenceReasons == [.paused])
        var facts = ParticipantFacts()
        facts.isRunning = true
        stage.machine.preview(.changed(facts), of: player, in: stage.surroundings)
        #expect(stage.machine.silenceReasons.isEmpty)
        #expect(stage.receive(.participant(player, .changed(facts))).contains(.ask(.setSounding(true))))
    }

    /// How the session learns of the end of a recording before it is reported.
    enum Foreknowledge: CaseIterable { case none, input, mute }

    @Test(arguments: Foreknowledge.allCases)
    func aRecorderThatStopsDoesNotDetermineTheRouteAnyMore(_ foreknowledge: Foreknowledge) {
        var stage = SessionStage()
        let recorder = stage.join(.recorder)
        var facts = ParticipantFacts()
        (facts.isRunning, facts.isHeard, facts.source) = (true, false, ObjectID(9))
        _ = stage.receive(.participant(recorder, .moved(facts)))
        (facts.isRunning, facts.source) = (false, nil)
        switch foreknowledge {
        case .none: break
        case .input: stage.machine.preview(.changed(facts), of: recorder, in: stage.surroundings)
        case .mute: _ = stage.receive(.participant(recorder, .muted(facts)))
        }
        let request = SessionAction.ask(.setStreams([], recordingFrom: []))
        #expect(stage.receive(.participant(recorder, .changed(facts))).contains(request))
        #expect(!stage.receive(.participant(recorder, .changed(facts))).contains(request))
    }
}
