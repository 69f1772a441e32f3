import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Synchronization
import Testing

@Suite struct AudioSessionManagerTests {
    @Test func connectingReturnsWhenEverythingIsKnown() async throws {
        let manager = try await FakeMachine.make().connect()
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        #expect(manager.availableOutputs.map(\.type) == [.builtInSpeaker, .usbAudio])
        #expect(manager.availableInputs.isEmpty)
    }

    @Test func aPulledDeviceIsNoisyFirstAndOneChangeThen() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let log = EventLog()
        let observation = manager.observe { log.add($0) }
        system.remove(device: FakeMachine.usb)
        let events = log.events
        guard case .becameNoisy(let lost, let time)? = events.first else {
            Issue.record("the first event is \(events)")
            return
        }
        #expect(lost.type == .usbAudio)
        let changes = events.compactMap(\.routeChange)
        #expect(changes.map(\.reason) == [.oldDeviceUnavailable])
        #expect(changes.first?.previous.outputs == [lost])
        #expect(changes.first?.current.outputs.map(\.type) == [.builtInSpeaker])
        #expect(try #require(changes.first).time >= time)
        #expect(manager.currentRoute == changes.first?.current)
        observation.cancel()
    }

    @Test func theSnapshotIsAlreadyNewInsideTheHandler() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let seen = Locked<RouteDescription?>(nil)
        let observation = manager.observe { event in
            if event.routeChange != nil { seen.withLock { $0 = manager.currentRoute } }
        }
        system.remove(device: FakeMachine.usb)
        #expect(seen.withLock(\.self)?.outputs.map(\.type) == [.builtInSpeaker])
        observation.cancel()
    }

    @Test func whatComesBackIsTheSamePort() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let before = manager.currentRoute
        system.remove(device: FakeMachine.usb)
        system.advance(by: .seconds(10))
        var events = manager.events().makeAsyncIterator()
        system.restore(device: FakeMachine.usb)
        var reasons: [RouteChangeReason] = []
        while reasons.isEmpty, let event = await events.next() {
            if let change = event.routeChange { reasons.append(change.reason) }
        }
        #expect(reasons == [.newDeviceAvailable])
        #expect(manager.currentRoute.outputs.map(\.uid) == before.outputs.map(\.uid))
    }

    @Test func aJackOnADeviceThatIsNotInUseOnlyChangesTheList() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let log = EventLog()
        let observation = manager.observe { log.add($0) }
        system.setAvailable(true, route: FakeMachine.headphones)
        #expect(log.events == [.availablePortsChanged])
        #expect(manager.availableOutputs.map(\.type).contains(.headphones))
        observation.cancel()
    }

    @Test func aSlowListenerLosesTheOldestAndIsToldHowMany() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let slow = manager.events(bufferingNewest: 2)
        for index in 0..<5 { system.setAvailable(index % 2 == 0, route: FakeMachine.headphones) }
        #expect(slow.droppedCount == 3)
    }

    @Test func aHandlerThatWasLetGoIsNotCalled() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let log = EventLog()
        _ = manager.observe { log.add($0) }
        system.setAvailable(true, route: FakeMachine.headphones)
        #expect(log.events.isEmpty)
    }

    @Test func whenPipeWireDiesItIsToldOnceAndSequencesEndAtClose() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        let events = manager.events()
        system.fail()
        system.fail()
        await manager.close()
        var all: [AudioSessionManager.Event] = []
        for await event in events { all.append(event) }
        #expect(all == [.mediaServicesLost])
    }

    @Test func aClosedManagerKeepsItsLastWordAndIsSilent() async throws {
        let system = try FakeMachine.make()
        let manager = try await system.connect()
        await manager.close()
        await manager.close()
        system.remove(device: FakeMachine.usb)
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        for await _ in manager.events() { Issue.record("an event after close") }
    }
}

/// Collects events from the loop's thread.
final class EventLog: Sendable {
    private let log = Locked<[AudioSessionManager.Event]>([])

    var events: [AudioSessionManager.Event] { log.withLock(\.self) }

    func add(_ event: AudioSessionManager.Event) { log.withLock { $0.append(event) } }
}

extension AudioSessionManager.Event {
    var routeChange: RouteChange? { if case .routeChanged(let change) = self { change } else { nil } }
}
