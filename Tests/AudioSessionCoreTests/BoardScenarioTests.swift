import AudioSessionCore
import SessionStories
import Testing

/// The states that each story expects, computed by the board alone. `StoryTests` runs the stories
/// with real programs.
@Suite struct BoardScenarioTests {
    @Test(arguments: Stories.all) func allProgramsReachTheStatesOfTheStory(story: Story) {
        var stage = BoardStage(story.cast)
        for step in story.steps { stage.play(step) }
        for (name, words) in story.events {
            #expect(stage.words(name) == words, "\(name) in: \(story.script)")
        }
        #expect(stage.unanswered == 0)
    }

    @Test func aRefusedActivationLeavesNoTrace() {
        var stage = BoardStage("C:call A:music B:mixRec")
        stage.play("+C +A +B")
        for name in ["C", "A", "B"] {
            #expect(stage.machine(name).arbitration.stack.map(\.key.session) == [stage.id("C")])
        }
        #expect(stage.daemon.liveTokens.count == 1)
    }
}
