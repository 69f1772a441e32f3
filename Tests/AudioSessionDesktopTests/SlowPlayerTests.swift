import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// Players that pause late or never are muted meanwhile.
@Suite(.timeLimit(.minutes(10))) struct SlowPlayerTests {
    @Test func aPlayerThatDoesNotPauseIsMutedUntilTheDeactivation() async throws {
        let stage = try await UnmanagedStage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("ignoring", "Playing", on: stage.bus.address, executes: false)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await player.command() == .pause)
        #expect(await call.event() == "muted ignoring")
        #expect(stage.streams.softVolumes(of: 40) == [0])
        #expect(call.unmanaged.pausedPlayers.map(\.name) == ["ignoring"])
        try await call.session.deactivate()
        #expect(await call.event() == "resumed ignoring")
        try await waitUntil("its stream is heard") { stage.streams.softVolumes(of: 40) == [1] }
        #expect(await player.command() == .play)
    }

    @Test func aPlayerIsPausedWhenItsStreamStopsAndNoLongerMuted() async throws {
        let stage = try await UnmanagedStage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("slow", "Playing", on: stage.bus.address, executes: false)
        let call = try await stage.program()
        try await call.session.activate()
        #expect(await call.event() == "muted slow")
        await player.set("Paused")
        await stage.streams.send([.nodeState(ObjectID(40), .idle)])
        #expect(await call.event() == "paused slow")
        try await waitUntil("it is muted no longer") { stage.streams.softVolumes(of: 40) == [1] }
    }

    /// After 2 s the bus gives up the call. The player still receives it.
    @Test func aPlayerThatAnswersLateIsResumedAfterwards() async throws {
        let stage = try await UnmanagedStage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("busy", "Playing", on: stage.bus.address)
        let owner = await player.owner
        let call = try await stage.program()
        let observer = try await FakePlayer("observer", "Stopped", on: stage.bus.address)
        let end = Semaphore()
        await player.hang(until: end)
        try await call.session.activate()
        #expect(await call.event() == "muted busy")
        // This query is sent after the call's own command, so it times out later.
        #expect(await observer.status(of: owner) == nil)
        #expect(call.unmanaged.pausedPlayers.map(\.name) == ["busy"])
        end.signal()
        #expect(await player.command() == .pause)
        await stage.streams.send([.nodeState(ObjectID(40), .idle)])
        #expect(await call.event() == "paused busy")
        try await call.session.deactivate()
        #expect(await call.event() == "resumed busy")
        #expect(await player.command() == .play)
    }

    /// A player that does not answer may be paused, so it must not be resumed.
    @Test func aPlayerThatDoesNotAnswerWhetherItPlaysIsMutedAndReceivesNoCommand() async throws {
        let stage = try await UnmanagedStage()
        await stage.streams.send(FakeStreams.stream(40))
        let player = try await FakePlayer("busy", "Playing", on: stage.bus.address)
        let owner = await player.owner
        let user = try await FakePlayer("user", "Stopped", on: stage.bus.address)
        let call = try await stage.program()
        let end = Semaphore()
        await player.hang(until: end)
        await user.send("Play", to: owner)
        try await call.session.activate()
        #expect(await call.event() == "muted busy")
        #expect(stage.streams.softVolumes(of: 40) == [0])
        end.signal()
        #expect(await player.command() == .play)
        try await call.session.deactivate()
        #expect(await call.event() == "released busy")
        try await waitUntil("its stream is heard") { stage.streams.softVolumes(of: 40) == [1] }
        #expect(player.commands == [.play])
    }
}
