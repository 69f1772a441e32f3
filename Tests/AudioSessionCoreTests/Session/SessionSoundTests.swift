import AudioSessionCore
import Testing

/// A session's preferred numbers, and when the numbers in use are read.
@Suite struct SessionSoundTests {
    @Test func preferredNumbersReachRunningStreamsBeforeTheSoundIsRead() {
        var stage = SessionStage()
        var preferences = SoundPreferences()
        preferences.sampleRate = 44_100
        let actions = stage.receive(.sound(.preferred(preferences)))
        #expect(stage.machine.soundPreferences == preferences)
        #expect(
            actions.first == .publish && actions.last == .readSound(.all)
                && actions.contains { if case .send(.properties) = $0 { true } else { false } })
        #expect(stage.receive(.sound(.preferred(preferences))).isEmpty)
    }

    @Test func theSoundOfASessionThatIsNotOpenIsNotRead() {
        var stage = SessionStage()
        let change = SessionInput.sound(.read(.volume(.output)))
        #expect(stage.receive(change) == [.readSound(.volume(.output))])
        _ = stage.receive(.lifecycle(.managerClosed))
        #expect(stage.receive(change).isEmpty)
    }

    @Test func theNumbersAreReadBeforeARouteChangeIsNotified() {
        var stage = SessionStage()
        #expect(stage.receive(.route(.aboutToChange)) == [.readSound(.all)])
        _ = stage.receive(.lifecycle(.closed))
        #expect(stage.receive(.route(.aboutToChange)).isEmpty)
    }
}
