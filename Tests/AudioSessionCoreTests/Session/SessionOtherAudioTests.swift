import AudioSessionCore
import Testing

/// What a session reports of other audio.
@Suite struct SessionOtherAudioTests {
    @Test func onlyAnActiveSessionIsNotifiedOfOtherAudio() {
        var stage = SessionStage()
        let begin = SessionAction.notify(.silenceSecondaryAudioHint(.begin, at: SessionStage.time(10)))
        #expect(!stage.receive(.othersStreaming(true)).contains(begin))
        #expect(stage.machine.otherAudio.isPlaying && stage.machine.otherAudio.isPrimaryPlaying)
        #expect(stage.activate().contains(begin))
        #expect(!stage.receive(.othersStreaming(true)).contains(begin), "it is known")
        #expect(
            stage.receive(.othersStreaming(false)).contains(
                .notify(.silenceSecondaryAudioHint(.end, at: SessionStage.time(10)))))
        let secondary = OtherSessions(isAnyActive: true)
        #expect(stage.receive(.arbitration(.others(secondary))) == [.publishOtherAudio])
        #expect(stage.machine.otherAudio.isPlaying && !stage.machine.otherAudio.isPrimaryPlaying)
    }

    @Test func anActivationDoesNotCountThoseThatItInterrupted() {
        var stage = SessionStage()
        _ = stage.receive(.othersChanged(OtherSessions(isAnyActive: true, isPrimaryActive: true)))
        #expect(stage.machine.otherAudio.isPlaying)
        stage.surroundings.others = OtherSessions()
        #expect(!stage.activate().contains(.notify(.silenceSecondaryAudioHint(.begin, at: SessionStage.time(10)))))
        #expect(!stage.machine.otherAudio.isPlaying)
    }
}
