import AudioSessionCore
import Testing

/// The gain of a session that another one ducks.
@Suite struct SessionDuckingTests {
    @Test func anActivationBesideADuckerStartsDucked() {
        var stage = SessionStage()
        stage.join(.player)
        stage.surroundings.status = .active(duckedGain: 0.2)
        let actions = stage.receive(.arbitration(.activated))
        #expect(stage.machine.gain == 0.2)
        #expect(stage.order(actions, .send(.ducked(0.2)), .send(.activated)))
    }

    @Test func anInactiveSessionHasFullGain() {
        var stage = SessionStage()
        stage.activate()
        _ = stage.receive(.arbitration(.ducking(gain: 500, by: [SessionStage.cause])))
        #expect(stage.machine.gain == 0.5)
        stage.surroundings.status = .inactive
        #expect(stage.receive(.arbitration(.deactivated)).contains(.send(.ducked(1))))
        #expect(stage.machine.gain == 1 && stage.machine.silenceReasons == [.inactive])
    }

    @Test func aSessionThatOnlyRecordsIsNotDucked() {
        var stage = SessionStage(AudioSessionConfiguration(.record))
        stage.activate()
        #expect(stage.receive(.arbitration(.ducking(gain: 200, by: [SessionStage.cause]))) == [.publish])
        #expect(stage.machine.gain == 1)
        stage.surroundings.status?.duckedGain = 0.2
        let playing = AudioSessionConfiguration(.playAndRecord)
        _ = stage.receive(.configuration(.requested(playing)))
        let actions = stage.receive(.configuration(.granted(playing)))
        #expect(stage.machine.gain == 0.2)
        #expect(actions.contains(.notify(.ducking(gain: 0.2, by: [], at: stage.surroundings.now))))
    }

    @Test func anotherCategoryThatEndsDuckingNamesNoSession() {
        let record = AudioSessionConfiguration(.record)
        var stage = SessionStage()
        stage.activate()
        stage.surroundings.status = .active(duckedGain: 0.2)
        _ = stage.receive(.arbitration(.ducking(gain: 200, by: [SessionStage.cause])))
        _ = stage.receive(.configuration(.requested(record)))
        let actions = stage.receive(.configuration(.granted(record)))
        #expect(actions.contains(.notify(.ducking(gain: 1, by: [], at: stage.surroundings.now))))
    }
}
