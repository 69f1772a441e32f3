import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Testing

/// The choices of a program for a session's route, on a fake computer without PipeWire.
@Suite struct SessionRouteChoiceTests {
    @Test func aPreferenceIsReadBackAndExplained() async throws {
        let (_, manager, session) = try await makeSession(.init(.playback))
        #expect(session.routeChoice.output?.reason == .systemDefault && session.routeChoice.input == nil)
        #expect(session.routeChoice.output?.port?.type == .usbAudio)
        let speaker = try #require(manager.availableOutputs.first { $0.type == .builtInSpeaker })
        try await session.setPreferredOutput(speaker)
        #expect(session.preferredOutput == speaker)
        #expect(session.routeChoice.output == PortChoice(port: speaker, reason: .preferred))
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio], "nothing but the session's own")
        try await session.setPreferredOutput(nil)
        #expect(session.preferredOutput == nil && session.routeChoice.output?.reason == .systemDefault)
        await manager.close()
    }

    @Test func aPreferenceSurvivesThePortAndPipeWire() async throws {
        let (system, manager, session) = try await makeSession(.init(.playback))
        let usb = try #require(manager.availableOutputs.first { $0.type == .usbAudio })
        try await session.setPreferredOutput(usb)
        system.remove(device: FakeLaptop.headset)
        #expect(session.routeChoice.output?.reason == .preferredMissing)
        #expect(session.routeChoice.output?.port?.type == .builtInSpeaker)
        #expect(session.routeChoice.output?.wanted == usb && session.preferredOutput == usb)
        system.restore(device: FakeLaptop.headset)
        #expect(session.routeChoice.output?.reason == .preferred)
        system.fail()
        system.restart()
        #expect(session.routeChoice.output?.reason == .preferred && session.preferredOutput == usb)
        await manager.close()
    }

    @Test func theSpeakerOverrideSwitchesTheCardWhileTheSessionIsActive() async throws {
        let (system, manager, session) = try await makeSession(.init(.playAndRecord))
        system.setAvailable(true, route: FakeLaptop.headphones)
        system.remove(device: FakeLaptop.headset)
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones])
        try await session.overrideOutputAudioPort(.speaker)
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones], "it is not active")
        try await session.activate()
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
        #expect(session.routeChoice.output?.reason == .override)
        try await session.deactivate()
        system.advance(by: .seconds(2))
        #expect(session.outputOverride == .none)
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones])
        await manager.close()
    }

    /// A session that ends within milliseconds of its start finds WirePlumber still writing the
    /// volume of its route.
    @Test func theCardIsSwitchedBackThoughTheSessionManagerSelectsTheRouteAgain() async throws {
        let (system, manager, session) = try await makeSession(.init(.playAndRecord))
        system.setAvailable(true, route: FakeLaptop.headphones)
        system.remove(device: FakeLaptop.headset)
        try await session.activate()
        try await session.overrideOutputAudioPort(.speaker)
        try await session.deactivate()
        system.setActive(route: "analog-output-speaker")
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones])
        system.setActive(route: "analog-output-speaker")
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker], "a person's choice stays")
        await manager.close()
    }

    private final class FakeWatchdog: GraphWatchdog {
        let orders = Locked<[[CardRestoreOrder]]>([])

        func restoreAtExit(_ new: [CardRestoreOrder], mark: String) { orders.withLock { $0.append(new) } }
    }

    /// The watchdogs that a manager starts, of which each ends its start when the test calls it.
    private typealias Starts = Locked<[@Sendable ((any GraphWatchdog)?) -> Void]>

    /// A session whose program has chosen the speaker, while the card's watchdog starts.
    private func stageWithWatchdog(
        _ starts: Starts
    ) async throws -> (FakeAudioSystem, AudioSessionManager, AudioSession) {
        let system = try FakeLaptop.system(with: .headset)
        var environment = system.environment
        environment.startWatchdog = { _, started in starts.withLock { $0.append(started) } }
        let manager = try await AudioSessionManager.connect(.init(), in: environment)
        let session = try AudioSession(manager: manager, configuration: .init(.playAndRecord))
        system.setAvailable(true, route: FakeLaptop.headphones)
        system.remove(device: FakeLaptop.headset)
        try await session.activate()
        try await session.overrideOutputAudioPort(.speaker)
        #expect(starts.withLock(\.count) == 1)
        return (system, manager, session)
    }

    /// The program may be killed as soon as the card is switched.
    @Test(arguments: [true, false])
    func theCardIsSwitchedWhenTheStartOfItsWatchdogHasEnded(isStarted: Bool) async throws {
        let starts = Starts([])
        let (system, manager, session) = try await stageWithWatchdog(starts)
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones])
        let watchdog = FakeWatchdog()
        for started in starts.withLock({ $0 }) { started(isStarted ? watchdog : nil) }
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
        let choices = watchdog.orders.withLock { orders in orders.map { $0.map(\.mark.choice) } }
        let expected = isStarted ? [["analog-output-speaker"]] : []
        #expect(choices == expected)
        try await session.deactivate()
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones])
        let last: [CardRestoreOrder]? = isStarted ? [] : nil
        #expect(watchdog.orders.withLock(\.last) == last)
        // The next start is waited for if this one has succeeded.
        try await session.activate()
        try await session.overrideOutputAudioPort(.speaker)
        system.advance(by: .seconds(2))
        #expect(starts.withLock(\.count) == 2)
        #expect(manager.currentRoute.outputs.map(\.type) == [isStarted ? .headphones : .builtInSpeaker])
        await manager.close()
    }

    @Test func aCardThatNoSessionNeedsAnyMoreIsNotSwitchedAfterTheStartOfItsWatchdog() async throws {
        let starts = Starts([])
        let (system, manager, session) = try await stageWithWatchdog(starts)
        try await session.deactivate()
        let watchdog = FakeWatchdog()
        for started in starts.withLock({ $0 }) { started(watchdog) }
        #expect(manager.currentRoute.outputs.map(\.type) == [.headphones])
        #expect(watchdog.orders.withLock(\.isEmpty))
        try await session.activate()
        try await session.overrideOutputAudioPort(.speaker)
        #expect(starts.withLock(\.count) == 2, "the first one had nothing to do")
        system.advance(by: .seconds(2))
        await manager.close()
    }

    @Test func aWatchdogThatStartsForAnEarlierConnectionGetsNoOrder() async throws {
        let starts = Starts([])
        let (system, manager, session) = try await stageWithWatchdog(starts)
        system.fail()
        let watchdog = FakeWatchdog()
        for started in starts.withLock({ $0 }) { started(watchdog) }
        #expect(watchdog.orders.withLock(\.isEmpty))
        await manager.close()
        withExtendedLifetime(session) {}
    }

    @Test func anotherCategoryAndAnotherDeviceEndTheOverride() async throws {
        let (system, manager, session) = try await makeSession(.init(.playAndRecord))
        system.remove(device: FakeLaptop.headset)
        try await session.activate()
        try await session.overrideOutputAudioPort(.speaker)
        #expect(session.outputOverride == .speaker)
        system.restore(device: FakeLaptop.headset)
        #expect(session.outputOverride == .none)
        try await session.overrideOutputAudioPort(.speaker)
        try await session.setCategory(.playback)
        #expect(session.outputOverride == .none)
        await manager.close()
    }

    /// The outputs that return with PipeWire are no other devices.
    @Test func anOverrideThatIsSetWhilePipeWireIsAwayStays() async throws {
        let (system, manager, session) = try await makeSession(.init(.playAndRecord))
        try await session.activate()
        system.fail()
        // The manager has tried to reconnect.
        system.advance(by: .seconds(1))
        try await session.overrideOutputAudioPort(.speaker)
        system.restart()
        #expect(manager.isConnected && session.outputOverride == .speaker)
        await manager.close()
    }

    @Test func impossibleChoicesAreTypedErrors() async throws {
        let (_, manager, session) = try await makeSession(.init(.playback))
        let nowhere = PortDescription(type: .unknown, name: "Nowhere", uid: "nowhere", direction: .output)
        let error = await #expect(throws: AudioSessionError.self) { try await session.setPreferredOutput(nowhere) }
        #expect(error?.code == .resourceNotAvailable && error?.message.contains("analog-output-speaker") == true)
        let input = await #expect(throws: AudioSessionError.self) { try await session.setPreferredInput(nil) }
        #expect(input?.code == .incompatibleCategory)
        let override = await #expect(throws: AudioSessionError.self) {
            try await session.overrideOutputAudioPort(.speaker)
        }
        #expect(override?.code == .incompatibleCategory)
        let source = await #expect(throws: AudioSessionError.self) {
            try await session.setOutputDataSource(DataSource(id: "x", name: "x", port: nowhere))
        }
        #expect(source?.code == .resourceNotAvailable)
        #expect(session.outputDataSources.isEmpty)
        await session.close()
        let closed = await #expect(throws: AudioSessionError.self) { try await session.setPreferredOutput(nil) }
        #expect(closed?.code == .expiredSession)
        await manager.close()
    }

    private func makeSession(
        _ configuration: AudioSessionConfiguration
    ) async throws -> (FakeAudioSystem, AudioSessionManager, AudioSession) {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        return (system, manager, try AudioSession(manager: manager, configuration: configuration))
    }
}
