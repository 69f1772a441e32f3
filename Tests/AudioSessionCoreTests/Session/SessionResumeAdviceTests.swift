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

    @Test func adviceToAProgramThatRendersByItselfEndsItsLoss() {
        var configuration = AudioSessionConfiguration(.playback)
        configuration.resumesOnReplug = true
        var stage = SessionStage(configuration)
        stage.activate()
        _ = stage.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        let advice = SessionAction.notify(.resumeAdvice(reason: .routeRestored, at: stage.surroundings.now))
        #expect(stage.order(stage.move(to: headphones), advice, .ask(.setStoppedByRouteLoss(false))))
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
