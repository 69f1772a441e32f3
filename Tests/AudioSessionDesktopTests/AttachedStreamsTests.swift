import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

private struct NoBus: Error {}

/// Streams of this process that other code renders, on a fake computer.
@Suite(.timeLimit(.minutes(10))) struct AttachedStreamsTests {
    private struct Stage {
        let system = FakeAudioSystem(graph: AudioGraph())
        let streams = FakeStreams()
        let isBusSought = Locked(false)
        /// Only one object can attach the streams of this process on one PipeWire.
        private let remote = "/nonexistent/" + String(UInt64.random(in: 0...(.max)), radix: 16)

        /// A stream of other code is 40, one of the library 41, and one of another program 42.
        init() async {
            await streams.send(
                FakeStreams.stream(40) + FakeStreams.stream(41, isOfLibrary: true)
                    + FakeStreams.stream(42, client: 21, process: 1))
        }

        /// Makes a session on the fake PipeWire.
        /// - Parameter prefix: What precedes the remote of the session's manager.
        func session(
            _ configuration: AudioSession.Configuration = .init(.playback), on prefix: String = ""
        ) async throws -> AudioSession {
            let manager = try await system.connect(.init(remote: prefix + remote))
            return try AudioSession(manager: manager, configuration: configuration)
        }

        func attach(to session: AudioSession) throws -> AttachedStreams {
            var environment = UnmanagedAudio.Environment(
                address: { [isBusSought] in
                    isBusSought.withLock { $0 = true }
                    throw NoBus()
                }, programs: { PlayingPrograms() })
            environment.connect = { [streams] executor, receive, _ in streams.connect(executor, receive) }
            return try AttachedStreams(session: session, in: environment)
        }
    }

    @Test func attachedStreamsFollowTheirSession() async throws {
        let stage = await Stage()
        let session = try await stage.session()
        let attached = try stage.attach(to: session)
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
        try await session.deactivate()
        try await waitUntil("it is unchanged") { stage.streams.softVolumes(of: 40) == [1] }
        #expect(stage.streams.softVolumes(of: 41) == nil && stage.streams.softVolumes(of: 42) == nil)
        let isBusSought = stage.isBusSought.withLock(\.self)
        #expect(!isBusSought, "the program pauses its own players")
        await attached.close()
    }

    @Test func streamsMayBeAttachedToAnInterruptedSession() async throws {
        let stage = await Stage()
        let session = try await stage.session()
        try await session.activate()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        let attached = try stage.attach(to: session)
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        await attached.close()
        #expect(stage.streams.softVolumes(of: 40) == [1])
    }

    /// A watchdog would leave the streams to any program that ducks others, and that program would
    /// leave them to the process that has sessions.
    @Test(arguments: [false, true]) func streamsAreRestoredWithoutClosing(isReleased: Bool) async throws {
        let stage = await Stage()
        let session = try await stage.session()
        var attached: AttachedStreams? = try stage.attach(to: session)
        try await session.activate()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        if isReleased { attached = nil } else { await session.close() }
        try await waitUntil("it is heard") { stage.streams.softVolumes(of: 40) == [1] }
        await attached?.close()
    }

    /// Two sessions would write different volumes. The second one names the same socket otherwise.
    @Test(arguments: ["", "/"]) func streamsAreAttachedToOneSessionOnly(prefix: String) async throws {
        let stage = await Stage()
        let (session, other) = (try await stage.session(), try await stage.session(on: prefix))
        let attached = try stage.attach(to: session)
        let error = #expect(throws: AudioSessionError.self) { try stage.attach(to: other) }
        #expect(error?.code == .badParam)
        await attached.close()
        await attached.close()
        let second = try stage.attach(to: other)
        await second.close()
    }
}
