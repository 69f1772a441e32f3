import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import Glibc
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// Streams without a player, exceptions and hosted programs, on a fake machine and a bus of its own. The stream is this
/// process's.
@Suite(.timeLimit(.minutes(10))) struct SilenceTests {
    private struct Stage {
        let bus: PrivateBus
        let system = FakeAudioSystem(graph: AudioGraph())
        let streams = FakeStreams()

        init() async throws {
            bus = try await PrivateBus()
            await streams.send(FakeStreams.stream(40))
        }

        func session(_ configuration: AudioSession.Configuration = .init(.playback)) async throws -> AudioSession {
            try AudioSession(manager: try await system.connect(), configuration: configuration)
        }

        func foreign(
            _ session: AudioSession, _ policy: ForeignAudioPolicy, _ scope: ForeignScope = .allOthers
        ) throws -> ForeignAudio {
            var world = ForeignAudio.World(
                address: { [bus] in bus.address },
                processes: { [StreamProcess(id: Int(getpid()), isVerified: true)] })
            world.connect = { [streams] executor, receive, _ in streams.connect(executor, receive) }
            return try ForeignAudio(session, policy, scope, in: world)
        }
    }

    @Test func aStreamWithoutAPlayerIsMutedUntilTheTurnEnds() async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        let foreign = try stage.foreign(session, .silence)
        try await session.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await session.deactivate()
        #expect(await foreign.waitUntilRestored())
        #expect(stage.streams.softVolumes(of: 40) == [1])
    }

    @Test func aDuckedStreamIsAsBeforeWhenThatIsSaid() async throws {
        let stage = try await Stage()
        let session = try await stage.session(.init(.playback, options: .duckOthers))
        let foreign = try stage.foreign(session, .duck)
        #expect(await foreign.waitUntilRestored(), "nothing is ducked")
        try await session.activate()
        try await waitUntil("it is ducked") { stage.streams.softVolumes(of: 40) == [0.2] }
        #expect(await !foreign.waitUntilRestored(within: .milliseconds(20)), "the session is active")
        try await session.deactivate()
        #expect(await foreign.waitUntilRestored())
        #expect(stage.streams.softVolumes(of: 40) == [1])
        await foreign.close()
        #expect(await foreign.waitUntilRestored())
    }

    @Test(arguments: [ForeignAudioPolicy.silence, .duck]) func thisProcessMayBeAnException(policy: ForeignAudioPolicy)
        async throws
    {
        let stage = try await Stage()
        let player = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let session = try await stage.session(.init(.playback, options: .duckOthers))
        let exceptions = ForeignAudioExceptions(processes: [Int(getpid())])
        let foreign = try stage.foreign(session, policy, .others(except: exceptions))
        let other = try await stage.session(.init(.playback, options: .duckOthers))
        let second = try stage.foreign(other, policy)
        try await session.activate()
        try await other.activate()
        // What the second does comes after what the first would have done.
        try await waitUntil("the second silences it") {
            stage.streams.softVolumes(of: 40) != nil || policy == .silence
        }
        if policy == .silence { #expect(await player.command() == .pause) }
        #expect(foreign.pausedPlayers == [] && foreign.duckedStreams == [])
        await second.close()
    }

    @Test func aHostedProgramFollowsItsSession() async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        let hosted = try stage.foreign(session, .silence, .hosted(process: Int(getpid())))
        try await session.activate()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await call.deactivate()
        try await waitUntil("it is heard") { stage.streams.softVolumes(of: 40) == [1] }
        try await session.activate()
        let prompt = try await stage.session(.init(.playback, options: .duckOthers))
        try await prompt.activate()
        try await waitUntil("it is ducked") { stage.streams.softVolumes(of: 40) == [0.2] }
        await hosted.close()
    }
}
