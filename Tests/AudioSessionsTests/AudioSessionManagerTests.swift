import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Synchronization
import TestSupport
import Testing

@Suite struct AudioSessionManagerTests {
    @Test func connectingReturnsWhenTheGraphIsComplete() async throws {
        let manager = try await FakeLaptop.system(with: .headset).connect()
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        #expect(manager.availableOutputs.map(\.type) == [.builtInSpeaker, .usbAudio])
        #expect(manager.availableInputs.isEmpty)
    }

    @Test func aPulledDeviceIsBecameNoisyAndThenOneRouteChange() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let log = EventLog<AudioSessionManager.Event>()
        let observation = manager.observe { log.append($0.timeless) }
        system.remove(device: FakeLaptop.headset)
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

    /// While the routes are evaluated, sound would be heard from another output.
    @Test(arguments: [FakeLaptop.Accessories.headset, .headphones])
    func gatesCloseBeforeRoutesAreEvaluated(accessory: FakeLaptop.Accessories) async throws {
        let system = try FakeLaptop.system(with: accessory)
        let manager = try await system.connect()
        let follower = GateFollower(of: manager)
        let id = await manager.follow(follower)
        let (stream, sink) = (ObjectID(60), ObjectID(accessory == .headset ? 51 : 41))
        system.send(.linkAppeared(Link(id: ObjectID(61), outputNode: stream, inputNode: sink)))
        await manager.setStreams([stream], of: id)
        // Until then the removal might be a loose contact.
        system.advance(by: .seconds(1))
        let outputs = manager.availableOutputs
        #expect(follower.outputsAtClosing.isEmpty)
        if accessory == .headset {
            system.remove(device: FakeLaptop.headset)
        } else {
            system.setAvailable(false, route: FakeLaptop.headphones)
        }
        #expect(follower.outputsAtClosing.first == outputs)
        #expect(manager.availableOutputs != outputs)
    }

    @Test func aTaskOnTheManagersThreadReceivesEventsWithTheHandlers() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let log = EventLog<AudioSessionManager.Event>()
        let heard = EventLog<AudioSessionManager.Event>()
        let observation = manager.observe { log.append($0.timeless) }
        let events = manager.events()
        let task = Task(executorPreference: manager.taskExecutor) {
            for await event in events { heard.append(event.timeless) }
        }
        // It waits for events after this task has run.
        await Task(executorPreference: manager.taskExecutor) {}.value
        system.remove(device: FakeLaptop.headset)
        #expect(heard.events == log.events)
        #expect(!heard.events.isEmpty)
        await manager.close()
        await task.value
        observation.cancel()
    }

    @Test func theSnapshotIsCurrentInsideTheHandler() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let seen = Locked<RouteDescription?>(nil)
        let observation = manager.observe { event in
            if event.routeChange != nil { seen.withLock { $0 = manager.currentRoute } }
        }
        system.remove(device: FakeLaptop.headset)
        #expect(seen.withLock(\.self)?.outputs.map(\.type) == [.builtInSpeaker])
        observation.cancel()
    }

    @Test func aReturnedPortIsTheSamePort() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let before = manager.currentRoute
        system.remove(device: FakeLaptop.headset)
        system.advance(by: .seconds(10))
        var events = manager.events().makeAsyncIterator()
        system.restore(device: FakeLaptop.headset)
        var reasons: [RouteChangeReason] = []
        while reasons.isEmpty, let event = await events.next() {
            if let change = event.routeChange { reasons.append(change.reason) }
        }
        #expect(reasons == [.newDeviceAvailable])
        #expect(manager.currentRoute.outputs.map(\.uid) == before.outputs.map(\.uid))
    }

    @Test func aJackOnADeviceThatIsNotInUseOnlyChangesTheList() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let log = EventLog<AudioSessionManager.Event>()
        let observation = manager.observe { log.append($0.timeless) }
        system.setAvailable(true, route: FakeLaptop.headphones)
        #expect(log.events == [.availablePortsChanged(at: .never)])
        #expect(manager.availableOutputs.map(\.type).contains(.headphones))
        observation.cancel()
    }

    @Test func aSlowListenerLosesTheOldestEventsAndReceivesTheirNumber() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let slow = manager.events(bufferingNewest: 2)
        for index in 0..<5 { system.setAvailable(index % 2 == 0, route: FakeLaptop.headphones) }
        #expect(slow.droppedCount == 3)
    }

    @Test func aRemovedHandlerIsNotCalled() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let log = EventLog<AudioSessionManager.Event>()
        _ = manager.observe { log.append($0.timeless) }
        system.setAvailable(true, route: FakeLaptop.headphones)
        #expect(log.events == [])
    }

    @Test func losingPipeWireIsNotifiedOnceAndSequencesEndAtClose() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        let events = manager.events()
        system.fail()
        system.fail()
        await manager.close()
        var all: [AudioSessionManager.Event] = []
        for await event in events { all.append(event.timeless) }
        #expect(all == [.mediaServicesLost(at: .never)])
    }

    @Test func aClosedManagerKeepsItsSnapshotAndNotifiesNoMore() async throws {
        let system = try FakeLaptop.system(with: .headset)
        let manager = try await system.connect()
        await manager.close()
        await manager.close()
        system.remove(device: FakeLaptop.headset)
        #expect(manager.currentRoute.outputs.map(\.type) == [.usbAudio])
        for await _ in manager.events() { Issue.record("an event after close") }
    }
}

/// Records which outputs the manager shows whenever its gate closes.
private final class GateFollower: RouteFollower {
    private weak let manager: AudioSessionManager?
    private let outputs = Locked<[[PortDescription]]>([])

    init(of manager: AudioSessionManager) { self.manager = manager }

    var outputsAtClosing: [[PortDescription]] { outputs.withLock(\.self) }

    func receive(_ input: RouteInput) {
        guard input == .endangered, let now = manager?.availableOutputs else { return }
        outputs.withLock { $0.append(now) }
    }
}

extension AudioSessionManager.Event {
    var routeChange: RouteChange? { if case .routeChanged(let change) = self { change } else { nil } }
}
