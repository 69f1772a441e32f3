import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// The route of a session without players, on a fake computer without PipeWire.
@Suite struct CurrentRouteTests {
    @Test func aSessionThatOnlyPlaysHasNoInput() async throws {
        let stage = try await Stage(.init(.playback))
        #expect(stage.types == Types([.usbAudio]))
        try await stage.session.setCategory(.record)
        #expect(stage.types == Types([], [.virtual]))
        try await stage.session.setCategory(.playAndRecord)
        #expect(stage.types == Types([.usbAudio], [.virtual]))
        #expect(stage.changes.isEmpty, "it is not active")
        await stage.manager.close()
    }

    @Test func anotherCategoryIsOneChangeOfAnActiveSession() async throws {
        let stage = try await Stage(.init(.playback))
        try await stage.session.activate()
        try await stage.session.setCategory(.playAndRecord)
        #expect(stage.types == Types([.usbAudio], [.virtual]))
        try await stage.session.setCategory(.playAndRecord, mode: .measurement)
        #expect(stage.reasons == [.categoryChange, .categoryChange])
        #expect(stage.changes[0].previous.inputs.isEmpty && !stage.changes[0].current.inputs.isEmpty)
        #expect(stage.changes[1].previous == stage.changes[1].current, "the ports are the same")
        var configuration = stage.session.configuration
        configuration.priority = .alarm
        try await stage.session.configure(configuration)
        #expect(stage.changes.count == 2, "priority is not what the sound is used for")
        await stage.manager.close()
    }

    @Test func anOverrideIsNotifiedAndReadableAtOnce() async throws {
        let stage = try await Stage(.init(.playAndRecord, mode: .voiceChat))
        stage.system.setAvailable(true, route: FakeLaptop.headphones)
        stage.system.remove(device: FakeLaptop.headset)
        try await stage.session.activate()
        stage.system.advance(by: .seconds(5))
        stage.story.clear()
        try await stage.session.overrideOutputAudioPort(.speaker)
        #expect(stage.types.outputs == [.builtInSpeaker])
        stage.system.advance(by: .seconds(5))
        #expect(stage.reasons == [.override])
        #expect(stage.changes.first?.previous.outputs.map(\.type) == [.headphones])
        try await stage.session.deactivate()
        stage.system.advance(by: .seconds(5))
        #expect(stage.reasons == [.override, .override] && stage.types.outputs == [.headphones])
        await stage.manager.close()
    }

    @Test func aRemovedPreferredOutputIsLostAndReturns() async throws {
        let stage = try await Stage(.init(.playback))
        let usb = try #require(stage.manager.availableOutputs.first { $0.type == .usbAudio })
        let speaker = try #require(stage.manager.availableOutputs.first { $0.type == .builtInSpeaker })
        stage.system.setDefault(.output, node: try #require(speaker.nodeName))
        stage.system.advance(by: .seconds(5))
        try await stage.session.activate()
        try await stage.session.setPreferredOutput(usb)
        #expect(stage.types.outputs == [.usbAudio])
        stage.story.clear()
        stage.system.remove(device: FakeLaptop.headset)
        stage.system.advance(by: .seconds(5))
        #expect(stage.losses == [.usbAudio])
        #expect(stage.reasons == [.oldDeviceUnavailable])
        #expect(stage.types.outputs == [.builtInSpeaker])
        stage.system.restore(device: FakeLaptop.headset)
        stage.system.advance(by: .seconds(5))
        #expect(stage.reasons == [.oldDeviceUnavailable, .newDeviceAvailable])
        #expect(stage.types.outputs == [.usbAudio])
        await stage.manager.close()
    }

    @Test func aHandlerOfAChangeReadsItsPortChoice() async throws {
        let stage = try await Stage(.init(.playback))
        let (session, chosen) = (stage.session, EventLog<String>())
        let observation = session.observe { event in
            guard case .routeChanged(let change) = event else { return }
            let choice = session.routeChoice.output
            let isSame = choice?.port?.uid == change.current.outputs.first?.uid
            chosen.append("\(choice?.reason.rawValue ?? "none"), \(isSame ? "the same port" : "another port")")
        }
        let usb = stage.manager.availableOutputs.first { $0.type == .usbAudio }
        try await session.setPreferredOutput(usb)
        stage.system.remove(device: FakeLaptop.headset)
        stage.system.advance(by: .seconds(5))
        stage.system.restore(device: FakeLaptop.headset)
        stage.system.advance(by: .seconds(5))
        #expect(chosen.events == ["preferredMissing, the same port", "preferred, the same port"])
        withExtendedLifetime(observation) {}
        await stage.manager.close()
    }

    @Test func aRestartOfPipeWireKeepsTheRoute() async throws {
        let stage = try await Stage(.init(.playback))
        try await stage.session.activate()
        stage.system.fail()
        #expect(stage.types == Types([.usbAudio]))
        stage.system.restart()
        #expect(stage.types == Types([.usbAudio]))
        #expect(stage.changes.isEmpty)
        stage.system.fail()
        stage.system.remove(device: FakeLaptop.headset)
        stage.system.restart()
        #expect(stage.types == Types([.builtInSpeaker]))
        #expect(stage.reasons == [.unknown])
        await stage.manager.close()
    }

    private struct Types: Equatable {
        var outputs: [PortType]
        var inputs: [PortType]

        init(_ outputs: [PortType], _ inputs: [PortType] = []) { (self.outputs, self.inputs) = (outputs, inputs) }
    }

    private struct Stage {
        let system: FakeAudioSystem
        let manager: AudioSessionManager
        let session: AudioSession
        let story = EventLog<AudioSession.Event>()
        private let observation: EventObservation

        init(_ configuration: AudioSession.Configuration) async throws {
            system = try FakeLaptop.system(with: [.headset, .microphone])
            manager = try await system.connect(.init(applicationName: "Player"))
            session = try AudioSession(manager: manager, configuration: configuration)
            observation = session.observe { [story] in if !$0.isSilenceChange { story.append($0.timeless) } }
        }

        var types: Types {
            let route = session.currentRoute
            return Types(route.outputs.map(\.type), route.inputs.map(\.type))
        }

        var changes: [RouteChange] {
            story.events.compactMap { if case .routeChanged(let change) = $0 { change } else { nil } }
        }
        var reasons: [RouteChangeReason] { changes.map(\.reason) }
        var losses: [PortType] {
            story.events.compactMap { if case .becameNoisy(let port, _) = $0 { port.type } else { nil } }
        }
    }
}
