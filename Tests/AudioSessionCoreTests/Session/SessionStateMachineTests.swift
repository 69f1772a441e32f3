import AudioSessionCore
import Testing

/// One session: each test gives inputs and expects their actions.
@Suite struct SessionStateMachineTests {
    private let speaker = Stage.port("speaker")
    private let headphones = Stage.port("headphones")

    // MARK: Activation

    @Test func anActivationIsReadableBeforeListenersAndBeforeParticipantsStart() {
        var stage = Stage()
        stage.join(.player)
        let actions = stage.activate()
        #expect(stage.machine.state == .active && stage.machine.silenceReasons == [.paused])
        #expect(actions.first == .publish)
        #expect(
            stage.order(actions, .publish, .notify(.stateChanged(.active, at: Stage.time(10))), .send(.activated)))
    }

    @Test func anActivationBesideADuckerStartsDucked() {
        var stage = Stage()
        stage.join(.player)
        stage.surroundings.status = .active(duckedGain: 0.2)
        let actions = stage.receive(.arbitration(.activated))
        #expect(stage.machine.gain == 0.2)
        #expect(stage.order(actions, .send(.ducked(0.2)), .send(.activated)))
    }

    @Test func anInactiveSessionHasFullGain() {
        var stage = Stage()
        stage.activate()
        _ = stage.receive(.arbitration(.ducking(gain: 500, by: [Stage.cause])))
        #expect(stage.machine.gain == 0.5)
        stage.surroundings.status = .inactive
        #expect(stage.receive(.arbitration(.deactivated)).contains(.send(.ducked(1))))
        #expect(stage.machine.gain == 1 && stage.machine.silenceReasons == [.inactive])
    }

    @Test(arguments: [true, false]) func aDeactivationStopsParticipantsAndPassesNotify(notify: Bool) {
        var stage = Stage()
        stage.activate()
        #expect(
            stage.receive(.lifecycle(.deactivating(notify: notify))).contains(.send(.deactivated(isFinal: false))))
        #expect(stage.machine.leavesSilently == !notify)
        stage.activate()
        #expect(!stage.machine.leavesSilently)
    }

    /// A participant may start while a deactivation waits for PipeWire's answer to something else.
    @Test(arguments: [ArbitrationEvent.placeLost, .deactivated]) func anEndStopsParticipants(event: ArbitrationEvent)
    {
        var stage = Stage()
        stage.activate()
        stage.surroundings.status = .inactive
        let actions = stage.receive(.arbitration(event))
        #expect(
            stage.order(
                actions, .send(.deactivated(isFinal: false)), .notify(.stateChanged(.inactive, at: Stage.time(10)))))
    }

    // MARK: Interruption

    @Test func participantsAreSilentBeforeListenersLearnOfAnInterruption() {
        var stage = Stage()
        stage.activate()
        stage.surroundings.status = .interrupted
        let actions = stage.receive(.arbitration(.began(by: Stage.cause)))
        let began = AudioSessionEvent.interruptionBegan(
            reason: .default, by: Stage.cause, at: stage.surroundings.now)
        #expect(
            stage.order(
                actions, .send(.interrupted), .notify(began), .notify(.stateChanged(.interrupted, at: Stage.time(10)))
            ))
        #expect(stage.machine.silenceReasons == [.interrupted(by: [Stage.cause])])
    }

    @Test(arguments: [true, false]) func anEndCarriesTheResumeAdvice(shouldResume: Bool) {
        var stage = Stage()
        stage.interrupt()
        stage.surroundings.status = shouldResume ? .advised : .inactive
        let actions = stage.receive(.arbitration(.ended(shouldResume: shouldResume, withNotice: shouldResume)))
        let ended = AudioSessionEvent.interruptionEnded(
            options: shouldResume ? .shouldResume : [], at: stage.surroundings.now)
        #expect(stage.order(actions, .notify(ended), .send(.interruptionEnded(shouldResume: shouldResume))))
        #expect(stage.machine.silenceReasons == [shouldResume ? .advised : .inactive])
        #expect(stage.machine.state == .inactive)
    }

    // MARK: Other audio

    @Test func onlyAnActiveSessionIsNotifiedOfOtherAudio() {
        var stage = Stage()
        let begin = SessionAction.notify(.silenceSecondaryAudioHint(.begin, at: Stage.time(10)))
        #expect(!stage.receive(.othersStreaming(true)).contains(begin))
        #expect(stage.machine.otherAudio.isPlaying && stage.machine.otherAudio.isPrimaryPlaying)
        #expect(stage.activate().contains(begin))
        #expect(!stage.receive(.othersStreaming(true)).contains(begin), "it is known")
        #expect(
            stage.receive(.othersStreaming(false)).contains(
                .notify(.silenceSecondaryAudioHint(.end, at: Stage.time(10)))))
        let secondary = OtherSessions(isAnyActive: true)
        #expect(stage.receive(.arbitration(.others(secondary))) == [.publishOtherAudio])
        #expect(stage.machine.otherAudio.isPlaying && !stage.machine.otherAudio.isPrimaryPlaying)
    }

    @Test func anActivationDoesNotCountThoseThatItInterrupted() {
        var stage = Stage()
        _ = stage.receive(.othersChanged(OtherSessions(isAnyActive: true, isPrimaryActive: true)))
        #expect(stage.machine.otherAudio.isPlaying)
        stage.surroundings.others = OtherSessions()
        #expect(!stage.activate().contains(.notify(.silenceSecondaryAudioHint(.begin, at: Stage.time(10)))))
        #expect(!stage.machine.otherAudio.isPlaying)
    }

    // MARK: A lost output

    @Test(arguments: [
        (AudioSessionConfiguration(.playback), true), (.init(.playback, options: .mixWithOthers), false),
        (.init(.playAndRecord, mode: .voiceChat), false), (.init(.record), false),
    ])
    func becameNoisyGoesToSessionsThatPause(configuration: AudioSessionConfiguration, isNotified: Bool) {
        var stage = Stage(configuration)
        stage.activate()
        let noisy = SessionAction.notify(.becameNoisy(headphones, at: Stage.time(1)))
        #expect(stage.receive(.route(.lost(headphones, at: Stage.time(1)))).contains(noisy) == isNotified)
        var inactive = Stage(configuration)
        #expect(!inactive.receive(.route(.lost(headphones, at: Stage.time(1)))).contains(noisy))
    }

    @Test func aLossWhileInterruptedReachesParticipantsAndStopsAProgramsOwnSound() {
        var stage = Stage()
        stage.interrupt()
        let actions = stage.receive(.route(.lost(headphones, at: Stage.time(1))))
        #expect(stage.order(actions, .send(.outputLost(headphones)), .ask(.setStoppedByRouteLoss(true))))
        #expect(stage.activate().contains(.ask(.setStoppedByRouteLoss(false))))

        var playing = Stage()
        playing.join(.player)
        playing.interrupt()
        let others = playing.receive(.route(.lost(headphones, at: Stage.time(1))))
        #expect(others == [.send(.outputLost(headphones))], "the player knows whether it was stopped")

        var configuration = AudioSessionConfiguration(.playback)
        configuration.pausesOnRouteLoss = false
        var continuing = Stage(configuration)
        continuing.interrupt()
        let continued = continuing.receive(.route(.lost(headphones, at: Stage.time(1))))
        #expect(!continued.contains(.ask(.setStoppedByRouteLoss(true))))
    }

    /// The program has paused at `becameNoisy`, and must not resume on the speaker after a call.
    @Test func aLossBeforeAnInterruptionStopsAProgramsOwnSound() {
        let stop = SessionAction.ask(.setStoppedByRouteLoss(true))
        let forget = SessionAction.ask(.setStoppedByRouteLoss(false))
        let loss = SessionInput.route(.lost(headphones, at: Stage.time(1)))
        var stage = Stage()
        stage.activate()
        #expect(stage.receive(loss).contains(stop))
        stage.surroundings.status = .interrupted
        #expect(!stage.receive(.arbitration(.began(by: Stage.cause))).contains(forget))
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
        var continuing = Stage(configuration)
        continuing.activate()
        #expect(!continuing.receive(loss).contains(stop))
    }

    /// A recorder continues after the loss of the output. After a call it has to resume.
    @Test func aLossDoesNotStopASessionThatRecords() {
        let stop = SessionAction.ask(.setStoppedByRouteLoss(true))
        let loss = SessionInput.route(.lost(headphones, at: Stage.time(1)))
        var stage = Stage(AudioSessionConfiguration(.playAndRecord))
        let recorder = stage.join(.recorder)
        stage.activate()
        var actions = stage.receive(loss)
        #expect(actions.contains(stop), "it does not record")
        actions = stage.change(recorder) { $0.isRunning = true }
        #expect(actions.contains(.ask(.setStoppedByRouteLoss(false))))
        #expect(!stage.receive(loss).contains(stop))
        stage.surroundings.status = .interrupted
        _ = stage.receive(.arbitration(.began(by: Stage.cause)))
        actions = stage.change(recorder) { $0.isRunning = false }
        #expect(!actions.contains(stop))
        #expect(!stage.receive(loss).contains(stop), "lost during the interruption")

        stage.activate()
        stage.surroundings.status = .interrupted
        _ = stage.receive(.arbitration(.began(by: Stage.cause)))
        #expect(stage.receive(loss).contains(stop), "it did not record when it was interrupted")
    }

    /// The user plays another file on another output. After an interruption that one resumes.
    @Test func aPlayerThatStartsAfterALossOverrulesThoseThatItStopped() {
        var stage = Stage()
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

    @Test func aSessionThatOnlyRecordsIsNotDucked() {
        var stage = Stage(AudioSessionConfiguration(.record))
        stage.activate()
        #expect(stage.receive(.arbitration(.ducking(gain: 200, by: [Stage.cause]))) == [.publish])
        #expect(stage.machine.gain == 1)
        stage.surroundings.status?.duckedGain = 0.2
        let playing = AudioSessionConfiguration(.playAndRecord)
        _ = stage.receive(.configuration(.requested(playing)))
        let actions = stage.receive(.configuration(.granted(playing)))
        #expect(stage.machine.gain == 0.2)
        #expect(actions.contains(.notify(.ducking(gain: 0.2, by: [], at: stage.surroundings.now))))
    }

    @Test func anotherCategoryThatEndsDuckingNamesNoSession() {
        let record = AudioSessionConfiguration(.record)
        var stage = Stage()
        stage.activate()
        stage.surroundings.status = .active(duckedGain: 0.2)
        _ = stage.receive(.arbitration(.ducking(gain: 200, by: [Stage.cause])))
        _ = stage.receive(.configuration(.requested(record)))
        let actions = stage.receive(.configuration(.granted(record)))
        #expect(actions.contains(.notify(.ducking(gain: 1, by: [], at: stage.surroundings.now))))
    }

    /// A recorder is not heard.
    @Test func aRecorderThatStartsOverrulesNoLoss() {
        var stage = Stage()
        stage.stoppedByLoss()
        let recorder = stage.join(.recorder)
        _ = stage.change(recorder) { $0.isRunning = true }
        #expect(stage.machine.silenceReasons == [.routeLost])
    }

    /// Other sessions interrupt this one than before, and no event says so.
    @Test func anotherCauseIsEvaluatedAtOnce() {
        var stage = Stage()
        stage.interrupt()
        stage.surroundings.status?.interruptedBy = []
        let actions = stage.receiveAll(.arbitration(.causesChanged))
        #expect(
            actions.contains(.notify(.silenceReasonsChanged([.interrupted(by: [])], at: stage.surroundings.now))))
    }

    @Test func aSessionThatKnowsNoLossIsNotNotifiedOfAReset() {
        var stage = Stage()
        let reset = SessionAction.notify(.mediaServicesReset(at: stage.surroundings.now))
        #expect(!stage.receive(.services(.reset(nil))).contains(reset))
        _ = stage.receive(.services(.lost))
        #expect(stage.receive(.services(.reset(nil))).contains(reset))
        #expect(!stage.receive(.services(.reset(nil))).contains(reset))
    }

    @Test func aParticipantThatALossStoppedIsKnownToArbitrationAndToReaders() {
        var stage = Stage()
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

    // MARK: Resume advice

    @Test func theReturnOfTheLostOutputIsAdvisedOnceToListenersThenParticipants() {
        var stage = Stage()
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
        var stage = Stage(configuration)
        stage.activate()
        _ = stage.receive(.route(.lost(headphones, at: Stage.time(1))))
        let advice = SessionAction.notify(.resumeAdvice(reason: .routeRestored, at: stage.surroundings.now))
        #expect(stage.order(stage.move(to: headphones), advice, .ask(.setStoppedByRouteLoss(false))))
    }

    /// The user has played on the speaker meanwhile, and may have paused again. A session without
    /// sound of its own shows nothing of that.
    @Test(arguments: [true, false]) func aProgramThatPlaysAgainByItselfIsNotAdvised(doesPlay: Bool) {
        var configuration = AudioSessionConfiguration(.playback)
        configuration.resumesOnReplug = true
        var stage = Stage(configuration)
        stage.activate()
        _ = stage.receive(.route(.lost(headphones, at: Stage.time(1))))
        let actions = stage.receive(.lifecycle(doesPlay ? .activating : .lossIgnored))
        #expect(actions.contains(.ask(.setStoppedByRouteLoss(false))))
        let isAdvised = stage.move(to: headphones).contains { action in
            if case .notify(.resumeAdvice) = action { true } else { false }
        }
        #expect(isAdvised != doesPlay)
    }

    @Test func anInactiveSessionIsNotAdvisedOverOthers() {
        var stage = Stage()
        stage.stoppedByLoss()
        stage.surroundings.status = .interrupted
        _ = stage.receive(.arbitration(.began(by: Stage.cause)))
        _ = stage.move(to: headphones)
        stage.surroundings.status = .inactive
        stage.surroundings.others = OtherSessions(isAnyActive: true, isPrimaryActive: true)
        let actions = stage.receive(.arbitration(.ended(shouldResume: false, withNotice: true)))
        #expect(!actions.contains { if case .notify(.resumeAdvice) = $0 { true } else { false } })
    }

    @Test func aUserWhoPlaysAgainIsNotAdvised() {
        var stage = Stage()
        let player = stage.stoppedByLoss()
        _ = stage.change(player) { ($0.isRunning, $0.isStoppedByRouteLoss) = (true, false) }
        #expect(!stage.move(to: headphones).contains { if case .notify(.resumeAdvice) = $0 { true } else { false } })
    }

    @Test func sleepIsPartOfTheLimit() {
        var stage = Stage()
        stage.stoppedByLoss()
        _ = stage.receive(.slept(.seconds(400)))
        #expect(!stage.move(to: headphones).contains { if case .notify(.resumeAdvice) = $0 { true } else { false } })
    }

    // MARK: Silence

    @Test func silenceReasonsAreOrderedByImportance() {
        var stage = Stage()
        stage.join(.recorder) { ($0.isRunning, $0.isInputMuted) = (true, true) }
        stage.activate()
        stage.surroundings.status = .active(duckedGain: 0.2, isSilenced: true)
        _ = stage.receive(.surroundingsChanged)
        let ducked = AudioSessionSilenceReason.ducked(gain: 0.2, by: [Stage.cause])
        #expect(stage.machine.silenceReasons == [.silentMode, ducked, .inputMuted])
        stage.surroundings.graph = nil
        _ = stage.receive(.services(.lost))
        #expect(stage.machine.silenceReasons.first == .daemonLost)
    }

    // MARK: Configuration and routes

    @Test func aGrantedCategoryIsAChangeOfRoutesOnlyWhileActive() {
        let record = AudioSessionConfiguration(.record)
        var stage = Stage()
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
        var stage = Stage()
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
        var stage = Stage()
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
        var stage = Stage()
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.denied))
        #expect(stage.machine.configuration == record && stage.machine.isReconfiguring)
        _ = stage.receive(.configuration(.granted(record)))
        #expect(stage.machine.configuration == record && !stage.machine.isReconfiguring)
    }

    @Test func aRequestThatIsDeniedAfterALaterOneWasGrantedTakesBackNothing() {
        let (record, call) = (AudioSessionConfiguration(.record), AudioSessionConfiguration(.playAndRecord))
        var stage = Stage()
        _ = stage.receive(.configuration(.requested(record)))
        _ = stage.receive(.configuration(.requested(call)))
        _ = stage.receive(.configuration(.denied))
        _ = stage.receive(.configuration(.granted(record)))
        #expect(stage.machine.configuration == record, "the later one was denied")
    }

    /// An equal configuration that is granted after a refused one is still a change.
    @Test func aConfigurationIsComparedWithTheOneThatWasGranted() {
        let (first, second) = (AudioSessionConfiguration(.record), AudioSessionConfiguration(.record, group: "a"))
        var stage = Stage()
        stage.activate()
        _ = stage.receive(.configuration(.requested(first)))
        _ = stage.receive(.configuration(.requested(second)))
        _ = stage.receive(.configuration(.denied))
        let granted = stage.receive(.configuration(.granted(second)))
        #expect(granted.contains(.ask(.setTargets(stage.machine.routeTargets, reason: .categoryChange))))
    }

    @Test func routesAreNotChosenDuringAConfigurationRequest() {
        var stage = Stage()
        _ = stage.receive(.configuration(.requested(AudioSessionConfiguration(.record))))
        #expect(stage.receive(.route(.choicesChanged)).isEmpty)
        _ = stage.receive(.configuration(.granted(AudioSessionConfiguration(.record))))
        #expect(!stage.receive(.route(.choicesChanged)).isEmpty)
    }

    @Test func anAdoptedRouteNotifiesOfNothing() {
        var stage = Stage()
        let route = RouteDescription(inputs: [], outputs: [speaker])
        #expect(stage.receive(.route(.adopted(route))) == [.publish])
        #expect(stage.machine.route == route)
    }

    @Test func participantsShareTheSessionsStreams() {
        var stage = Stage()
        let player = stage.join(.player), recorder = stage.join(.recorder)
        _ = stage.move(player) { $0.streams = [ObjectID(7)] }
        let actions = stage.move(recorder) { $0.source = ObjectID(9) }
        #expect(actions.contains(.ask(.setStreams([ObjectID(7)], recordingFrom: [ObjectID(9)]))))
    }

    // MARK: Loss of PipeWire, and closing

    @Test func aResetNotifiesOfTheRouteThatIsAnother() {
        var stage = Stage()
        _ = stage.move(to: headphones)
        let (old, new) = (stage.machine.route, RouteDescription(inputs: [], outputs: [speaker]))
        _ = stage.receive(.services(.lost))
        let actions = stage.receive(.services(.reset(new)))
        let change = RouteChange(
            reason: .unknown, previous: old ?? new, current: new, time: stage.surroundings.now)
        #expect(
            stage.order(
                actions, .publish, .notify(.mediaServicesReset(at: Stage.time(10))), .send(.targetChanged(nil)),
                .notify(.routeChanged(change)), .readSound(.all)))
        #expect(
            !stage.receive(.services(.reset(new))).contains {
                if case .notify(.routeChanged) = $0 { true } else { false }
            })
    }

    @Test(arguments: [true, false]) func aResetNotifiesOfACategoryThatChangedMeanwhile(isActive: Bool) {
        var stage = Stage()
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

    @Test func aClosedSessionIgnoresFurtherInputs() {
        var stage = Stage()
        stage.activate()
        let actions = stage.receive(.lifecycle(.managerClosed))
        #expect(actions == [.send(.deactivated(isFinal: true)), .publish, .endEvents])
        #expect(stage.machine.state == .inactive && stage.machine.silenceReasons == [.inactive])
        _ = stage.receive(.surroundingsChanged)
        #expect(stage.machine.silenceReasons == [.inactive])
        #expect(stage.receive(.lifecycle(.closed)).contains(.endEvents))
        #expect(stage.receive(.arbitration(.activated)).isEmpty && stage.machine.phase == .closed)
    }

    @Test func aClosedSessionTakesBackAConfigurationThatWasNotGranted() {
        var stage = Stage()
        let (old, new) = (stage.machine.configuration, AudioSessionConfiguration(.record))
        _ = stage.receive(.configuration(.requested(new)))
        _ = stage.receive(.lifecycle(.closed))
        #expect(stage.receive(.configuration(.denied)) == [.publish])
        #expect(stage.machine.configuration == old)
    }

    /// Without advice there is no claim whose end would end it.
    @Test func anOverrideEndsWithAnInterruptionThatEndsWithoutAdvice() {
        for shouldResume in [false, true] {
            var stage = Stage(.init(.playAndRecord))
            stage.activate()
            _ = stage.receive(.route(.override(.speaker)))
            _ = stage.receive(.arbitration(.began(by: Stage.cause)))
            _ = stage.receive(.arbitration(.ended(shouldResume: shouldResume, withNotice: shouldResume)))
            #expect(stage.machine.chooser.preferences.override == (shouldResume ? .speaker : .none))
            _ = stage.receive(.arbitration(.claimLapsed))
            #expect(stage.machine.chooser.preferences.override == .none)
        }
    }

    @Test(arguments: [false, true]) func onlyAChoiceThatEndsIsTheReasonOfARouteChange(isOverridden: Bool) {
        var stage = Stage(.init(.playAndRecord))
        stage.activate()
        if isOverridden { _ = stage.receive(.route(.override(.speaker))) }
        stage.surroundings.status = .inactive
        let actions = stage.receive(.arbitration(.deactivated))
        let reason: RouteChangeReason? = isOverridden ? .override : nil
        #expect(actions.contains(.ask(.setTargets(stage.machine.routeTargets, reason: reason))))
    }

    @Test func anOverrideIsKeptWhilePipeWireIsAway() {
        var stage = Stage(AudioSessionConfiguration(.playAndRecord))
        stage.surroundings.graph = nil
        #expect(stage.receive(.route(.override(.speaker))) == [.publish])
        #expect(stage.machine.chooser.preferences.override == .speaker)
        #expect(stage.receive(.route(.override(.none))) == [.publish])
        #expect(stage.machine.chooser.preferences.override == .none)
    }

    @Test func theNumbersAreReadBeforeARouteChangeIsNotified() {
        var stage = Stage()
        #expect(stage.receive(.route(.aboutToChange)) == [.readSound(.all)])
        _ = stage.receive(.lifecycle(.closed))
        #expect(stage.receive(.route(.aboutToChange)).isEmpty)
    }

    @Test func aParticipantsReportIsReadableBeforeItIsHandled() {
        var stage = Stage()
        let player = stage.join(.player)
        stage.activate()
        #expect(stage.machine.silenceReasons == [.paused])
        var facts = ParticipantFacts()
        facts.isRunning = true
        stage.machine.foresee(.changed(facts), of: player, in: stage.surroundings)
        #expect(stage.machine.silenceReasons.isEmpty)
        #expect(stage.receive(.participant(player, .changed(facts))).contains(.ask(.setSounding(true))))
    }

    /// How the session learns of the end of a recording before it is reported.
    enum Foreknowledge: CaseIterable { case none, input, mute }

    @Test(arguments: Foreknowledge.allCases)
    func aRecorderThatStopsDoesNotDetermineTheRouteAnyMore(_ foreknowledge: Foreknowledge) {
        var stage = Stage()
        let recorder = stage.join(.recorder)
        var facts = ParticipantFacts()
        (facts.isRunning, facts.isHeard, facts.source) = (true, false, ObjectID(9))
        _ = stage.receive(.participant(recorder, .moved(facts)))
        (facts.isRunning, facts.source) = (false, nil)
        switch foreknowledge {
        case .none: break
        case .input: stage.machine.foresee(.changed(facts), of: recorder, in: stage.surroundings)
        case .mute: _ = stage.receive(.participant(recorder, .muted(facts)))
        }
        let request = SessionAction.ask(.setStreams([], recordingFrom: []))
        #expect(stage.receive(.participant(recorder, .changed(facts))).contains(request))
        #expect(!stage.receive(.participant(recorder, .changed(facts))).contains(request))
    }

    @Test func aSessionBeyondTheLimitCanBeOpenedAgain() {
        var stage = Stage()
        #expect(stage.receive(.lifecycle(.refused)) == [.ask(.close)])
        #expect(stage.machine.phase == .unopened)
        let opened = stage.receive(.lifecycle(.opened))
        let traits = TokenTraits(stage.machine.configuration)
        #expect(opened == [.publish, .ask(.open(traits, stage.machine.routeTargets)), .readSound(.all)])
        #expect(stage.machine.phase == .open)
        #expect(stage.receive(.lifecycle(.opened)).isEmpty)
    }

    @Test func onlyAnOpenSessionIsClosedAtTheManager() {
        var stage = Stage()
        #expect(stage.receive(.lifecycle(.closed)).last == .ask(.close))
        var unopened = SessionStateMachine(AudioSessionConfiguration(.playback))
        #expect(!unopened.receive(.lifecycle(.closed), in: stage.surroundings).contains(.ask(.close)))
    }

    @Test func preferredNumbersReachRunningStreamsBeforeTheSoundIsRead() {
        var stage = Stage()
        var preferences = SoundPreferences()
        preferences.sampleRate = 44_100
        let actions = stage.receive(.sound(.preferred(preferences)))
        #expect(stage.machine.soundPreferences == preferences)
        #expect(
            actions.first == .publish && actions.last == .readSound(.all)
                && actions.contains { if case .send(.properties) = $0 { true } else { false } })
        #expect(stage.receive(.sound(.preferred(preferences))).isEmpty)
    }

    @Test func theSoundOfASessionThatIsNotOpenIsNotRead() {
        var stage = Stage()
        let change = SessionInput.sound(.read(.volume(.output)))
        #expect(stage.receive(change) == [.readSound(.volume(.output))])
        _ = stage.receive(.lifecycle(.managerClosed))
        #expect(stage.receive(change).isEmpty)
    }

    // MARK: Silence

    @Test func otherReasonsForSilenceAreNotifiedLastAndOnce() {
        var stage = Stage()
        stage.surroundings.status = .active()
        let actions = stage.receiveAll(.arbitration(.activated))
        #expect(actions.last == .notify(.silenceReasonsChanged([], at: Stage.time(10))))
        #expect(!stage.receiveAll(.surroundingsChanged).contains { $0.isSilenceChange })
        stage.surroundings.status = .active(duckedGain: 0.5)
        let ducked = AudioSessionSilenceReason.ducked(gain: 0.5, by: [Stage.cause])
        #expect(
            stage.receiveAll(.surroundingsChanged).last
                == .notify(.silenceReasonsChanged([ducked], at: Stage.time(10))))
        #expect(!stage.receiveAll(.lifecycle(.closed)).contains { $0.isSilenceChange }, "its events have ended")
    }

    // MARK: Policies

    @Test func aConfigurationThatIsDeniedKeepsPoliciesThatWereSetMeanwhile() {
        var stage = Stage()
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

    @Test func aSessionFollowsItsRouteAgainWhenPipeWireIsBack() {
        var stage = Stage()
        let targets = stage.machine.routeTargets
        #expect(stage.receive(.services(.back)) == [.ask(.followAgain(targets))])
    }
}

/// One session, and the requests of its state machine.
private struct Stage {
    static let cause = AudioSessionPeer(
        session: AudioSessionID("6ba7b810-9dad-41d1-80b4-00c04fd430c8")!, applicationName: "Phone", processID: 70)

    struct Surroundings: SessionSurroundings {
        var graph: AudioGraph? = AudioGraph()
        let lastGraph = AudioGraph()
        var status: SessionStatus? = .inactive
        var others = OtherSessions()
        var now = Stage.time(10)
    }

    enum Kind { case player, recorder }

    var machine: SessionStateMachine
    var surroundings = Surroundings()
    private var facts: [ParticipantID: ParticipantFacts] = [:]
    private var participants: [Participant] = []

    private final class Participant {}

    init(_ configuration: AudioSessionConfiguration = AudioSessionConfiguration(.playback)) {
        machine = SessionStateMachine(configuration)
        _ = receive(.lifecycle(.opened))
    }

    static func time(_ seconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    static func port(_ uid: String) -> PortDescription {
        PortDescription(type: .headphones, name: uid, uid: uid, direction: .output)
    }

    /// The actions besides the notification of other silence reasons.
    mutating func receive(_ input: SessionInput) -> [SessionAction] {
        receiveAll(input).filter { !$0.isSilenceChange }
    }

    mutating func receiveAll(_ input: SessionInput) -> [SessionAction] { machine.receive(input, in: surroundings) }

    @discardableResult
    mutating func activate() -> [SessionAction] {
        surroundings.status = .active()
        return receive(.arbitration(.activated))
    }

    mutating func interrupt() {
        activate()
        surroundings.status = .interrupted
        _ = receive(.arbitration(.began(by: Self.cause)))
    }

    @discardableResult
    mutating func join(_ kind: Kind, _ change: (inout ParticipantFacts) -> Void = { _ in }) -> ParticipantID {
        let participant = Participant()
        participants.append(participant)
        let id = ParticipantID(participant)
        var new = ParticipantFacts()
        new.isHeard = kind == .player
        change(&new)
        facts[id] = new
        _ = receive(.participant(id, .joined(new)))
        return id
    }

    mutating func change(_ id: ParticipantID, _ change: (inout ParticipantFacts) -> Void) -> [SessionAction] {
        change(&facts[id, default: ParticipantFacts()])
        return receive(.participant(id, .changed(facts[id, default: ParticipantFacts()])))
    }

    mutating func move(_ id: ParticipantID, _ change: (inout ParticipantFacts) -> Void) -> [SessionAction] {
        change(&facts[id, default: ParticipantFacts()])
        return receive(.participant(id, .moved(facts[id, default: ParticipantFacts()])))
    }

    mutating func move(to port: PortDescription) -> [SessionAction] {
        let new = RouteDescription(inputs: [], outputs: [port])
        let change = RouteChange(
            reason: .newDeviceAvailable, previous: machine.route ?? new, current: new, time: surroundings.now)
        return receive(.route(.changed(change)))
    }

    /// A player whose headphones were pulled while it played, in a session that asked for advice.
    @discardableResult
    mutating func stoppedByLoss() -> ParticipantID {
        var configuration = machine.configuration
        configuration.resumesOnReplug = true
        _ = receive(.configuration(.policies(configuration)))
        let player = join(.player)
        activate()
        _ = change(player) { $0.isRunning = true }
        _ = receive(.participant(player, .losesOutput(uid: "headphones", at: Self.time(1))))
        _ = change(player) { ($0.isRunning, $0.isStoppedByRouteLoss) = (false, true) }
        return player
    }

    /// Whether all of these are among the actions, in this order.
    func order(_ actions: [SessionAction], _ wanted: SessionAction...) -> Bool {
        var rest = actions[...]
        for action in wanted {
            guard let place = rest.firstIndex(of: action) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}

extension SessionAction {
    fileprivate var isSilenceChange: Bool { if case .notify(.silenceReasonsChanged) = self { true } else { false } }
}

extension SessionStatus {
    fileprivate static let inactive = SessionStatus(.inactive)
    fileprivate static let advised = SessionStatus(.advised)
    fileprivate static let interrupted = SessionStatus(.interrupted, interruptedBy: [Stage.cause])

    fileprivate static func active(duckedGain: Float = 1, isSilenced: Bool = false) -> Self {
        var status = SessionStatus(.active, gain: duckedGain, duckedBy: duckedGain < 1 ? [Stage.cause] : [])
        status.isSilenced = isSilenced
        return status
    }

    private init(
        _ state: State, gain: Float = 1, interruptedBy: [AudioSessionPeer] = [], duckedBy: [AudioSessionPeer] = []
    ) {
        let id = Stage.cause
        self.init(
            id: id, traits: TokenTraits(), state: state, interruptedBy: interruptedBy, gain: gain, duckedBy: duckedBy)
    }
}

extension SessionAction {
    fileprivate var isChoiceOfTargets: Bool {
        switch self {
        case .ask(.setTargets), .ask(.adoptTargets): true
        default: false
        }
    }
}
