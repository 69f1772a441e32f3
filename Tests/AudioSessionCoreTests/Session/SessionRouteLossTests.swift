import AudioSessionCore
import Testing

/// What the loss of an output does to a session and its participants.
@Suite struct SessionRouteLossTests {
    private let headphones = SessionStage.port("headphones")

    @Test(arguments: [
        (AudioSessionConfiguration(.playback), true), (.init(.playback, options: .mixWithOthers), false),
        (.init(.playAndRecord, mode: .voiceChat), false), (.init(.record), false),
    ])
    func becameNoisyGoesToSessionsThatPause(configuration: AudioSessionConfiguration, isNotified: Bool) {
        var stage = SessionStage(configuration)
        stage.activate()
        let noisy = SessionAction.notify(.becameNoisy(headphones, at: SessionStage.time(1)))
        #expect(stage.receive(.route(.lost(headphones, at: SessionStage.time(1)))).contains(noisy) == isNotified)
        var inactive = SessionStage(configuration)
        #expect(!inactive.receive(.route(.lost(headphones, at: SessionStage.time(1)))).contains(noisy))
    }

    /// Attached streams that a loss silenced are then to be heard on the present output.
    @Test func participantsLearnThatAnActiveSessionIsActivatedAgain() {
        var stage = SessionStage()
        #expect(!stage.receive(.lifecycle(.activating)).contains(.send(.activatedAgain)))
        stage.activate()
        #expect(stage.receive(.lifecycle(.activating)).contains(.send(.activatedAgain)))
        stage.interrupt()
        #expect(!stage.receive(.lifecycle(.activating)).contains(.send(.activatedAgain)), "it may be refused")
    }

    @Test func aLossWhileInterruptedReachesParticipantsAndStopsAProgramsOwnSound() {
        var stage = SessionStage()
        stage.interrupt()
        let actions = stage.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        #expect(stage.order(actions, .send(.outputLost(headphones)), .ask(.setStoppedByRouteLoss(true))))
        #expect(stage.activate().contains(.ask(.setStoppedByRouteLoss(false))))

        var playing = SessionStage()
        playing.join(.player)
        playing.interrupt()
        let others = playing.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        #expect(others == [.send(.outputLost(headphones))], "the player knows whether it was stopped")

        var configuration = AudioSessionConfiguration(.playback)
        configuration.pausesOnRouteLoss = false
        var continuing = SessionStage(configuration)
        continuing.interrupt()
        let continued = continuing.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        #expect(!continued.contains(.ask(.setStoppedByRouteLoss(true))))
    }

    /// The program may be about to resume, and would be heard on the speaker.
    @Test(arguments: [
        (AudioSessionConfiguration(.playback), true), (.init(.playback, options: .mixWithOthers), false),
    ])
    func aLossWithinTheClaimIsReported(configuration: AudioSessionConfiguration, isNotified: Bool) {
        let loss = SessionInput.route(.lost(headphones, at: SessionStage.time(1)))
        let noisy = SessionAction.notify(.becameNoisy(headphones, at: SessionStage.time(1)))
        var stage = SessionStage(configuration)
        stage.advise()
        let actions = stage.receive(loss)
        #expect(stage.order(actions, .send(.outputLost(headphones)), noisy) == isNotified)
        #expect(actions.contains(.ask(.setStoppedByRouteLoss(true))) == isNotified, "it may be interrupted again")
        stage.surroundings.status = .inactive
        let lapsed = stage.receive(.arbitration(.claimLapsed))
        #expect(lapsed.contains(.ask(.setStoppedByRouteLoss(false))) == isNotified)
        #expect(stage.receive(loss) == [], "it may not resume any more")
    }

    /// A recorder that the interruption stopped resumes after the next one.
    @Test func aLossWithinTheClaimDoesNotStopASessionThatRecorded() {
        var stage = SessionStage(AudioSessionConfiguration(.playAndRecord))
        let recorder = stage.join(.recorder)
        stage.activate()
        _ = stage.change(recorder) { $0.isRunning = true }
        stage.advise()
        _ = stage.change(recorder) { $0.isRunning = false }
        let actions = stage.receive(.route(.lost(headphones, at: SessionStage.time(1))))
        #expect(!actions.contains(.ask(.setStoppedByRouteLoss(true))))
    }

    /// The program has paused at `becameNoisy`, and must not resume on the speaker after a call.
    @Test func aLossBeforeAnInterruptionStopsAProgramsOwnSound() {
        let stop = SessionAction.ask(.setStoppedByRouteLoss(true))
        let forget = SessionAction.ask(.setStoppedByRouteLoss(false))
        let loss = SessionInput.route(.lost(headphones, at: SessionStage.time(1)))
        var stage = SessionStage()
        stage.activate()
        #expect(stage.receive(loss).contains(stop))
        stage.surroundings.status = .interrupted
        #expect(!stage.receive(.arbitration(.began(by: SessionStage.cause))).contains(forget))
        #expect(!stage.receive(.lifecycle(.activating)).contains(forget), "it may be refused")
        #expect(stage.activate().contains(forget))

        #expect(stage.receive(loss).contains(stop))
        #expect(stage.receive(.lifecycle(.activating)).contains(forget), "it is about to play")

        #expect(stage.receive(loss).contains(stop))
        let player = stage.join(.player)
        #expect(stage.change(player) { $0.isRunning = true }.contains(forget))
        #expect(!stage.receive(loss).contains(stop), "the player knows whether it was stopped")

        var configuration = AudioSessionConfiguration(.playback)
        configuration.pausesOnRouteLoss = false
        var continuing = SessionStage(configuration)
        continuing.activate()
        #expect(!continuing.receive(loss).contains(stop))
    }

    /// A recorder continues after the loss of the output. After a call it has to resume.
    @Test func aLossDoesNotStopASessionThatRecords() {
        let stop = SessionAction.ask(.setStoppedByRouteLoss(true))
        let loss = SessionInput.route(.lost(headphones, at: SessionStage.time(1)))
        var stage = SessionStage(AudioSessionConfiguration(.playAndRecord))
        let recorder = stage.join(.recorder)
        stage.activate()
        var actions = stage.receive(loss)
        #expect(actions.contains(stop), "it does not record")
        actions = stage.change(recorder) { $0.isRunning = true }
        #expect(actions.contains(.ask(.setStoppedByRouteLoss(false))))
        #expect(!stage.receive(loss).contains(stop))
        stage.surroundings.status = .interrupted
        _ = stage.receive(.arbitration(.began(by: SessionStage.cause)))
        actions = stage.change(recorder) { $0.isRunning = false }
        #expect(!actions.contains(stop))
        #expect(!stage.receive(loss).contains(stop), "lost during the interruption")

        stage.activate()
        stage.surroundings.status = .interrupted
        _ = stage.receive(.arbitration(.began(by: SessionStage.cause)))
        #expect(stage.receive(loss).contains(stop), "it did not record when it was interrupted")
    }

    /// The user plays another file on another output. After an interruption that one resumes.
    @Test func aPlayerThatStartsAfterALossOverrulesThoseThatItStopped() {
        var stage = SessionStage()
        let first = stage.stoppedByLoss()
        #expect(stage.machine.silenceReasons == [.routeLost])
        let second = stage.join(.player)
        #expect(stage.change(second) { $0.isRunning = true }.contains(.ask(.setStoppedByRouteLoss(false))))
        #expect(stage.machine.silenceReasons == [])
        #expect(stage.change(second) { $0.isRunning = false }.contains(.ask(.setStoppedByRouteLoss(false))))
        _ = stage.change(first) { ($0.isRunning, $0.isStoppedByRouteLoss) = (true, false) }
        let again = stage.change(first) { ($0.isRunning, $0.isStoppedByRouteLoss) = (false, true) }
        #expect(again.contains(.ask(.setStoppedByRouteLoss(true))))
    }

    /// A recorder is not heard.
    @Test func aRecorderThatStartsOverrulesNoLoss() {
        var stage = SessionStage()
        stage.stoppedByLoss()
        let recorder = stage.join(.recorder)
        _ = stage.change(recorder) { $0.isRunning = true }
        #expect(stage.machine.silenceReasons == [.routeLost])
    }

    @Test func aParticipantThatALossStoppedIsKnownToArbitrationAndToReaders() {
        var stage = SessionStage()
        let player = stage.join(.player)
        stage.activate()
        _ = stage.change(player) { $0.isRunning = true }
        #expect(stage.machine.silenceReasons.isEmpty)
        let actions = stage.change(player) { ($0.isRunning, $0.isStoppedByRouteLoss) = (false, true) }
        #expect(
            stage.order(
                actions, .ask(.setStoppedByRouteLoss(true)), .ask(.setSounding(false)), .publish, .readSound(.all)))
        #expect(stage.machine.silenceReasons == [.routeLost])
    }
}
