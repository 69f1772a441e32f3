import AudioSessionCore
import Testing

/// Random histories: processes start late, are killed at any point, and read the same events, each
/// at its own pace.
///
/// `AUDIOSESSIONS_STEPS` sets the number of steps of all state machines together, by default a
/// hundred thousand. Ten million take minutes.
@Suite struct BoardPropertyTests {
    private static let steps = max(1, RandomRuns.steps ?? 100_000)
    private static let cases = 20
    private static let kinds = 3

    @Test(arguments: 1...cases) func allProgramsAgreeAndNoneWaitsForever(seed: Int) {
        play(seed) { seed in
            var world = BoardWorld(seed: UInt64(seed), processes: 2 + seed % 7)
            for _ in 0..<400 { world.step() }
            world.settle()
            world.check("in the end, seed \(seed)")
            world.leaveAlone()
            world.check("alone, seed \(seed)")
            return world.steps
        }
    }

    @Test(arguments: 1...cases) func malformedTokensAndFloodsChangeNoState(seed: Int) {
        play(seed) { seed in
            var world = BoardWorld(seed: UInt64(seed) + 100_000, processes: 4)
            world.isHostile = true
            for _ in 0..<400 { world.step() }
            world.settle()
            world.check("with a hostile peer, seed \(seed)")
            return world.steps
        }
    }

    @Test(arguments: 1...cases) func anEarlyAndALateProgramAgreeWhateverOthersShow(seed: Int) {
        play(seed) { seed in
            var board = HostileBoard(seed: UInt64(seed) + 300_000)
            for step in 1...30 {
                board.step()
                board.check("seed \(seed), step \(step)")
            }
            board.end("seed \(seed)")
            // A check costs about as much as twenty inputs.
            return 600
        }
    }

    @Test(arguments: 1...cases) func restartsOfTheDaemonAreSurvived(seed: Int) {
        play(seed) { seed in
            var world = BoardWorld(seed: UInt64(seed) + 200_000, processes: 5)
            for _ in 0..<6 {
                for _ in 0..<60 { world.step() }
                world.restart()
                world.settle()
                world.check("after a restart, seed \(seed)")
            }
            world.leaveAlone()
            world.check("alone, seed \(seed)")
            return world.steps
        }
    }

    /// Runs one history after the other, until this case has done its part of all steps.
    private func play(_ first: Int, _ history: (Int) -> Int) {
        var seed = first
        var steps = 0
        while steps * Self.cases * Self.kinds < Self.steps {
            steps += history(seed)
            seed += Self.cases
        }
    }
}
