import AudioSessionCore
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// The numbers of a session's sound, on a fake computer without PipeWire.
@Suite struct NumbersTests {
    private struct Scene {
        let system: FakeAudioSystem
        let manager: AudioSessionManager
        let session: AudioSession
        private let received = Locked<[AudioSession.Event]>([])
        private let observation: EventObservation

        init(_ configuration: AudioSession.Configuration = .init(.playback)) async throws {
            system = try FakeLaptop.system(with: .headset)
            manager = try await system.connect(.init(applicationName: "Music"))
            session = try AudioSession(manager: manager, configuration: configuration)
            observation = session.observe { [received] event in
                if !event.isSilenceChange { received.withLock { $0.append(event.timeless) } }
            }
        }

        static let nextMetadata = ObjectID(901)

        /// Restarts the session manager that owns this metadata.
        func restartSessionManager(over metadata: ObjectID) {
            system.send(.disappeared(metadata))
            system.send(
                .metadataAppeared(Self.nextMetadata, [.metadataName: "default", .clientID: "900"]),
                .defaultChanged(.output, FakeLaptop.headsetSink))
        }

        /// The events with numbers since the last call.
        func take() -> [AudioSession.Event] {
            received.withLock { received in
                defer { received = [] }
                return received.filter { event in
                    switch event {
                    case .outputVolumeChanged, .inputGainChanged, .hardwareFormatChanged: true
                    default: false
                    }
                }
            }
        }
    }

    private static let microphone = Node(
        id: ObjectID(70), properties: [.nodeName: "mic", .mediaClass: "Audio/Source", .audioPosition: "[ MONO ]"])

    private func plugMicrophone(_ scene: Scene) {
        scene.system.send(
            .nodeProperties(Self.microphone.id, Self.microphone.properties),
            .defaultChanged(.input, "mic"))
    }

    @Test func theVolumeIsThatOfTheOutputInUse() async throws {
        let scene = try await Scene()
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        // The session reads it without an earlier call.
        #expect(scene.session.outputVolume == 0.5 && scene.manager.outputVolume == 0.5)
        try await scene.session.activate()
        #expect(scene.take().isEmpty, "the first known values are no change")
        scene.system.setVolume(0.25, node: FakeLaptop.headsetSink)
        #expect(scene.take() == [.outputVolumeChanged(previous: .init(level: 0.5), current: .init(level: 0.25))])
        #expect(scene.session.outputVolume == 0.25)
        scene.system.setVolume(0.25, node: FakeLaptop.headsetSink)
        scene.system.setVolume(1, node: FakeLaptop.sink)
        #expect(scene.take().isEmpty, "the route is unchanged")
    }

    @Test func aMuteIsNotifiedAndKeepsTheVolume() async throws {
        let scene = try await Scene()
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        try await scene.session.activate()
        scene.system.setMuted(true, node: FakeLaptop.headsetSink)
        #expect(
            scene.take() == [
                .outputVolumeChanged(previous: .init(level: 0.5), current: .init(level: 0.5, isMuted: true))
            ])
        #expect(scene.session.outputVolume == 0.5 && scene.session.isOutputMuted)
        #expect(scene.manager.isOutputMuted)
    }

    @Test func anotherOutputHasAVolumeOfItsOwn() async throws {
        let scene = try await Scene()
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        scene.system.setVolume(0.25, node: FakeLaptop.sink)
        try await scene.session.activate()
        scene.system.remove(device: FakeLaptop.headset)
        #expect(scene.take() == [.outputVolumeChanged(previous: .init(level: 0.5), current: .init(level: 0.25))])
        #expect(scene.session.outputVolume == 0.25 && scene.session.outputNumberOfChannels == 2)
    }

    @Test func aPreferredOutputsVolumeIsTheSessions() async throws {
        let scene = try await Scene()
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        scene.system.setVolume(0.25, node: FakeLaptop.sink)
        let speaker = try #require(scene.manager.availableOutputs.first { $0.type == .builtInSpeaker })
        try await scene.session.setPreferredOutput(speaker)
        #expect(scene.session.outputVolume == 0.25)
        #expect(scene.manager.outputVolume == 0.5)
    }

    @Test func preferencesAndTheirResultsAreReadBack() async throws {
        let scene = try await Scene()
        #expect(scene.session.sampleRate == 48000)
        #expect(scene.session.ioBufferDuration == .nanoseconds(21_333_333))
        let before = scene.session.hardwareFormat
        try await scene.session.setPreferredIOBufferDuration(.milliseconds(5))
        #expect(scene.session.preferredIOBufferDuration == .milliseconds(5))
        #expect(scene.session.ioBufferDuration == .nanoseconds(128 * 1_000_000_000 / 48_000))
        #expect(scene.take() == [.hardwareFormatChanged(previous: before, current: scene.session.hardwareFormat)])
        try await scene.session.setPreferredSampleRate(44100)
        #expect(scene.session.preferredSampleRate == 44100)
        #expect(scene.session.sampleRate == 48000, "settings do not allow it")
        #expect(scene.take().isEmpty)
        try await scene.session.setPreferredIOBufferDuration(nil)
        #expect(scene.session.hardwareFormat == before)
    }

    @Test func allSessionsShareTheClock() async throws {
        let scene = try await Scene()
        try await scene.session.activate()
        let before = scene.session.hardwareFormat
        scene.system.forceClock(rate: 44100, quantum: 441)
        #expect(scene.session.sampleRate == 44100 && scene.session.ioBufferDuration == .milliseconds(10))
        #expect(scene.take() == [.hardwareFormatChanged(previous: before, current: scene.session.hardwareFormat)])
        scene.system.forceClock()
        #expect(scene.session.hardwareFormat == before)
    }

    /// New numbers are notified before the route that they belong to.
    @Test func theFormatIsNotifiedBeforeTheRoute() async throws {
        let scene = try await Scene(.init(.playAndRecord))
        try await scene.session.activate()
        let order = Locked<[String]>([])
        let observation = scene.session.observe { [session = scene.session] event in
            switch event {
            case .hardwareFormatChanged(_, let current, _):
                order.withLock { $0.append("format \(current.inputNumberOfChannels)") }
                #expect(session.hardwareFormat == current)
            case .routeChanged(let change): order.withLock { $0.append("route \(change.current.inputs.count)") }
            default: break
            }
        }
        defer { _ = observation }
        plugMicrophone(scene)
        scene.system.advance(by: .seconds(2))
        #expect(order.withLock(\.self) == ["format 1", "route 1"])
    }

    @Test func channelsAreBoundedByTheRoute() async throws {
        let scene = try await Scene(.init(.playAndRecord))
        let missing = await #expect(throws: AudioSessionError.self, "there is no input") {
            try await scene.session.setPreferredInputNumberOfChannels(1)
        }
        #expect(missing?.code == .badParam)
        plugMicrophone(scene)
        #expect(scene.session.maximumInputNumberOfChannels == 1)
        try await scene.session.setPreferredInputNumberOfChannels(1)
        let surplus = await #expect(throws: AudioSessionError.self) {
            try await scene.session.setPreferredInputNumberOfChannels(2)
        }
        #expect(surplus?.code == .badParam)
        #expect(scene.session.preferredInputNumberOfChannels == 1)
        try await scene.session.setPreferredOutputNumberOfChannels(1)
        #expect(scene.session.outputNumberOfChannels == 1 && scene.session.maximumOutputNumberOfChannels == 2)
        let music = try AudioSession(manager: scene.manager, configuration: .init(.playback))
        await #expect {
            try await music.setPreferredInputNumberOfChannels(1)
        } throws: {
            ($0 as? AudioSessionError)?.code == .incompatibleCategory
        }
    }

    @Test func theGainIsTheUsersAndCanBeSet() async throws {
        let scene = try await Scene(.init(.record))
        plugMicrophone(scene)
        try await scene.session.activate()
        #expect(!scene.session.isInputGainSettable && scene.session.inputGain == 1)
        await #expect {
            try await scene.session.setInputGain(0.5)
        } throws: {
            ($0 as? AudioSessionError)?.code == .resourceNotAvailable
        }
        scene.system.setVolume(1, node: "mic")
        #expect(scene.session.isInputGainSettable)
        _ = scene.take()
        try await scene.session.setInputGain(0.5)
        #expect(scene.session.inputGain == 0.5)
        #expect(scene.take() == [.inputGainChanged(previous: 1, current: 0.5)])
        try await scene.session.setInputGain(7)
        #expect(scene.session.inputGain == 1)
        let wrong = await #expect(throws: AudioSessionError.self) { try await scene.session.setInputGain(.nan) }
        #expect(wrong?.code == .badParam)
        let music = try AudioSession(manager: scene.manager, configuration: .init(.playback))
        await #expect {
            try await music.setInputGain(1)
        } throws: {
            ($0 as? AudioSessionError)?.code == .incompatibleCategory
        }
        scene.system.fail()
        #expect(scene.session.isInputGainSettable, "snapshots keep their values")
        await #expect {
            try await scene.session.setInputGain(0.5)
        } throws: {
            ($0 as? AudioSessionError)?.code == .mediaServicesFailed
        }
    }

    @Test func volumesThatASessionManagerRestoresAreNotNotified() async throws {
        let scene = try await Scene()
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        try await scene.session.activate()
        _ = scene.take()
        scene.restartSessionManager(over: FakeConnection.metadata)
        scene.system.setVolume(1, node: FakeLaptop.headsetSink)
        #expect(scene.session.outputVolume == 0.5 && scene.manager.outputVolume == 0.5)
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        scene.system.advance(by: .seconds(1))
        #expect(scene.take().isEmpty)
        scene.restartSessionManager(over: Scene.nextMetadata)
        scene.system.setVolume(0.25, node: FakeLaptop.headsetSink)
        scene.system.advance(by: .seconds(1))
        #expect(scene.take() == [.outputVolumeChanged(previous: .init(level: 0.5), current: .init(level: 0.25))])
    }

    @Test func theFormatOfAnInputThatASessionManagerRestoresIsNotifiedAfterASecond() async throws {
        let scene = try await Scene()
        let properties: Properties = [
            .nodeName: "line-in", .mediaClass: "Audio/Source", .audioPosition: "[ FL, FR ]",
        ]
        scene.system.send(.nodeProperties(ObjectID(71), properties), .defaultChanged(.input, "line-in"))
        try await scene.session.activate()
        #expect(scene.session.inputNumberOfChannels == 2)
        _ = scene.take()
        scene.restartSessionManager(over: FakeConnection.metadata)
        plugMicrophone(scene)
        #expect(scene.take().isEmpty)
        scene.system.advance(by: .seconds(1))
        let channels = scene.take().map { event -> Int? in
            if case .hardwareFormatChanged(_, let format, _) = event { format.inputNumberOfChannels } else { nil }
        }
        #expect(channels == [1])
    }

    @Test func theVolumeOfAComputerWithoutAnOutputIsZero() async throws {
        let manager = try await FakeAudioSystem(graph: AudioGraph()).connect(.init(applicationName: "Music"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        #expect(session.outputVolume == 0 && !session.isOutputMuted)
        await session.close()
        await manager.close()
    }

    @Test func numbersAreKeptWhilePipeWireIsAway() async throws {
        let scene = try await Scene()
        scene.system.setVolume(0.5, node: FakeLaptop.headsetSink)
        try await scene.session.setPreferredIOBufferDuration(.milliseconds(5))
        _ = scene.take()
        scene.system.fail()
        #expect(scene.session.outputVolume == 0.5)
        scene.system.restart()
        #expect(scene.session.outputVolume == 0.5)
        #expect(scene.session.ioBufferDuration == .nanoseconds(128 * 1_000_000_000 / 48_000))
        #expect(scene.take().isEmpty, "all is as it was")
        await scene.session.close()
        let late = await #expect(throws: AudioSessionError.self) {
            try await scene.session.setPreferredSampleRate(48000)
        }
        #expect(late?.code == .expiredSession)
    }
}
