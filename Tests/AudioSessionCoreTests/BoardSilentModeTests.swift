import AudioSessionCore
import SessionStories
import Testing

/// The sessions that silent mode mutes. `Stories.silence` has the effect on other sessions.
@Suite struct BoardSilentModeTests {
    @Test func theStatusNamesBothCauses() {
        var stage = BoardStage("A:ambient B:nav")
        stage.play("+A +B silent")
        #expect(stage.status("A")?.gain == 0)
        #expect(stage.status("A")?.isSilenced == true)
        #expect(stage.status("A")?.duckedGain == 0.2)
        #expect(stage.status("A")?.duckedBy.map(\.session) == [stage.id("B")])
        #expect(stage.status("B")?.isSilenced == false)
        #expect(stage.status("B")?.gain == 1)
    }
}
