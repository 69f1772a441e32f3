import AudioSessionCore
import Testing

/// The loss of PipeWire and its reset, as a session reports them.
@Suite struct SessionMediaServicesTests {
    private let speaker = SessionStage.port("speaker")
    private let headphones = SessionStage.port("headphones")

    @Test func aSessionThatKnowsNoLossIsNotNotifiedOfAReset() {
        var stage = SessionStage()
        let reset = SessionAction.notify(.mediaServicesReset(at: stage.surroundings.now))
        #expect(!stage.receive(.services(.reset(nil))).contains(reset))
        _ = stage.receive(.services(.lost))
        #expect(stage.receive(.services(.reset(nil))).contains(reset))
        #expect(!stage.receive(.services(.reset(nil))).contains(reset))
    }

    @Test func aResetNotifiesOfTheRouteThatIsAnother() {
        var stage = SessionStage()
        _ = stage.move(to: headphones)
        let (old, new) = (stage.machine.route, RouteDescription(inputs: [], outputs: [speaker]))
        _ = stage.receive(.services(.lost))
        let actions = stage.receive(.services(.reset(new)))
        let change = RouteChange(
            reason: .unknown, previous: old ?? new, current: new, time: stage.surroundings.now)
        #expect(
            stage.order(
                actions, .publish, .notify(.mediaServicesReset(at: SessionStage.time(10))),
                .send(.targetChanged(nil)),
                .notify(.routeChanged(change)), .readSound(.all)))
        #expect(
            !stage.receive(.services(.reset(new))).contains {
                if case .notify(.routeChanged) = $0 { true } else { false }
            })
    }

    @Test(arguments: [true, false]) func aResetNotifiesOfACategoryThatChangedMeanwhile(isActive: Bool) {
        var stage = SessionStage()
        _ = stage.move(to: headphones)
        stage.activate()
        _ = stage.receive(.services(.lost))
        let graph = stage.surroundings.graph
        stage.surroundings.graph = nil
        let film = AudioSessionConfiguration(.playback, mode: .moviePlayback)
        _ = stage.receive(.configuration(.requested(film)))
        _ = stage.receive(.configuration(.granted(film)))
        if !isActive {
            stage.surroundings.status = .inactive
            _ = stage.receive(.arbitration(.deactivated))
        }
        stage.surroundings.graph = graph
        let route = RouteDescription(inputs: [], outputs: [headphones])
        let change = SessionAction.notify(
            .routeChanged(
                RouteChange(
                    reason: .categoryChange, previous: route, current: route, time: stage.surroundings.now)))
        #expect(stage.receive(.services(.reset(route))).contains(change) == isActive)
        _ = stage.receive(.services(.lost))
        #expect(!stage.receive(.services(.reset(route))).contains(change), "it was reported")
    }

    @Test func aSessionFollowsItsRouteAgainWhenPipeWireIsBack() {
        var stage = SessionStage()
        let targets = stage.machine.routeTargets
        #expect(stage.receive(.services(.back)) == [.ask(.followAgain(targets))])
    }
}
