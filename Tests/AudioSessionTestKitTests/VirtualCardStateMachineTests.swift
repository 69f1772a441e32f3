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
        #expect(card.receive(.availability(screen, .no)).isEmpty, "no news")
    }
}
