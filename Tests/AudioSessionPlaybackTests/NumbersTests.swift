import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// The numbers of a session while its players and recorders run.
@Suite struct NumbersTests {
    private func playing() async throws -> (stage: PlayerStage, scratch: Scratch) {
        let (stage, scratch) = (try await PlayerStage(), try Scratch())
        try await stage.start([try scratch.sound(counting(0..<48_000), as: "a.wav")])
        return (stage, scratch)
    }

    @Test func timingOfTheRealTimeThreadIsNotified() async throws {
        let (stage, scratch) = try await playing()
        defer { _ = scratch }
        let received = Locked<[AudioSession.Event]>([])
        let observation = stage.session.observe { event in
            if !event.isSilenceChange { received.withLock { $0.append(event.timeless) } }
        }
        defer { _ = observation }
        #expect(stage.session.ioBufferDuration == .nanoseconds(21_333_333))
        // Another program's stream runs, with a shorter cycle for all.
        stage.setTiming(quantum: 256, rate: 44100, delay: .milliseconds(80))
        let other = Node(id: ObjectID(200), properties: [.mediaClass: "Stream/Output/Audio"])
        stage.system.send(.nodeProperties(other.id, other.properties))
        #expect(received.withLock(\.self).isEmpty, "the cycle that runs may still be the old one")
        stage.system.advance(by: .milliseconds(400))
        let session = stage.session
        #expect(session.sampleRate == 44100 && session.ioBufferDuration == .nanoseconds(5_804_988))
        #expect(session.outputLatency == .milliseconds(80))
        let changes = received.withLock(\.self).compactMap { event -> HardwareFormat? in
            if case .hardwareFormatChanged(_, let current, _) = event { current } else { nil }
        }
        #expect(changes == [session.hardwareFormat])
        // Without a stream the numbers are what the settings would grant.
        await stage.player.pause()
        #expect(session.sampleRate == 48000)
        await stage.player.close()
    }

    @Test func streamsOfTheSessionCarryItsPreferences() async throws {
        let stage = try await PlayerStage()
        let scratch = try Scratch()
        try await stage.session.setPreferredIOBufferDuration(.milliseconds(10))
        try await stage.start([try scratch.sound(counting(0..<48_000), as: "a.wav")])
        #expect(stage.properties()["node.latency"] == "480/48000")
        #expect(stage.properties()["node.rate"] == nil)
        // A running stream is updated.
        try await stage.session.setPreferredSampleRate(44100)
        #expect(stage.properties()["node.latency"] == "441/44100")
        #expect(stage.properties()["node.rate"] == "1/44100")
        try await stage.session.setPreferredSampleRate(nil)
        try await stage.session.setPreferredIOBufferDuration(nil)
        #expect(stage.properties()["node.latency"] == "1024/48000")
        #expect(stage.properties()["node.rate"] == "1/48000")
        await stage.player.close()
    }

    @Test func aNewStreamRequestsItsLatencyByTheClockOfTheGraph() async throws {
        let stage = try await PlayerStage()
        let scratch = try Scratch()
        var clock = ClockSettings()
        clock.rate = 44100
        stage.system.send(.clockChanged(clock))
        try await stage.session.setPreferredIOBufferDuration(.milliseconds(10))
        try await stage.start([try scratch.sound(counting(0..<48_000), as: "a.wav")])
        #expect(stage.properties()["node.latency"] == "441/44100")
        await stage.player.close()
    }

    @Test func theVolumeIsThatOfTheLinkedOutput() async throws {
        let (stage, scratch) = try await playing()
        defer { _ = scratch }
        stage.system.setVolume(0.5, node: FakeLaptop.sink)
        #expect(stage.session.outputVolume == 0.5)
        let node = try #require(stage.node)
        let other = Node(id: ObjectID(300), properties: [.nodeName: "other", .mediaClass: "Audio/Sink"])
        stage.system.send(
            .nodeProperties(other.id, other.properties), .nodeVolumes(other.id, [0.001]),
            .disappeared(ObjectID(node.rawValue + 1000)),
            .linkAppeared(Link(id: ObjectID(301), outputNode: node, inputNode: other.id)))
        #expect(abs(stage.session.outputVolume - 0.1) < 1e-6)
        #expect(stage.manager.outputVolume == 0.5)
        await stage.player.close()
    }

    /// A reader of buffers is notified of another microphone's format first, and earlier buffers
    /// stay as they are.
    @Test func anotherMicrophonesFormatPrecedesItsSound() async throws {
        let stage = try await RecorderStage(.init(format: .init(channelCount: 2)))
        let order = Locked<[String]>([])
        let observation = stage.session.observe { event in
            guard case .hardwareFormatChanged(_, let current, _) = event else { return }
            order.withLock { $0.append("\(current.inputNumberOfChannels) channels") }
        }
        let inputs = stage.recorder.observe { event in
            guard case .inputChanged(let port, _) = event else { return }
            order.withLock { $0.append(port.nodeName ?? "?") }
        }
        defer { _ = (observation, inputs) }
        try await stage.recorder.record()
        stage.link()
        order.withLock { $0 = [] }
        let other = Node(
            id: ObjectID(70),
            properties: [.nodeName: "array", .mediaClass: "Audio/Source", .audioPosition: "FL,FR,RL,RR"])
        stage.system.send(
            .nodeProperties(other.id, other.properties),
            .disappeared(ObjectID(1142)),
            .linkAppeared(Link(id: ObjectID(1170), outputNode: other.id, inputNode: ObjectID(100))))
        #expect(order.withLock(\.self) == ["4 channels", "array"])
        #expect(stage.session.inputNumberOfChannels == 4)
        var buffers = stage.recorder.buffers().makeAsyncIterator()
        stage.input.capture(counting(0..<1000, channels: 2))
        await stage.recorder.stop()
        let buffer = try #require(await buffers.next())
        #expect(buffer.channelCount == 2 && buffer.sampleRate == 48000)
        await stage.recorder.close()
    }
}
