import AudioSessionCore
import SessionStories
import Testing

/// Many sessions with simultaneous events, which each process reads at its own pace.
@Suite struct BoardCrowdTests {
    @Test(arguments: 1...100) func oneOfSixteenSimultaneousActivationsWins(seed: Int) throws {
        let names = (0..<16).map { "s\($0)" }
        var stage = BoardStage(names.map { "\($0):music" }.joined(separator: " "))
        for name in names { stage.request(name, .activate) }
        stage.daemon.deliverInRandomOrder(seed)
        stage.collectEvents()
        #expect(stage.unanswered == 0)
        let stack = stage.machine("s0").arbitration.stack.map(\.key)
        for name in names { #expect(stage.machine(name).arbitration.stack.map(\.key) == stack) }
        let winner = stage.name(try #require(stack.last).session)
        for name in names {
            #expect(stage.status(name)?.state == (name == winner ? .active : .interrupted))
            let words = stage.words(name).split(separator: " ").map { $0.hasPrefix("began:") ? "began" : $0 }
            #expect(words == (name == winner ? ["on"] : ["on", "began"]))
        }
    }

    /// In either order, no session sounds beside the newest, and no session stays advised while
    /// another one sounds.
    @Test func anActivationDuringAReleaseLeavesOneActiveSession() {
        var histories: Set<String> = []
        for seed in 1...100 {
            var stage = BoardStage("A:music B:music C:music")
            stage.play("+A +B")
            stage.request("B", .deactivate(notify: true))
            stage.request("C", .activate)
            stage.daemon.deliverInRandomOrder(seed)
            stage.collectEvents()
            #expect(stage.status("C")?.state == .active)
            #expect(stage.status("A")?.state != .active && stage.status("B")?.state == .inactive)
            histories.insert(stage.words("A"))
            stage.play("-C")
            #expect(stage.words("A").hasSuffix("ended+"))
            #expect(stage.unanswered == 0)
        }
        #expect(histories == ["on began:B", "on began:B ended+ began:C"])
    }

    @Test func aStackOf150SessionsEndsInReverseOrder() {
        let names = (0..<150).map { "s\($0)" }
        // Each of three processes has fifty, every one in a group of its own.
        let cast = names.indices.map { index in
            "s\(index):music@g\(index)" + (index % 50 == 0 ? "" : "/s\(index - index % 50)")
        }
        var stage = BoardStage(cast.joined(separator: " "))
        for name in names { stage.play("+\(name)") }
        #expect(stage.machine("s0").arbitration.stack.count == 150)
        for name in names.reversed() { stage.play("-\(name)") }
        for (name, next) in zip(names, names.dropFirst()) {
            #expect(stage.words(name) == "on began:\(next) ended+ off")
        }
        #expect(stage.words("s149") == "on off")
        #expect(stage.machine("s0").arbitration.stack.isEmpty)
    }
}

extension BoardDaemon {
    /// Delivers all messages to all processes in random order.
    fileprivate mutating func deliverInRandomOrder(_ seed: Int) {
        var random = BoardRandom(seed: UInt64(seed))
        for _ in 0..<200 * processes.count {
            let process = Int.random(in: processes.indices, using: &random)
            random.chance(50) ? readMessage(of: process) : deliver(process)
        }
        run()
    }
}
