import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Testing

/// The behavior of a fake computer that starts in the state of a dump.
@Suite struct FakeAudioSystemTests {
    /// A laptop whose user has chosen a sink of low priority, with two cards that have routes of
    /// the same names.
    private static let computer = #"""
        [ { "id": 30, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "settings" }, "metadata": [
            { "subject": 0, "key": "clock.rate", "value": 44100 } ] },
          { "id": 31, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" }, "metadata": [
            { "subject": 0, "key": "default.configured.audio.sink", "value": { "name": "low" } },
            { "subject": 0, "key": "default.audio.sink", "value": { "name": "low" } } ] },
          { "id": 40, "type": "PipeWire:Interface:Device", "info": {
            "props": { "device.name": "one", "device.api": "alsa", "device.bus": "pci" }, "params": {
              "EnumProfile": [ { "index": 0, "name": "off" }, { "index": 1, "name": "analog" },
                               { "index": 2, "name": "hdmi" } ],
              "Profile": [ { "index": 1, "name": "analog" } ],
              "EnumRoute": [
                { "index": 0, "name": "speaker", "direction": "Output", "priority": 200, "available": "unknown",
                  "info": [1, "port.type", "speaker"], "profiles": [1], "devices": [0] },
                { "index": 1, "name": "headphones", "direction": "Output", "priority": 100, "available": "no",
                  "info": [1, "port.type", "headphones"], "profiles": [1], "devices": [0] },
                { "index": 2, "name": "hdmi-output-0", "direction": "Output", "priority": 50, "available": "yes",
                  "info": [1, "port.type", "hdmi"], "profiles": [2], "devices": [0] } ],
              "Route": [ { "index": 0, "name": "speaker", "direction": "Output", "device": 0,
                           "props": { "mute": true, "channelVolumes": [ 0.125, 0.125 ] } } ] } } },
          { "id": 41, "type": "PipeWire:Interface:Node", "info": {
            "props": { "node.name": "low", "media.class": "Audio/Sink", "device.id": 40, "card.profile.device": 0,
                       "priority.session": 100 },
            "params": { "Props": [ { "mute": true, "channelVolumes": [ 1, 1 ] } ] } } },
          { "id": 50, "type": "PipeWire:Interface:Device", "info": {
            "props": { "device.name": "two", "device.api": "alsa", "device.bus": "usb" }, "params": {
              "Profile": [ { "index": 1, "name": "stereo" } ],
              "EnumRoute": [
                { "index": 0, "name": "speaker", "direction": "Output", "priority": 200, "available": "unknown",
                  "info": [1, "port.type", "speaker"], "profiles": [1], "devices": [0] },
                { "index": 1, "name": "headphones", "direction": "Output", "priority": 100, "available": "yes",
                  "info": [1, "port.type", "headphones"], "profiles": [1], "devices": [0] } ],
              "Route": [ { "index": 0, "name": "speaker", "direction": "Output", "device": 0 } ] } } },
          { "id": 51, "type": "PipeWire:Interface:Node", "info": { "props": {
            "node.name": "high", "media.class": "Audio/Sink", "device.id": 50, "card.profile.device": 0,
            "priority.session": 2000 } } },
          { "id": 60, "type": "PipeWire:Interface:Node", "info": { "state": "running", "props": {
            "node.name": "browser", "media.class": "Stream/Output/Audio" } } } ]
        """#

    private func makeSystem() throws -> FakeAudioSystem {
        FakeAudioSystem(try PipeWireDump(json: Self.computer.utf8))
    }

    private func active(_ manager: AudioSessionManager, _ device: String) async -> String? {
        await manager.graph.device(named: device)?.activeRoutes.first?.name
    }

    @Test func theUsersDefaultOutlivesAnotherCardsJack() async throws {
        let system = try makeSystem()
        let manager = try await system.connect()
        #expect(manager.currentRoute.outputs.map(\.nodeName) == ["low"])
        system.setAvailable(false, route: "headphones", device: "two")
        #expect(manager.currentRoute.outputs.map(\.nodeName) == ["low"])
        system.remove(device: "one")
        #expect(manager.currentRoute.outputs.map(\.nodeName) == ["high"])
        system.restore(device: "one")
        system.advance(by: .seconds(5))
        #expect(manager.currentRoute.outputs.map(\.nodeName) == ["low"])
        await manager.close()
    }

    @Test func volumeClockAndOtherAudioAreThoseOfTheDump() async throws {
        let system = try makeSystem()
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.ambient))
        try await session.activate()
        #expect(manager.outputVolume == 0.5 && manager.isOutputMuted)
        #expect(session.sampleRate == 44100)
        #expect(session.isOtherAudioPlaying)
        await manager.close()
    }

    @Test func theMuteOfACardBelongsToItsRoute() async throws {
        let system = try makeSystem()
        let manager = try await system.connect()
        system.setMuted(false, node: "low")
        #expect(!manager.isOutputMuted, "neither the route nor the node is muted")
        system.setMuted(true, node: "low")
        #expect(manager.isOutputMuted)
        let graph = await manager.graph
        #expect(graph.device(named: "one")?.activeRoutes.map(\.isMuted) == [true])
        #expect(graph.mutedNodes.isEmpty)
        await manager.close()
    }

    @Test func aRouteThatBecomesActiveAgainHasItsVolumeAndMute() async throws {
        let system = try FakeLaptop.system()
        let manager = try await system.connect()
        system.setVolume(0.5, node: FakeLaptop.sink)
        system.setMuted(true, node: FakeLaptop.sink)
        system.setAvailable(true, route: FakeLaptop.headphones)
        system.setVolume(0.25, node: FakeLaptop.sink)
        system.advance(by: .seconds(1))
        #expect(manager.outputVolume == 0.25 && !manager.isOutputMuted)
        system.setAvailable(false, route: FakeLaptop.headphones)
        system.advance(by: .seconds(1))
        #expect(manager.outputVolume == 0.5 && manager.isOutputMuted)
        system.setAvailable(true, route: FakeLaptop.headphones)
        system.advance(by: .seconds(1))
        #expect(manager.outputVolume == 0.25 && !manager.isOutputMuted)
        await manager.close()
    }

    @Test func aRouteThatIsActivatedTwiceKeepsItsVolumeAndMute() async throws {
        let system = try FakeLaptop.system()
        let manager = try await system.connect()
        system.setAvailable(true, route: FakeLaptop.headphones)
        system.setVolume(0.5, node: FakeLaptop.sink)
        system.setMuted(true, node: FakeLaptop.sink)
        system.setActive(route: FakeLaptop.headphones)
        system.advance(by: .seconds(1))
        #expect(manager.outputVolume == 0.5 && manager.isOutputMuted)
        await manager.close()
    }

    /// The mixer of a node without a card's route is muted before a program connects.
    @Test func aMuteOfANodeIsReceivedByLaterPrograms() async throws {
        let system = try FakeLaptop.system(with: .headset)
        system.setMuted(true, node: FakeLaptop.headsetSink)
        let manager = try await system.connect()
        system.setVolume(0.5, node: FakeLaptop.headsetSink)
        #expect(manager.isOutputMuted)
        await manager.close()
    }

    @Test func aJackChangesTheRoutesOfItsOwnCardOnly() async throws {
        let system = try makeSystem()
        let manager = try await system.connect()
        system.setAvailable(true, route: "headphones", device: "one")
        #expect(await active(manager, "one") == "headphones")
        #expect(await active(manager, "two") == "speaker", "chosen by the user, although headphones are plugged")
        system.setActive(route: "speaker", device: "one")
        system.setActive(route: "headphones", device: "two")
        #expect(await active(manager, "one") == "speaker")
        #expect(await active(manager, "two") == "headphones")
        system.setActive(route: "speaker")
        #expect(await active(manager, "two") == "speaker")
        await manager.close()
    }

    /// A headset has the same number for its node in both profiles. A route without numbers serves
    /// all nodes.
    @Test func onlyRoutesOfTheActiveProfileAreChosen() async throws {
        var graph = AudioGraph()
        let music = DeviceRoute(
            index: 0, direction: .output, name: "music", priority: 9, availability: .yes, profiles: [1], devices: [1])
        let call = DeviceRoute(index: 1, direction: .output, name: "call", availability: .yes, profiles: [2])
        graph.devices[ObjectID(10)] = Device(
            id: ObjectID(10), properties: [.deviceName: "headset"], routes: [music, call],
            activeProfile: DeviceProfile(index: 2, name: "headset-head-unit"))
        graph.nodes[ObjectID(11)] = Node(
            id: ObjectID(11),
            properties: [.nodeName: "ears", .mediaClass: "Audio/Sink", .deviceID: "10", .cardProfileDevice: "1"])
        let system = FakeAudioSystem(graph: graph)
        let manager = try await system.connect()
        system.setAvailable(true, route: "call")
        #expect(await active(manager, "headset") == "call")
        await manager.close()
    }

    @Test func aCardKeepsItsProfileAndItsOutputs() async throws {
        let system = try makeSystem()
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let screen = try #require(manager.availableOutputs.first { $0.type == .hdmi })
        try await session.setPreferredOutput(screen)
        try await session.activate()
        system.advance(by: .seconds(10))
        #expect(manager.availableOutputs.contains { $0.uid == screen.uid })
        #expect(await manager.graph.device(named: "one")?.activeProfile?.name == "analog")
        #expect(manager.currentRoute.outputs.map(\.nodeName) == ["low"])
        await manager.close()
    }

    @Test func aRestartDropsForcedClockAndSilentMode() async throws {
        let system = try makeSystem()
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        system.forceClock(rate: 96000)
        system.setSilentMode(true)
        #expect(session.sampleRate == 96000 && manager.isSilentMode)
        system.fail()
        system.restart()
        system.advance(by: .seconds(5))
        #expect(session.sampleRate == 44100 && !manager.isSilentMode)
        await manager.close()
    }

    @Test func aRestartHasNoEffectWhilePipeWireRuns() async throws {
        let system = try makeSystem()
        let first = try await system.connect()
        system.setSilentMode(true)
        system.restart()
        let second = try await system.connect()
        #expect(first.isSilentMode && second.isSilentMode)
        await first.close()
        await second.close()
    }

    @Test func devicesWithoutNumbersAreRemovedSeparately() async throws {
        let objects = ["a", "b"].map {
            #"""
            { "type": "Device", "info": { "props": { "device.name": "alsa_card.\#($0)", "device.bus": "usb" } } },
            { "type": "Node", "info": { "props": {
              "node.name": "alsa_output.\#($0).stereo", "media.class": "Audio/Sink" } } }
            """#
        }
        let system = FakeAudioSystem(try PipeWireDump(json: "[\(objects.joined(separator: ","))]".utf8))
        let manager = try await system.connect()
        system.setDefault(.output, node: "alsa_output.b.stereo")
        #expect(manager.availableOutputs.count == 2)
        system.remove(device: "alsa_card.a")
        #expect(manager.availableOutputs.map(\.nodeName) == ["alsa_output.b.stereo"])
        #expect(manager.currentRoute.outputs.map(\.nodeName) == ["alsa_output.b.stereo"])
        await manager.close()
    }

    /// The first podcast answers the end of the prompt with a token, which the second one receives
    /// after that end.
    @Test func allProgramsReceiveTheEndOfAPromptBeforeTheAnswersOfOthers() async throws {
        let system = try FakeLaptop.system()
        func session(_ name: String, _ configuration: AudioSession.Configuration) async throws -> AudioSession {
            try AudioSession(
                manager: await system.connect(.init(applicationName: name)), configuration: configuration)
        }
        let podcasts = [
            try await session("First", .init(.playback, mode: .spokenAudio)),
            try await session("Second", .init(.playback, mode: .spokenAudio, options: .mixWithOthers)),
        ]
        let prompt = try await session("Prompt", .init(.playback, options: .interruptSpokenAudioAndMixWithOthers))
        for podcast in podcasts { try await podcast.activate() }
        try await prompt.activate()
        #expect(podcasts.map { $0.state } == [.interrupted, .interrupted])
        try await prompt.deactivate()
        #expect(podcasts.map { $0.silenceReasons } == [[.advised], [.advised]])
        for session in podcasts + [prompt] { await session.manager.close() }
    }

    @Test func aClosedManagerEndsItsSessionsLikeAKill() async throws {
        let system = try FakeLaptop.system()
        let music = try AudioSession(manager: await system.connect(), configuration: .init(.playback))
        let cases: [(AudioSession.Configuration, AudioSession.SilenceReason)] = [
            (.init(.playback), .inactive), (.init(.playAndRecord, mode: .voiceChat), .advised),
        ]
        for (configuration, silence) in cases {
            let other = try await system.connect()
            let session = try AudioSession(manager: other, configuration: configuration)
            try await music.activate()
            try await session.activate()
            #expect(music.state == .interrupted)
            await other.close()
            #expect(music.silenceReasons == [silence])
        }
        await music.manager.close()
    }

    @Test func aClosedManagerLeavesNoClient() async throws {
        let system = try FakeLaptop.system()
        func names(_ manager: AudioSessionManager) async -> [String] {
            await manager.graph.clients.values.compactMap(\.applicationName).sorted()
        }
        let first = try await system.connect(.init(applicationName: "First"))
        let second = try await system.connect(.init(applicationName: "Second"))
        #expect(await names(first) == ["First", "Second"])
        await second.close()
        #expect(await names(first) == ["First"])
        let third = try await system.connect(.init(applicationName: "Third"))
        #expect(await names(third) == ["First", "Third"])
        await first.close()
        await third.close()
    }

    @Test func anUnknownNameEndsTheProcessWithTheKnownOnes() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let system = try FakeLaptop.system()
            system.setAvailable(true, route: "analog-output-hedphones")
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("“analog-output-hedphones”") && message.contains(FakeLaptop.headphones))
    }

    @Test func timeThatGoesBackEndsTheProcess() async throws {
        let advance = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try FakeLaptop.system().advance(by: .seconds(-1))
        }
        let sleep = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try FakeLaptop.system().sleep(for: .seconds(-1))
        }
        for result in [advance, sleep] {
            let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(message.contains("Time cannot pass by -1"))
        }
    }

    @Test func timeThatPassesInATimerIsKept() {
        let clock = ManualClock(executor: InlineExecutor())
        let start = clock.now
        let timer = clock.makeTimer { clock.advance(by: .seconds(9)) }
        timer.arm(after: .seconds(1))
        clock.advance(by: .seconds(2))
        #expect(clock.now == start + .seconds(10))
        withExtendedLifetime(timer) {}
    }

    @Test func timersOfOneDeadlineFireInTheOrderOfArming() {
        let clock = ManualClock(executor: InlineExecutor())
        let fired = Locked<[Int]>([])
        let timers = (0..<32).map { number in clock.makeTimer { fired.withLock { $0.append(number) } } }
        for timer in timers { timer.arm(after: .seconds(1)) }
        timers[0].arm(after: .seconds(1))
        clock.advance(by: .seconds(2))
        #expect(fired.withLock(\.self) == Array(1..<32) + [0])
    }
}
