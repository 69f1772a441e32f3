import AudioSessionCore
import Testing

/// Jacks whose contacts bounce.
@Suite struct RouteBounceTests {
    let laptop = ObjectID(Laptop.device)

    /// A scene in which a stream has played on the speaker for long.
    private func speaking(headphones: Availability = .no) -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: headphones)))
        scene.settle()
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        return (scene, player)
    }

    /// A scene in which a stream has played on headphones for long.
    private func listening() -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        return (scene, player)
    }

    private func turn(_ headphones: Availability, in scene: inout RouteScene) {
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: headphones)), after: .milliseconds(9))
    }

    @Test func aJackThatBouncesOutIsOneLossAndOneChange() {
        var scene = RouteScene.listening()
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for index in 0..<5 {
            scene.emit(
                .deviceRoutes(laptop, Laptop.routes(headphones: index % 2 == 0 ? .no : .yes)),
                after: .milliseconds(10))
            if index == 0 { scene.stop(player) }
            scene.emit(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.speaking : Laptop.listening))
        }
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(!scene.received.contains { if case .routeRegained = $0 { true } else { false } })
        let received = scene.takeEvents()
        #expect(received.filter { if case .becameNoisy(player, _, _) = $0 { true } else { false } }.count == 1)
        #expect(received.filter { if case .routeChanged(player, _) = $0 { true } else { false } }.count == 1)
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.builtInSpeaker])
    }

    /// A fast session manager may choose anew at every contact.
    @Test func aJackThatBouncesOutSlowlyIsOneLossAndOneChange() {
        var (scene, player) = listening()
        for index in 0..<5 {
            scene.emit(
                .deviceRoutes(laptop, Laptop.routes(headphones: index % 2 == 0 ? .no : .yes)),
                after: .milliseconds(9))
            scene.emit(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.speaking : Laptop.listening))
            scene.settle()
            if index == 0 { scene.stop(player) }
        }
        scene.advance(by: .seconds(2))
        #expect(!scene.received.contains { if case .routeRegained = $0 { true } else { false } })
        let change = RouteScene.Notification.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones), change])
    }

    /// The contact closes again before the barrier: the speaker was in use only in between.
    @Test func aJackThatBouncesBeforeTheBarrierIsOneLossAndOneChange() {
        var (scene, player) = listening()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .no)))
        scene.stop(player)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking), after: .milliseconds(8))
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening), after: .milliseconds(8))
        scene.settle()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .no)), after: .milliseconds(8))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking), after: .milliseconds(8))
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(!scene.received.contains { if case .routeRegained = $0 { true } else { false } })
        let change = RouteScene.Notification.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones), change])
        #expect(scene.routes.route(of: .computer).outputs.map(\.type) == [.builtInSpeaker])
    }

    /// The session manager alone receives the first moment without contact, and chooses the
    /// speaker.
    @Test func aJackThatIsLeftBeforeItIsSeenToBeEmptyIsOneLossAndOneChange() {
        var (scene, player) = listening()
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        turn(.no, in: &scene)
        scene.settle()
        scene.advance(by: .seconds(2))
        let change = RouteScene.Notification.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones), change])
    }

    /// The session manager misses the last contact, and stays on the empty jack.
    @Test func aJackThatIsEmptyInTheEndIsNotTheRoute() {
        var (scene, player) = listening()
        turn(.no, in: &scene)
        scene.stop(player)
        turn(.yes, in: &scene)
        scene.advance(by: .milliseconds(60))
        scene.settle()
        turn(.no, in: &scene)
        scene.settle()
        scene.advance(by: .seconds(2))
        let change = RouteScene.Notification.change(.noSuitableRouteForCategory, [.headphones], [])
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.headphones), change])
        #expect(scene.routes.route(of: player).outputs.isEmpty)
    }

    /// WirePlumber 0.5 removes default and links for a moment when a port appears or is removed.
    @Test func anEmptyRouteIsNotNotifiedWhileChangesArePending() {
        var (scene, player) = speaking()
        turn(.yes, in: &scene)
        for index in 0..<12 {
            turn(index % 2 == 0 ? .no : .yes, in: &scene)
            scene.emit(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.speaking : Laptop.listening))
            scene.settle()
            scene.advance(by: .milliseconds(75))
        }
        scene.emit(.defaultChanged(.output, nil), .disappeared(ObjectID(901)))
        scene.settle()
        for index in 0..<3 {
            turn(index % 2 == 0 ? .no : .yes, in: &scene)
            scene.settle()
            scene.advance(by: .milliseconds(60))
        }
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.emit(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        turn(.yes, in: &scene)
        scene.settle()
        scene.advance(by: .seconds(2))
        let outputs = scene.takeChanges(of: player).compactMap(\.outputs)
        #expect(!outputs.contains([]) && outputs.last == [.headphones], "\(outputs)")
    }

    /// The user plugs in and pulls again.
    @Test(arguments: [150, 200, 600]) func aPullAfterThePlugWasNotifiedIsALoss(milliseconds: Int) {
        var (scene, player) = speaking()
        turn(.yes, in: &scene)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
        scene.advance(by: .milliseconds(milliseconds))
        turn(.no, in: &scene)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .noisy(.headphones), .change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker]),
            ])
    }

    @Test func aPullBeforeThePlugWasNotifiedCancelsIt() {
        var (scene, player) = speaking()
        turn(.yes, in: &scene)
        scene.settle()
        turn(.no, in: &scene)
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges(of: player) == [])
    }

    /// The wait for a default is at most twice 300 ms, whatever else changes meanwhile.
    @Test func aMissingDefaultIsWaitedForUpToALimit() {
        var (scene, player) = listening()
        turn(.no, in: &scene)
        scene.stop(player)
        scene.emit(.defaultChanged(.output, nil))
        let start = scene.now
        for index in 0..<70 {
            turn(index % 2 == 0 ? .yes : .no, in: &scene)
            scene.settle()
        }
        let change = scene.received.lazy.compactMap {
            if case .routeChanged(.computer, let change) = $0 { change } else { nil }
        }
        #expect(change.first?.current.outputs == [])
        #expect(change.first.map { $0.time.since(start) <= .milliseconds(610) } == true)
    }

    /// Plugged in and pulled at once, with a session manager that answers long after the bouncing.
    @Test func aShortContactIsNoLoss() {
        var (scene, player) = speaking()
        turn(.yes, in: &scene)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        scene.advance(by: .milliseconds(80))
        turn(.no, in: &scene)
        scene.advance(by: .milliseconds(30))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        scene.advance(by: .seconds(2))
        let received = scene.takeChanges(of: player)
        #expect(!received.contains(.gateClosed) && !received.contains(.noisy(.headphones)), "\(received)")
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.builtInSpeaker])
    }

    /// A jack that bounces can set WirePlumber going back and forth endlessly, because it chooses
    /// once more what has just become active.
    @Test func aSessionManagerThatNeverSettlesDelaysNoLoss() {
        var (scene, player) = listening()
        turn(.no, in: &scene)
        scene.stop(player)
        for index in 0..<100 {
            scene.emit(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.speaking : Laptop.listening))
            scene.settle()
            scene.advance(by: .milliseconds(20))
        }
        let received = scene.takeChanges()
        #expect(received.starts(with: [.gateClosed, .noisy(.headphones)]))
        let changes = received.compactMap(\.outputs)
        #expect((1...7).contains(changes.count), "one in 300 ms at most: \(received)")
        #expect(changes.allSatisfy { !$0.contains(.headphones) })
    }

    @Test func aJackThatBouncesInNeverStopsTheMusic() {
        var (scene, player) = speaking()
        for index in 0..<5 {
            turn(index % 2 == 0 ? .yes : .no, in: &scene)
            scene.emit(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.listening : Laptop.speaking))
            scene.settle()
        }
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    /// The session manager is late: it chooses the speaker after the contact has closed and opened
    /// again.
    @Test func aJackThatBouncesInUnderALateSessionManagerIsOneChange() {
        var (scene, player) = speaking()
        func jack(_ availability: Availability) -> GraphEvent {
            .deviceRoutes(laptop, Laptop.routes(headphones: availability))
        }
        for event in [
            jack(.yes), .deviceActiveRoutes(laptop, Laptop.listening), jack(.no), jack(.yes),
            .deviceActiveRoutes(laptop, Laptop.speaking), jack(.no), jack(.yes),
            .deviceActiveRoutes(laptop, Laptop.listening),
        ] {
            scene.emit(event, after: .milliseconds(5))
            scene.settle()
        }
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    /// The session manager hangs for a second, and then handles each contact.
    @Test func aJackThatBouncesInUnderAVeryLateSessionManagerIsOneChange() {
        var (scene, player) = speaking()
        for index in 0..<5 {
            turn(index % 2 == 0 ? .yes : .no, in: &scene)
            scene.settle()
        }
        scene.advance(by: .milliseconds(1100))
        for active in [Laptop.listening, Laptop.speaking, Laptop.listening] {
            scene.emit(.deviceActiveRoutes(laptop, active), after: .milliseconds(20))
            scene.settle()
        }
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    /// Without contact the jack reports `unknown`: the port stays one that can be chosen.
    @Test func aJackThatBouncesBetweenInAndUnknownIsOneChange() {
        var (scene, player) = speaking(headphones: .unknown)
        for index in 0..<5 {
            let isIn = index % 2 == 0
            turn(isIn ? .yes : .unknown, in: &scene)
            scene.emit(.deviceActiveRoutes(laptop, isIn ? Laptop.listening : Laptop.speaking))
            scene.settle()
        }
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges(of: player).count == 1)
    }

    /// A user who tries one output after the other does not wait.
    @Test func successiveChoicesAreNotifiedAtOnce() {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        for name in [Headset.sinkName, "alsa_output.pci.analog", Headset.sinkName, "alsa_output.pci.analog"] {
            scene.advance(by: .milliseconds(20))
            scene.choose(name)
            scene.settle()
            #expect(scene.takeChanges().count == 1, "\(name)")
        }
    }
}
