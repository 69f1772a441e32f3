import AudioSessionTestKit
import AudioSessions
import SessionStories
import TestSupport
import Testing

/// The board's stories, with one program for each session, beside a real PipeWire.
@Suite(.liveFirst, .serialized, .timeLimit(.minutes(10))) struct StoryTests {
    @Test(arguments: Stories.groups) func programsReportTheStatesOfTheBoard(group: Stories.Group) async throws {
        try await run(group.stories.filter { !$0.waits })
    }

    /// The other stories: their next step must precede the lapse of a claim, which leaves the
    /// computer one second. (A sanitizer runs them one after the other.)
    @Test(arguments: Stories.groups.filter { $0.stories.contains(where: \.waits) })
    func programsReportTheStatesOfTheBoardInTime(group: Stories.Group) async throws {
        try await run(group.stories.filter(\.waits))
    }

    private func run(_ stories: [Story]) async throws {
        let pipeWire = try await PrivatePipeWire()
        let watcher = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
        let cast = StoryCast(pipeWire)
        for story in stories where story.obstacle == nil {
            do {
                try await StoryStage.run(story, on: pipeWire, with: cast, watcher: watcher)
            } catch {
                Issue.record(error, "\(story.name)")
            }
        }
        try await cast.end()
        await watcher.close()
        await pipeWire.stop()
    }

    /// A story that is not run with programs is left out for a reason, and is one of few.
    @Test func nearlyAllStoriesAreRun() {
        let obstacles = Stories.all.map(\.obstacle)
        func count(_ obstacle: Story.Obstacle?) -> Int { obstacles.count { $0 == obstacle } }
        #expect(count(nil) == 101)
        #expect(count(.sharedProcess) == 1)
        #expect(count(.wordless) == 1)
        #expect(count(.severalCommands) == 0)
        #expect(count(.route) == 4)
        #expect(count(.daemon) == 1)
        #expect(count(.moment) == 1)
    }
}
