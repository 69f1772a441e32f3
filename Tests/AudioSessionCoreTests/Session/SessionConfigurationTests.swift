import AudioSessionCore
import Testing

/// Configurations that are requested, granted and denied.
@Suite struct SessionConfigurationTests {
    @Test func aGrantedCategoryIsAChangeOfRoutesOnlyWhileActive() {
        let record = AudioSessionConfiguration(.record)
        var stage = SessionStage()
        let old = stage.machine.configuration
        _ = stage.receive(.configuration(.requested(record)))
        #expect(stage.machine.configuration == record)
        let inactive = stage.receive(.configuration(.granted(record)))
        #expect(inactive.contains(.ask(.adoptTargets(stage.machine.routeTargets))))
        #expect(inactive.last == .send(.reconfigured))

        stage.activate()
        _ = stage.receive(.configuration(.requested(old)))
        let active = stage.receive(.configuration(.granted(old)))
        #expect(active.contains(.ask(.setTargets(stage.machine.routeTargets, reason: .categoryChange))))
    }

    @Test func aDeniedConfigurationTakesBackOnlyItself() {
        let (record, call) = (AudioSessionConfiguration(.record), AudioSessionConfiguration(.playAndRecord))
        var stage = SessionStage()
        let old = stage.machine.configuration
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.requested(call)))
        _ = stage.receive(.configuration(.denied))
        #expect(stage.machine.configuration == call)
        _ = stage.receive(.configuration(.denied))
        #expect(stage.machine.configuration == old)
    }

    @Test func aDeniedConfigurationTakesBackNoGrantedOne() {
        let (record, call) = (AudioSessionConfiguration(.record), AudioSessionConfiguration(.playAndRecord))
        var stage = SessionStage()
        stage.activate()
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.requested(call)))
        _ = stage.receive(.configuration(.granted(record)))
        #expect(stage.machine.configuration == call)
        let denied = stage.receive(.configuration(.denied))
        #expect(stage.machine.configuration == record)
        #expect(denied.contains { $0.isChoiceOfTargets })
    }

    /// PipeWire can grant the second of two equal requests.
    @Test func aConfigurationThatIsGrantedAfterADenialIsInForce() {
        let record = AudioSessionConfiguration(.record)
        var stage = SessionStage()
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.denied))
        #expect(stage.machine.configuration == record && stage.machine.isReconfiguring)
        _ = stage.receive(.configuration(.granted(record)))
        #expect(stage.machine.configuration == record && !stage.machine.isReconfiguring)
    }

    @Test func aRequestThatIsDeniedAfterALaterOneWasGrantedTakesBackNothing() {
        let (record, call) = (AudioSessionConfiguration(.record), AudioSessionConfiguration(.playAndRecord))
        var stage = SessionStage()
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.requested(call)))
        _ = stage.receive(.configuration(.denied))
        _ = stage.receive(.configuration(.granted(record)))
        #expect(stage.machine.configuration == record, "the later one was denied")
    }

    /// An equal configuration that is granted after a refused one is still a change.
    @Test func aConfigurationIsComparedWithTheOneThatWasGranted() {
        let (first, second) = (AudioSessionConfiguration(.record), AudioSessionConfiguration(.record, group: "a"))
        var stage = SessionStage()
        stage.activate()
        _ = stage.receive(.configuration(.requested(first)))
        _ = stage.receive(.configuration(.requested(second)))
        _ = stage.receive(.configuration(.denied))
        let granted = stage.receive(.configuration(.granted(second)))
        #expect(granted.contains(.ask(.setTargets(stage.machine.routeTargets, reason: .categoryChange))))
    }

    @Test func aConfigurationThatIsDeniedKeepsPoliciesThatWereSetMeanwhile() {
        var stage = SessionStage()
        let old = stage.machine.configuration
        var new = old
        new.mode = .spokenAudio
        _ = stage.receive(.configuration(.requested(new)))
        var policies = new
        policies.pausesOnRouteLoss = false
        _ = stage.receive(.configuration(.policies(policies)))
        _ = stage.receive(.configuration(.denied))
        #expect(stage.machine.configuration.mode == .default)
        #expect(stage.machine.configuration.pausesOnRouteLoss == false)
    }

    @Test func aClosedSessionTakesBackAConfigurationThatWasNotGranted() {
        var stage = SessionStage()
        let (old, new) = (stage.machine.configuration, AudioSessionConfiguration(.record))
        _ = stage.receive(.configuration(.requested(new)))
        _ = stage.receive(.lifecycle(.closed))
        #expect(stage.receive(.configuration(.denied)) == [.publish])
        #expect(stage.machine.configuration == old)
    }
}
