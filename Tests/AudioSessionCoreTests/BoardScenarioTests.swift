import AudioSessionCore
import SessionStories
import Testing

/// What everybody hears in each of the stories, by the board alone. `StoryTests` tells them to real programs.
@Suite struct BoardScenarioTests {
    @Test(arguments: Stories.all) func hears(story: Story) {
        var stage = BoardStage(story.cast)
        for step in story.steps { stage.play(step) }
        for (name, words) in story.heard {
            #expect(stage.words(name) == words, "\(name) in: \(story.script)")
        }
        #expect(stage.unanswered == 0)
    }

    @Test func whoIsRefusedLeavesNoTrace() {
        var stage = BoardStage("C:call A:music B:mixRec")
        stage.play("+C +A +B")
        for name in ["C", "A", "B"] {
            #expect(stage.machine(name).arbitration.stack.map(\.key.session) == [stage.id("C")])
        }
        #expect(stage.daemon.liveTokens.count == 1)
    }
}
