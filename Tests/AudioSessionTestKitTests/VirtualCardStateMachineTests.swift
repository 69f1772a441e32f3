import AudioSessionCore
import AudioSessionTestKit
import PipeWireGraph
import Testing

struct VirtualCardStateMachineTests {
    /// ALSA's cards do the same: they send the list of profiles and the one in use, although that
    /// one is unchanged.
    @Test func aJackThatMakesAProfileAvailableSendsTheProfiles() throws {
        var card = VirtualCardStateMachine(.builtIn())
        _ = card.receive(.sessionManagerAppeared)
        let routes = card.description.routes
        let headphones = try #require(routes.firstIndex { $0.port == "headphones" })
        let screen = try #require(routes.firstIndex { $0.port == "hdmi" })
        #expect(card.receive(.availability(headphones, .yes)) == [.show([.routes, .activeRoutes])])
        let all = VirtualCardStateMachine.Action.show([.profiles, .activeProfile, .routes, .activeRoutes])
        #expect(card.receive(.availability(screen, .yes)) == [all])
        #expect(card.receive(.availability(screen, .no)) == [all])
        #expect(card.receive(.availability(screen, .no)).isEmpty, "nothing changes")
    }

    /// WirePlumber 0.5 requests a profile only if another one is active.
    @Test func aCardInItsBestProfileIsReadyAfterTheRequestsOfRoutes() throws {
        var description = VirtualCardDescription.builtIn()
        description.initialProfile = "HiFi"
        var card = VirtualCardStateMachine(description)
        _ = card.receive(.sessionManagerAppeared)
        _ = card.receive(.deviceBound(ObjectID(50)))
        for index in description.nodes.indices { _ = card.receive(.nodeBound(index, ObjectID(60 + UInt32(index)))) }
        #expect(!card.isTaken)
        for (index, node) in description.nodes.enumerated() {
            let route = try #require(card.nodes[index].route)
            _ = card.receive(.routeRequested(.init(index: route, node: node.number)))
        }
        #expect(card.isTaken, "\(card.pending ?? "")")
    }

    @Test func aCardWithoutRoutesIsReadyInItsBestProfile() {
        let off = VirtualCardDescription.Profile(name: "off", nodes: [])
        var card = VirtualCardStateMachine(.init(name: "card", profiles: [off], routes: [], nodes: []))
        _ = card.receive(.sessionManagerAppeared)
        #expect(!card.isTaken)
        _ = card.receive(.deviceBound(ObjectID(50)))
        #expect(card.isTaken, "\(card.pending ?? "")")
        var other = VirtualCardStateMachine(.builtIn())
        _ = other.receive(.sessionManagerAppeared)
        _ = other.receive(.deviceBound(ObjectID(50)))
        #expect(!other.isTaken, "another profile is better")
    }
}
