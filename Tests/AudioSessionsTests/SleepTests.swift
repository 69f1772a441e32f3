import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// Sessions and the computer's sleep, on a fake computer without PipeWire.
@Suite struct SleepTests {
    /// Headphones that are pulled in the evening and plugged in again in the morning start no
    /// music.
    @Test(arguments: [Duration.seconds(200), .seconds(8 * 3600)])
    func theLimitOfAReturnCountsTheSleep(duration: Duration) async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let log = EventLog<AudioSession.Event>()
        let observation = session.observe { if !$0.isSilenceChange { log.append($0.timeless) } }
        try await session.change { $0.resumesOnReplug = true }
        try await session.activate()
        system.remove(device: FakeLaptop.headset)
        system.advance(by: .seconds(2))
        system.sleep(for: duration)
        system.restore(device: FakeLaptop.headset)
        system.advance(by: .seconds(2))
        let advice = log.events.filter { if case .resumeAdvice = $0 { true } else { false } }
        #expect(advice.count == (duration < .seconds(300) ? 1 : 0))
        withExtendedLifetime(observation) {}
        await manager.close()
    }

    @Test func theFirstChangeAfterASleepHasThatReason() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        let log = EventLog<AudioSession.Event>()
        let observation = session.observe { if !$0.isSilenceChange { log.append($0.timeless) } }
        try await session.activate()
        system.advance(by: .seconds(10))
        system.sleep(for: .seconds(3600))
        system.remove(device: FakeLaptop.headset)
        system.advance(by: .seconds(2))
        #expect(log.events.reasons == [.wakeFromSleep])
        system.restore(device: FakeLaptop.headset)
        system.advance(by: .seconds(2))
        #expect(log.events.reasons == [.wakeFromSleep, .newDeviceAvailable])
        withExtendedLifetime(observation) {}
        await manager.close()
    }

    @Test func anAnnouncedSleepChangesNothingUntilItsEnd() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        await manager.beginSleep()
        system.remove(device: FakeLaptop.headset)
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        await manager.endSleep()
        system.advance(by: .seconds(1))
        #expect(manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
        await manager.close()
    }

    /// logind may end between its two announcements.
    @Test func anEndThatIsNeverAnnouncedIsAssumed() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        await manager.beginSleep()
        system.remove(device: FakeLaptop.headset)
        system.advance(by: .seconds(29))
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
        await manager.close()
    }

    /// PipeWire may be restarted while the computer is about to sleep.
    @Test func aNewConnectionSleepsAsWell() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        await manager.beginSleep()
        system.fail()
        system.restart()
        system.remove(device: FakeLaptop.headset)
        system.advance(by: .seconds(2))
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        await manager.endSleep()
        system.advance(by: .seconds(1))
        #expect(manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
        await manager.close()
    }
}

extension [AudioSession.Event] {
    fileprivate var reasons: [RouteChangeReason] {
        compactMap { if case .routeChanged(let change) = $0 { change.reason } else { nil } }
    }
}
