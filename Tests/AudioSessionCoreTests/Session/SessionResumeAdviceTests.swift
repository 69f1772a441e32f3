import AudioSessionCore
import Testing

/// The advice to resume when the lost output is available again.
@Suite struct SessionResumeAdviceTests {
    private let speaker = SessionStage.port("speaker")
    private let headphones = SessionStage.port("headphones")

    @Test func theReturnOfTheLostOutputIsAdvisedOnceToListenersThenParticipants() {
        var stage = SessionStage()
        let player = stage.stoppedByLoss()
        let advice = SessionAction.notify(.resumeAdvice(reason: .routeRestored, at: stage.surroundings.now))
        #expect(!stage.move(to: speaker).contains(advice))
        #expect(stage.order(stage.move(to: headphones), advice, .sendTo(player, .outputRegained)))
        _ = stage.move(to: speaker)
        #expect(!stage.move(to: headphones).contains(advice))
    }

    /// A call may have switched the headset before it was lost, and not after it returned. Another
    /// headset is another output, and so is a headset without a device.
    @Test func aHeadsetReturnsInEitherMode() {
        let call = Self.headset(.bluetoothHFP, "HFP", "bluez_card.1")
        for (port, isAdvised) in [
            (Self.headset(.bluetoothA2DP, "A2DP", "bluez_card.1"), true),
            (Self.headset(.bluetoothA2DP, "A2DP", "bluez_card.2"), false),
            (Self.headset(.bluetoothA2DP, "A2DP", nil), false),
        ] {
            var configuration = AudioSessionConfiguration(.playback)
            configuration.resumesOnReplug = true
            var stage = SessionStage(configuration)
            stage.interrupt()
            _ = stage.receive(.route(.lost(call, at: SessionStage.time(1))))
            _ = stage.move(to: speaker)
            _ = stage.move(to: port)
            stage.surroundings.status = .inactive
            let actions = stage.receive(.arbitration(.ended(shouldResume: false, withNotice: true)))
            let advice = SessionAction.notify(.resumeAdvice(reason: .routeRestored, at: stage.surroundings.now))
            #expect(actions.contains(advice) == isAdvised, "\(port.deviceName ?? "no device")")
        }
    }

    /// The node of an LE Audio set may belong to either earbud.
    @Test func aSetOfEarbudsIsOneOutput() {
        let (left, right) = (
            Self.headset(.bluetoothLE, "set", "bluez_card.1"), Self.headset(.bluetoothLE, "set", "bluez_card.2")
        )
        #expect(left.outputID == right.outputID)
    }

    private static func headset(_ type: PortType, _ uid: String, _ device: String?) -> PortDescription {
        PortDescription(type: type, name: uid, uid: uid, direction: .output, deviceName: device)
    }

    @Test func adviceToAProgramThatRendersByItselfEndsItsLoss() {
        var configuration = AudioSessionConfiguration(.playback)
        configuration.resumesOnReplug = true
        var stage = SessionStage(configuration)
        stage.activate()
        _ = stage.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        let advice = SessionAction.notify(.resumeAdvice(reason: .routeRestored, at: stage.surroundings.now))
        #expect(stage.order(stage.move(to: headphones), advice, .ask(.setStoppedByRouteLoss(false))))
    }

    /// The session has given up its claim since.
    @Test func theReturnOfAnOutputThatWasLostWithinTheClaimIsAdvised() {
        var configuration = AudioSessionConfiguration(.playback)
        configuration.resumesOnReplug = true
        var stage = SessionStage(configuration)
        stage.advise()
        _ = stage.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        stage.surroundings.status = .inactive
        _ = stage.receive(.arbitration(.claimLapsed))
        let advice = SessionAction.notify(.resumeAdvice(reason: .routeRestored, at: stage.surroundings.now))
        #expect(stage.move(to: headphones).contains(advice))
    }

    /// The user has played on the speaker meanwhile, and may have paused again. A session without
    /// sound of its own shows nothing of that.
    @Test(arguments: [true, false]) func aProgramThatPlaysAgainByItselfIsNotAdvised(doesPlay: Bool) {
        var configuration = AudioSessionConfiguration(.playback)
        configuration.resumesOnReplug = true
        var stage = SessionStage(configuration)
        stage.activate()
        _ = stage.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        let actions = stage.receive(.lifecycle(doesPlay ? .activating : .lossIgnored))
        #expect(actions.contains(.ask(.setStoppedByRouteLoss(false))))
        let isAdvised = stage.move(to: headphones).contains { action in
            if case .notify(.resumeAdvice) = action { true } else { false }
        }
        #expect(isAdvised != doesPlay)
    }

    @Test func anInactiveSessionIsNotAdvisedOverOthers() {
        var stage = SessionStage()
        stage.stoppedByLoss()
        stage.surroundings.status = .interrupted
        _ = stage.receive(.arbitration(.began(by: SessionStage.cause)))
        _ = stage.move(to: headphones)
        stage.surroundings.status = .inactive
        stage.surroundings.others = OtherSessions(isAnyActive: true, isPrimaryActive: true)
        let actions = stage.receive(.arbitration(.ended(shouldResume: false, withNotice: true)))
        #expect(!actions.contains { if case .notify(.resumeAdvice) = $0 { true } else { false } })
    }

    @Test func aUserWhoPlaysAgainIsNotAdvised() {
        var stage = SessionStage()
        let player = stage.stoppedByLoss()
        _ = stage.change(player) { ($0.isRunning, $0.isStoppedByRouteLoss) = (true, false) }
        #expect(!stage.move(to: headphones).contains { if case .notify(.resumeAdvice) = $0 { true } else { false } })
    }

    @Test func sleepIsPartOfTheLimit() {
        var stage = SessionStage()
        stage.stoppedByLoss()
        _ = stage.receive(.slept(.seconds(400)))
        #expect(!stage.move(to: headphones).contains { if case .notify(.resumeAdvice) = $0 { true } else { false } })
    }
}
