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

/// Streams without a player, exceptions and hosted programs, on a fake computer and a private bus.
/// The stream belongs to this process.
@Suite(.timeLimit(.minutes(10))) struct SilenceTests {
    private struct Stage {
        let bus: PrivateBus
        let system: FakeAudioSystem
        let streams = FakeStreams()
        /// Whether the streams of this process run, as the manager reports it.
        var isRunning = true
        var sandboxFile: (@Sendable (Int) -> String)?

        init(_ system: FakeAudioSystem = FakeAudioSystem(graph: AudioGraph())) async throws {
            self.system = system
            bus = try await PrivateBus()
            await streams.send(FakeStreams.stream(40))
        }

        func session(_ configuration: AudioSession.Configuration = .init(.playback)) async throws -> AudioSession {
            try AudioSession(manager: try await system.connect(), configuration: configuration)
        }

        func unmanaged(
            _ session: AudioSession, _ policy: AudioSession.Configuration.UnmanagedAudioPolicy? = nil,
            _ scope: UnmanagedScope = .allOthers
        ) async throws -> UnmanagedAudio {
            try await session.change { $0.unmanagedAudioPolicy = policy }
            var environment = UnmanagedAudio.Environment(
                address: { [bus] in bus.address },
                programs: { [isRunning] in
                    let process = StreamProcess(id: Int(getpid()), isVerified: true)
                    return PlayingPrograms(processes: [process: .init(isRunning: isRunning)])
                })
            environment.repetition = nil
            environment.returnLimit = .seconds(600)
            environment.connect = { [streams] executor, receive, _ in streams.connect(executor, receive) }
            if let sandboxFile { environment.sandboxFile = sandboxFile }
            return try UnmanagedAudio(session, scope, in: environment)
        }

        /// Keeps the thread of an object busy until the semaphore is signaled. One event of the
        /// session waits for the thread, and later ones wait in the buffer.
        func occupy(_ unmanaged: UnmanagedAudio) async throws -> PipeWireGraph.Semaphore {
            let (isBusy, end) = (Locked(false), PipeWireGraph.Semaphore())
            Task { await unmanaged.wait(for: end, isBusy) }
            try await waitUntil("its thread is busy") { isBusy.withLock(\.self) }
            system.setVolume(0.9, node: FakeLaptop.headsetSink)
            return end
        }

        /// Causes more events of a session than its listener's buffer holds.
        func fillBuffer() {
            for number in 1...300 { system.setVolume(Float(number) / 512, node: FakeLaptop.headsetSink) }
        }
    }

    @Test func aStreamWithoutAPlayerIsMutedUntilTheDeactivation() async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        let unmanaged = try await stage.unmanaged(session, .silence)
        try await session.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await session.deactivate()
        #expect(await unmanaged.waitUntilRestored(within: .seconds(300)))
        #expect(stage.streams.softVolumes(of: 40) == [1])
    }

    /// Any program can change the volume of the output at any rate, and so fill the buffer of the
    /// session's events.
    @Test func aStateWhoseEventIsDroppedIsFollowed() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headset))
        let session = try await stage.session()
        let unmanaged = try await stage.unmanaged(session, .silence)
        try await session.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await session.deactivate()
        #expect(await unmanaged.waitUntilRestored(within: .seconds(300)))
        let end = try await stage.occupy(unmanaged)
        defer { end.signal() }
        try await session.activate()
        stage.fillBuffer()
        end.signal()
        try await waitUntil("it is muted again") { stage.streams.softVolumes(of: 40) == [0] }
        await unmanaged.close()
    }

    /// The session may soon be active again, so that nothing is heard until then.
    @Test(arguments: [false, true]) func aClaimWhoseEventsAreDroppedIsFollowed(isFilledFirst: Bool) async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headset))
        let session = try await stage.session()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        let unmanaged = try await stage.unmanaged(session, .silence)
        try await session.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        let end = try await stage.occupy(unmanaged)
        defer { end.signal() }
        if isFilledFirst { stage.fillBuffer() }
        try await call.activate()
        try await call.deactivate()
        if !isFilledFirst { stage.fillBuffer() }
        end.signal()
        try await waitUntil("the end of the interruption") { await unmanaged.sessionState == .inactive }
        try await session.activate()
        try await waitUntil("the activation") { await unmanaged.sessionState == .active }
        #expect(!stage.streams.allSoftVolumes(of: 40).contains([1]))
        await unmanaged.close()
    }

    /// The end of the first interruption was received, and none of the later events.
    @Test func aSecondInterruptionWhoseEventsAreDroppedIsFollowed() async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        let unmanaged = try await stage.unmanaged(session, .silence)
        try await session.activate()
        try await call.activate()
        try await waitUntil("the interruption") { await unmanaged.sessionState == .interrupted }
        await unmanaged.handle(.interruptionEnded(options: .shouldResume, at: .now))
        _ = await unmanaged.catchUp(session.events().makeAsyncIterator().backlog)
        await unmanaged.receive(.timer)
        #expect(await !unmanaged.machine.isIdle, "the session has not returned, and is interrupted")
        await unmanaged.close()
    }

    /// They would undo for a moment what the state requires.
    @Test func bufferedEventsThatAreOlderThanTheStateAreDiscarded() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headset))
        let session = try await stage.session()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        let unmanaged = try await stage.unmanaged(session, .silence)
        try await session.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        let end = try await stage.occupy(unmanaged)
        defer { end.signal() }
        stage.fillBuffer()
        try await session.deactivate()
        try await session.activate()
        end.signal()
        try await call.activate()
        try await waitUntil("a later event") { await unmanaged.sessionState == .interrupted }
        #expect(!stage.streams.allSoftVolumes(of: 40).contains([1]))
        await unmanaged.close()
    }

    /// A program replaces its stream by one of another process at each lookup, so that the program
    /// of one stream is always unknown.
    @Test func aProgramThatReplacesItsStreamsHidesNoOtherStream() async throws {
        let limit = 10_000
        let lookups = Locked(0)
        var stage = try await Stage()
        let streams = stage.streams
        stage.sandboxFile = { _ in
            let number = lookups.withLock { count in
                count += 1
                return count
            }
            guard number < limit, streams.softVolumes(of: 40) != [0] else { return "/nonexistent" }
            let isReplaced = Semaphore()
            Task {
                let (stream, client) = (UInt32(1000 + number), UInt32(100_000 + number))
                let added = FakeStreams.stream(stream, client: client, process: 5_000_000 + number)
                await streams.send(added + [.disappeared(ObjectID(stream - 1)), .disappeared(ObjectID(client - 1))])
                isReplaced.signal()
            }
            isReplaced.wait()
            return "/nonexistent"
        }
        let session = try await stage.session()
        let unmanaged = try await stage.unmanaged(session, .silence)
        try await session.activate()
        try await waitUntil("it is muted") { streams.softVolumes(of: 40) == [0] }
        #expect(lookups.withLock(\.self) < limit)
        await unmanaged.close()
    }

    @Test func aDuckedStreamIsRestoredWhenTheEndIsReported() async throws {
        let stage = try await Stage()
        let session = try await stage.session(.init(.playback, options: .duckOthers))
        let unmanaged = try await stage.unmanaged(session, .duck)
        #expect(await unmanaged.waitUntilRestored(within: .seconds(300)), "nothing is ducked")
        try await session.activate()
        try await waitUntil("it is ducked") { stage.streams.softVolumes(of: 40) == [0.2] }
        let longest = Task { await unmanaged.waitUntilRestored(within: .seconds(Int64.max)) }
        #expect(await !unmanaged.waitUntilRestored(within: .milliseconds(20)), "the session is active")
        try await session.deactivate()
        #expect(await unmanaged.waitUntilRestored(within: .seconds(300)))
        #expect(await longest.value)
        #expect(stage.streams.softVolumes(of: 40) == [1])
        await unmanaged.close()
        #expect(await unmanaged.waitUntilRestored(within: .seconds(300)))
    }

    @Test(arguments: [AudioSession.Configuration.UnmanagedAudioPolicy.silence, .duck])
    func thisProcessMayBeAnException(policy: AudioSession.Configuration.UnmanagedAudioPolicy) async throws {
        let stage = try await Stage()
        let player = try await FakePlayer("browser", "Playing", on: stage.bus.address)
        let session = try await stage.session(.init(.playback, options: .duckOthers))
        let exceptions = UnmanagedAudioExceptions(processes: [Int(getpid())])
        let unmanaged = try await stage.unmanaged(session, policy, .others(except: exceptions))
        let other = try await stage.session(.init(.playback, options: .duckOthers))
        let second = try await stage.unmanaged(other, policy)
        try await session.activate()
        try await other.activate()
        // The events of the second follow those that the first would have caused.
        try await waitUntil("the second silences it") {
            stage.streams.softVolumes(of: 40) != nil || policy == .silence
        }
        if policy == .silence { #expect(await player.command() == .pause) }
        #expect(unmanaged.pausedPlayers == [] && unmanaged.duckedStreams == [])
        await second.close()
    }

    @Test func aHostedProgramFollowsItsSession() async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
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

    /// The program is heard again before its session is active, or is deactivated instead.
    @Test func aHostedProgramIsEndangeredUntilItsSessionsClaimIsOver() async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await call.deactivate()
        try await waitUntil("it is heard") { stage.streams.softVolumes(of: 40) == [1] }
        let endangered = HostedProgramStateMachine.Event.outputEndangered(at: .now)
        await hosted.receiveHosted(endangered)
        #expect(await hosted.host.isEndangered)
        try await session.deactivate()
        try await waitUntil("the claim is over") {
            await hosted.receiveHosted(endangered)
            return await !hosted.host.isEndangered
        }
        await hosted.close()
    }

    /// A program may open and close many of them while its session stays.
    @Test(arguments: [false, true]) func aHostEndsBeforeItsSession(isClosed: Bool) async throws {
        let stage = try await Stage()
        let session = try await stage.session()
        var hosted: UnmanagedAudio? = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        let following = try #require(hosted).following
        let task = try #require(following.withLock { $0 })
        if isClosed { await hosted?.close() } else { hosted = nil }
        await task.value
        await session.close()
    }

    /// The player's stream does not run at that moment, because the session manager has not linked
    /// it to the next output.
    @Test func aPlayerOfAHostedProgramIsPausedForALostOutput() async throws {
        var stage = try await Stage(try FakeLaptop.system(with: .headphones))
        stage.isRunning = false
        let player = try await FakePlayer("mpv", "Playing", on: stage.bus.address)
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        stage.system.setAvailable(false, route: FakeLaptop.headphones)
        #expect(await player.command() == .pause)
        await hosted.close()
    }

    /// The sink of the headset was removed, and its card may show another one.
    @Test func aHostedProgramIsMutedBeforeALossIsCertain() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headset))
        let session = try await stage.session(.init(.playback, options: .mixWithOthers))
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        stage.system.send(.disappeared(ObjectID(51)))
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        #expect(await hosted.host.loss == nil)
        stage.system.advance(by: .seconds(12))
        try await waitUntil("the loss is certain") { await hosted.host.loss != nil }
        #expect(stage.streams.softVolumes(of: 40) == [0])
        await hosted.close()
    }

    /// The session does not know yet that the sink of the headset was removed.
    @Test func aHostedProgramIsMutedInTheCallbackThatRemovesItsOutput() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headset))
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        stage.system.advance(by: .seconds(1))
        try await waitUntil("the host knows its output") { await hosted.host.gateTriggers == [ObjectID(51)] }
        let before = stage.streams.allSoftVolumes(of: 40).count
        await stage.streams.send([.disappeared(ObjectID(51))])
        #expect(stage.streams.allSoftVolumes(of: 40).dropFirst(before).first == [0])
        try await waitUntil("it is heard, as nothing was lost") { stage.streams.softVolumes(of: 40) == [1] }
        #expect(await hosted.host.loss == nil)
        await hosted.close()
    }

    /// Its stream plays to the headphones, and the default is a headset.
    @Test func onlyTheOutputOfItsStreamSilencesAHostedProgram() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: [.headphones, .headset]))
        let link = Link(id: ObjectID(70), outputNode: ObjectID(40), inputNode: ObjectID(41))
        stage.system.send(.linkAppeared(link))
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        stage.system.advance(by: .seconds(1))
        let headphones = try #require(session.currentRoute.outputs.first)
        #expect(headphones.type == .headphones)
        stage.system.remove(device: FakeLaptop.headset)
        stage.system.advance(by: .seconds(1))
        stage.system.setAvailable(false, route: FakeLaptop.headphones)
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await waitUntil("the session knows the loss") { session.silenceReasons.contains(.routeLost) }
        #expect(await hosted.host.loss?.output == headphones.uid)
        await hosted.close()
    }

    @Test func aStreamThatHasStoppedLeavesTheRouteOfOneThatPlays() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headphones))
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        await stage.streams.send(FakeStreams.stream(43))
        try await waitUntil("the session follows both") { await hosted.participant?.reported?.streams.count == 2 }
        await stage.streams.send([.nodeState(ObjectID(43), .idle)])
        try await waitUntil("the session follows the one that plays") { await hosted.follows(40) }
        await hosted.close()
    }

    /// A restarted PipeWire may use the numbers of the streams for other objects.
    @Test func theStreamsOfAHostedProgramAreFollowedAgainAfterARestart() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headphones))
        let session = try await stage.session()
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        stage.system.fail()
        #expect(await hosted.participant?.facts.streams == [])
        stage.system.restart()
        stage.system.advance(by: .seconds(2))
        try await waitUntil("the session follows its stream again") { await hosted.follows(40) }
        stage.system.setAvailable(false, route: FakeLaptop.headphones)
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await waitUntil("the session knows the loss") { session.silenceReasons == [.routeLost] }
        await hosted.close()
        try await waitUntil("its streams leave the session") { session.silenceReasons == [] }
    }

    @Test(arguments: [[], .mixWithOthers] as [AudioSession.Configuration.CategoryOptions])
    func aHostedProgramIsMutedForALostOutput(options: AudioSession.Configuration.CategoryOptions) async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headphones))
        let link = Link(id: ObjectID(70), outputNode: ObjectID(40), inputNode: ObjectID(30))
        await stage.streams.send([.linkAppeared(link)])
        let session = try await stage.session(.init(.playback, options: options))
        let hosted = try await stage.unmanaged(session, .silence, .hosted(process: Int(getppid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await hosted.follows(40) }
        for way in ["return", "volume"] {
            try await waitUntil("the host knows that it plays") { await hosted.host.facts.isRunning }
            stage.system.setAvailable(false, route: FakeLaptop.headphones)
            stage.system.advance(by: .seconds(1))
            // The first sign of the loss mutes it, and what the user changes then does not count.
            try await waitUntil("the host knows the loss") { await hosted.host.loss != nil }
            try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
            if way == "volume" { await stage.streams.send([.nodeVolumes(ObjectID(40), [0.5])]) }
            if way == "return" { stage.system.setAvailable(true, route: FakeLaptop.headphones) }
            stage.system.advance(by: .seconds(1))
            try await waitUntil("it is heard") { stage.streams.softVolumes(of: 40) == [way == "volume" ? 0.5 : 1] }
        }
        await hosted.close()
    }

    /// The program has paused at the loss, and then plays again on the next output.
    @Test func anActivationEndsTheSilenceOfAttachedStreamsAfterALoss() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headphones))
        let session = try await stage.session()
        let attached = try await stage.unmanaged(session, nil, .attached(process: Int(getpid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await attached.follows(40) }
        stage.system.setAvailable(false, route: FakeLaptop.headphones)
        stage.system.advance(by: .seconds(1))
        try await waitUntil("the loss is known") { await attached.host.loss != nil }
        try await waitUntil("it is muted") { stage.streams.softVolumes(of: 40) == [0] }
        try await waitUntil("the session knows the loss") { session.silenceReasons.contains(.routeLost) }
        try await session.activate()
        try await waitUntil("it is heard") { stage.streams.softVolumes(of: 40) == [1] }
        try await waitUntil("the session knows that it is heard") { session.silenceReasons == [] }
        await attached.close()
    }

    @Test func theLossOfTheOutputOfASessionThatMixesSilencesNoAttachedStream() async throws {
        let stage = try await Stage(try FakeLaptop.system(with: .headphones))
        let session = try await stage.session(.init(.playback, options: .mixWithOthers))
        let attached = try await stage.unmanaged(session, nil, .attached(process: Int(getpid())))
        try await session.activate()
        try await waitUntil("the session follows its stream") { await attached.follows(40) }
        stage.system.setAvailable(false, route: FakeLaptop.headphones)
        stage.system.advance(by: .seconds(1))
        // A later event shows that the loss was received.
        let call = try await stage.session(.init(.playAndRecord, mode: .voiceChat))
        try await call.activate()
        try await waitUntil("it is muted for the call") { stage.streams.softVolumes(of: 40) == [0] }
        #expect(stage.streams.allSoftVolumes(of: 40) == [[0]])
        #expect(await attached.host.loss == nil)
        await attached.close()
    }
}

extension UnmanagedAudio {
    /// Keeps its thread busy.
    fileprivate func wait(for end: PipeWireGraph.Semaphore, _ isBusy: Locked<Bool>) {
        isBusy.withLock { $0 = true }
        end.wait()
    }

    /// Whether the session is active for the host, and follows this stream of the hosted program.
    fileprivate func follows(_ stream: UInt32) -> Bool {
        sessionState == .active && participant?.reported?.streams == [ObjectID(stream)]
    }
}
