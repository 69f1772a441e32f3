import AudioSessionCore
import Testing

/// Which routes a session requests, and why they change.
@Suite struct SessionRouteRequestTests {
    private let speaker = SessionStage.port("speaker")

    @Test func routesAreNotChosenDuringAConfigurationRequest() {
        var stage = SessionStage()
        _ = stage.receive(.configuration(.requested(AudioSessionConfiguration(.record))))
        #expect(stage.receive(.route(.choicesChanged)).isEmpty)
        _ = stage.receive(.configuration(.granted(AudioSessionConfiguration(.record))))
        #expect(!stage.receive(.route(.choicesChanged)).isEmpty)
    }

    @Test func anAdoptedRouteNotifiesOfNothing() {
        var stage = SessionStage()
        let route = RouteDescription(inputs: [], outputs: [speaker])
        #expect(stage.receive(.route(.adopted(route))) == [.publish])
        #expect(stage.machine.route == route)
    }

    /// Without advice there is no claim whose end would end the override.
    @Test func anOverrideEndsWithAnInterruptionThatEndsWithoutAdvice() {
        for shouldResume in [false, true] {
            var stage = SessionStage(.init(.playAndRecord))
            stage.activate()
            _ = stage.receive(.route(.override(.speaker)))
            _ = stage.receive(.arbitration(.began(by: SessionStage.cause)))
            _ = stage.receive(.arbitration(.ended(shouldResume: shouldResume, withNotice: shouldResume)))
            #expect(stage.machine.chooser.preferences.override == (shouldResume ? .speaker : .none))
            _ = stage.receive(.arbitration(.claimLapsed))
            #expect(stage.machine.chooser.preferences.override == .none)
        }
    }

    @Test(arguments: [false, true]) func onlyAChoiceThatEndsIsTheReasonOfARouteChange(isOverridden: Bool) {
        var stage = SessionStage(.init(.playAndRecord))
        stage.activate()
        if isOverridden { _ = stage.receive(.route(.override(.speaker))) }
        stage.surroundings.status = .inactive
        let actions = stage.receive(.arbitration(.deactivated))
        let reason: RouteChangeReason? = isOverridden ? .override : nil
        #expect(actions.contains(.ask(.setTargets(stage.machine.routeTargets, reason: reason))))
    }

    @Test func anOverrideIsKeptWhilePipeWireIsAway() {
        var stage = SessionStage(AudioSessionConfiguration(.playAndRecord))
        stage.surroundings.graph = nil
        #expect(stage.receive(.route(.override(.speaker))) == [.publish])
        #expect(stage.machine.chooser.preferences.override == .speaker)
        #expect(stage.receive(.route(.override(.none))) == [.publish])
        #expect(stage.machine.chooser.preferences.override == .none)
    }
}
