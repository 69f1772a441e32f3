import AudioSessionCore
import Testing

/// Who is mute in silent mode, and what is heard of that. `BoardStage` explains the words.
@Suite struct BoardSilentModeTests {
    typealias Case = BoardScenarioTests.Case

    @Test(arguments: stories) func hears(story: Case) {
        var stage = BoardStage(story.cast)
        stage.play(story.script)
        for (name, words) in story.heard {
            #expect(stage.words(name) == words, "\(name) in: \(story.script)")
        }
    }

    static let stories = [
        Case(
            "only what is secondary is mute", "A:ambient B:music", "+A +B silent loud",
            ["A": "on duck:0 duck:1000", "B": "on"]),
        Case("what starts in silent mode starts silent", "A:solo", "silent +A loud", ["A": "on duck:0 duck:1000"]),
        Case("twice is once", "A:solo", "+A silent silent loud loud", ["A": "on duck:0 duck:1000"]),
        Case(
            "a mute beats a duck, then ducked again, then full", "A:ambient B:nav", "+A +B silent loud -B",
            ["A": "on duck:200 duck:0 duck:200 duck:1000", "B": "on off"]),
        Case(
            "a duck that begins and ends meanwhile is not heard of", "A:ambient B:nav", "+A silent +B -B loud",
            ["A": "on duck:0 duck:1000"]),
        Case(
            "a duck that begins meanwhile is left when it is over", "A:ambient B:nav", "+A silent +B loud -B",
            ["A": "on duck:0 duck:200 duck:1000"]),
        Case(
            "whoever takes back is mute at once", "A:solo B:music", "silent +A +B -B +A",
            ["A": "on duck:0 began:B ended+ on duck:0", "B": "on off"]),
        Case(
            "a mute session takes its turn like any other", "A:music B:solo", "silent +A +B -B",
            ["A": "on began:B ended+", "B": "on duck:0 off"]),
        Case(
            "another category is heard", "A:solo", "+A silent A=music A=solo",
            ["A": "on duck:0 duck:1000 duck:0"]),
        Case("it goes with the daemon that kept it", "A:solo", "+A silent down up 2s", ["A": "on duck:0 duck:1000"]),
    ]

    @Test func theStatusTellsBothCauses() {
        var stage = BoardStage("A:ambient B:nav")
        stage.play("+A +B silent")
        #expect(stage.status("A")?.gain == 0)
        #expect(stage.status("A")?.isSilenced == true)
        #expect(stage.status("A")?.duckedGain == 200)
        #expect(stage.status("A")?.duckedBy.map(\.session) == [stage.id("B")])
        #expect(stage.status("B")?.isSilenced == false)
        #expect(stage.status("B")?.gain == 1000)
    }
}
