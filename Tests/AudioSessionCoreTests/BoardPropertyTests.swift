import AudioSessionCore
import Glibc
import Testing

/// Random histories: every process reads the same events, each at its own pace.
///
/// `AUDIOSESSIONS_HISTORIES` says how many of each kind are played; a few hundred take minutes.
@Suite struct BoardPropertyTests {
    private static let histories = max(
        1, getenv("AUDIOSESSIONS_HISTORIES").flatMap { Int(String(cString: $0)) } ?? 20)

    @Test(arguments: 1...histories)
    func everybodyAgreesAndNobodyIsStuck(seed: Int) {
        var world = BoardWorld(seed: UInt64(seed), processes: 2 + seed % 7)
        for _ in 0..<400 { world.step() }
        world.settle()
        world.check("in the end, seed \(seed)")
        world.leaveAlone()
        world.check("alone, seed \(seed)")
    }

    @Test(arguments: 1...histories)
    func garbageAndFloodsChangeNothing(seed: Int) {
        var world = BoardWorld(seed: UInt64(seed) + 1000, processes: 4)
        world.isHostile = true
        for _ in 0..<400 { world.step() }
        world.settle()
        world.check("with a hostile peer, seed \(seed)")
    }

    @Test(arguments: 1...histories)
    func restartsOfTheDaemonAreSurvived(seed: Int) {
        var world = BoardWorld(seed: UInt64(seed) + 2000, processes: 5)
        for _ in 0..<6 {
            for _ in 0..<60 { world.step() }
            world.restart()
            world.settle()
            world.check("after a restart, seed \(seed)")
        }
        world.leaveAlone()
        world.check("alone, seed \(seed)")
    }
}
