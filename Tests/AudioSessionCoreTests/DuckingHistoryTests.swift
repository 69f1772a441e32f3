import Testing

@testable import AudioSessionCore

/// Histories of a program that ducks, with an exception, and another one that only mutes. The
/// events of one cross the orders of the other.
@Suite struct DuckingHistoryTests {
    private let muter = DuckingWorld.muter
    private let ducker = DuckingWorld.selective
    private let ordinary = DuckingWorld.ordinary
    private let exception = DuckingWorld.exception

    /// A world in which these programs have begun, in this order.
    private func makeWorld(_ programs: Int...) -> DuckingWorld {
        var world = DuckingWorld(seed: 1, programs: 3)
        for program in programs {
            world.begin(program)
            world.run(program)
        }
        world.settle()
        return world
    }

    private func mute(_ streams: Set<ObjectID>, _ world: inout DuckingWorld) {
        world.mute(muter, streams)
        world.run(muter)
        world.settle()
    }

    @Test func anExceptionThatWasMutedBeforeIsNotDucked() {
        var world = makeWorld(muter)
        mute([exception], &world)
        mute([], &world)
        world.begin(ducker)
        world.settle()
        #expect(world.complaints == [])
    }

    /// The program that ducks restores its exception between two orders of the other one.
    @Test func anExceptionIsNotDuckedAfterItIsUnmuted() {
        var world = makeWorld(ducker, muter)
        mute([exception], &world)
        world.mute(muter, [])
        world.executeOrder(of: muter)
        world.run(ducker)
        world.settle()
        #expect(world.complaints == [])
    }

    @Test func anExceptionIsNotDuckedByAProgramThatBeginsAgainWhileItEnds() {
        var world = makeWorld(ducker, muter)
        mute([exception], &world)
        world.end(muter)
        world.begin(muter)
        for _ in 0..<4 { world.executeOrder(of: muter) }
        world.run(ducker)
        world.settle()
        #expect(world.complaints == [])
    }

    /// The program that muted the stream follows its volume, and does not see the other one yet.
    @Test func aStreamIsDuckedAlthoughALateWriteRestoresIt() {
        var world = makeWorld(muter)
        mute([ordinary], &world)
        mute([], &world)
        world.setVolume(of: ordinary, to: 0.5)
        world.deliver(muter)
        world.begin(ducker)
        world.run(ducker)
        world.settle()
        #expect(world.complaints == [])
    }
}
