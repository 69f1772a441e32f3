import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

@Suite struct RecorderStateMachineTests {
    static let internalMic = microphone("internal")
    static let headset = microphone("headset")

    static func microphone(_ uid: String) -> PortDescription {
        PortDescription(type: .headsetMic, name: uid, uid: uid, direction: .input)
    }

    func recording(
        continues: Bool = false, isMuted: Bool = false, from port: PortDescription = internalMic
    ) -> RecorderModel {
        var model = RecorderModel(continues: continues, isMuted: isMuted)
        model.record()
        model.observe(port)
        return model
    }

    @Test func aRecordingBeginsContinuesAndEndsWithItsFile() {
        var model = recording()
        #expect(model.received == [.stateChanged(.recording), .inputChanged(Self.internalMic)])
        #expect(model.records)
        model.send(.stop)
        #expect(!model.records)
        #expect(model.received.last == .stateChanged(.stopped))
        model.write()
        #expect(model.reasons == [.stopped])
    }

    @Test(arguments: [
        (RecorderEvent.sessionInterrupted, AudioRecorder.FinishReason.interrupted),
        (.sessionDeactivated, .sessionDeactivated), (.configurationChanged(allowsRecording: false), .categoryChanged),
        (.connectionLost, .mediaServicesLost),
        (.streamFailed(AudioSessionError(.inputFailed, "")), .failed),
        (.writer(.failed(1, AudioSessionError(.cannotWrite, ""))), .failed),
    ])
    func eachEndKeepsTheRecordedFramesAndHasAReason(event: RecorderEvent, reason: AudioRecorder.FinishReason) {
        var model = recording()
        model.send(event)
        #expect(!model.records)
        #expect(model.machine.state == .stopped)
        model.write()
        #expect(model.reasons == [reason])
        // Another recording may begin.
        model.record()
        model.observe(Self.internalMic)
        #expect(model.records)
    }

    /// The end of a file is written when the recording has stopped.
    @Test func aFileThatCannotBeCompletedIsAFailure() {
        var model = recording()
        model.send(.stop)
        let error = AudioSessionError(.cannotWrite, "full")
        model.send(.writer(.failed(1, error)))
        #expect(model.received.last == .failed(error))
        model.write()
        #expect(model.reasons == [.failed])
        // It is notified of its own recording only.
        model.send(.writer(.failed(1, error)))
        #expect(model.received.count { $0 == .failed(error) } == 1)
    }

    @Test func aRecorderThatFollowsAdviceWaitsThroughAnInterruption() {
        var model = recording(continues: true)
        model.send(.sessionInterrupted)
        #expect(model.machine.state == .paused(reason: .interrupted))
        #expect(!model.records)
        #expect(model.checkpoints == 1)
        model.resume()
        model.observe(Self.internalMic)
        #expect(model.records)
        model.send(.sessionInterrupted)
        model.send(.interruptionEnded(shouldResume: false))
        model.write()
        #expect(model.reasons == [.interrupted])
    }

    /// The interruption ends without advice, or the activation is refused.
    @Test(arguments: [false, true]) func aRecordingThatStaysPausedIsContinuedInItsFile(isAdvised: Bool) {
        var model = RecorderModel(continues: true, staysPaused: true)
        model.record()
        model.observe(Self.internalMic)
        model.send(.sessionInterrupted)
        model.send(.interruptionEnded(shouldResume: isAdvised))
        if isAdvised { model.send(.activationEnded(.inactive, isGranted: false)) }
        #expect(model.machine.state == .paused(reason: .user) && model.activations == (isAdvised ? 1 : 0))
        // The end of a later interruption does not resume it.
        model.send(.sessionInterrupted)
        model.send(.interruptionEnded(shouldResume: true))
        #expect(model.machine.state == .paused(reason: .user) && model.activations == (isAdvised ? 1 : 0))
        model.resume()
        model.observe(Self.internalMic)
        #expect(model.records && model.machine.recording == 1)
        model.send(.stop)
        model.write()
        #expect(model.reasons == [.stopped])
    }

    /// As in a program that deactivates its session at the beginning of an interruption.
    @Test(arguments: [RecorderEvent.sessionDeactivated, .configurationChanged(allowsRecording: false)])
    func aRecordingThatStaysPausedOutlivesADeactivation(event: RecorderEvent) {
        for pause in [RecorderEvent.sessionInterrupted, .pause] {
            var model = RecorderModel(continues: true, staysPaused: true)
            model.record()
            model.observe(Self.internalMic)
            model.send(pause)
            model.send(event)
            model.send(.interruptionEnded(shouldResume: true))
            #expect(model.machine.state == .paused(reason: .user) && model.activations == 0)
            model.resume()
            model.observe(Self.internalMic)
            #expect(model.records && model.machine.recording == 1)
            model.send(event)
            model.write()
            #expect(model.machine.state == .stopped && model.reasons.count == 1, "it was not paused")
        }
    }

    @Test func aChosenMicrophoneContinuesTheSameRecording() {
        var model = recording()
        model.send(.inputChosen(source: nil))
        #expect(!model.records && model.machine.state == .recording)
        #expect(model.checkpoints == 1)
        model.observe(Self.headset)
        #expect(model.records)
        #expect(
            model.received == [
                .stateChanged(.recording), .inputChanged(Self.internalMic), .inputChanged(Self.headset),
            ])
        model.send(.stop)
        model.write()
        #expect(model.reasons == [.stopped])
        model.send(.inputChosen(source: nil))
        #expect(!model.records)
    }

    @Test func aMicrophoneRemovedDuringThePauseIsNotReplaced() {
        var model = recording()
        model.send(.pause)
        model.resume()
        model.send(.observed(InputObservation(source: ObjectID(9), port: Self.headset)))
        #expect(!model.records)
        model.advance(by: .milliseconds(3001))
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func aPausedRecordingIgnoresAnInterruption() {
        var model = recording()
        model.send(.pause)
        #expect(model.checkpoints == 1)
        model.send(.sessionInterrupted)
        model.send(.interruptionEnded(shouldResume: false))
        #expect(model.machine.state == .paused(reason: .user))
        model.resume()
        model.observe(Self.internalMic)
        #expect(model.records)
    }

    // MARK: The microphone

    @Test func aRemovedMicrophoneEndsTheRecordingAtOnce() {
        var model = recording()
        model.send(.observed(InputObservation(isFormerGone: true)))
        #expect(!model.records)
        #expect(model.received.contains(.microphoneLost(Self.internalMic)))
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func anotherMicrophoneIsNotRecordedDuringAPendingLoss() {
        var model = recording()
        model.send(.observed(InputObservation(source: ObjectID(9), port: Self.headset)))
        #expect(!model.records)
        #expect(model.machine.state == .recording)
        model.advance(by: .milliseconds(500))
        model.observe(Self.internalMic)
        #expect(model.records)
        #expect(!model.received.contains(.inputChanged(Self.headset)))
    }

    @Test func aMicrophoneThatDoesNotReturnIsLost() {
        var model = recording()
        model.send(.observed(InputObservation(source: ObjectID(9), port: Self.headset)))
        model.advance(by: .milliseconds(1001))
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func anotherMicrophoneThatTheUserChoseIsRecorded() {
        var model = recording()
        model.send(
            .observed(InputObservation(source: ObjectID(9), port: Self.headset, isFormerAvailable: true)))
        #expect(model.records)
        #expect(model.received.last == .inputChanged(Self.headset))
        #expect(model.machine.input == Self.headset)
    }

    @Test func aLateSessionManagerIsWaitedFor() {
        var model = recording()
        model.send(.observed(InputObservation(hasSessionManager: false)))
        for _ in 0..<20 { model.advance(by: .seconds(1)) }
        #expect(model.machine.state == .recording)
        model.send(.observed(InputObservation(hasSessionManager: true)))
        model.advance(by: .seconds(2))
        model.observe(Self.internalMic)
        #expect(model.records)
    }

    @Test func aSessionManagerThatReturnsWithoutTheMicrophoneEndsTheRecording() {
        var model = recording()
        model.send(.observed(InputObservation(hasSessionManager: false)))
        model.send(.observed(InputObservation(hasSessionManager: true)))
        model.advance(by: .milliseconds(3001))
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func withoutAMicrophoneTheRecordingEndsWithAReason() {
        var model = RecorderModel()
        model.record()
        model.advance(by: .milliseconds(3001))
        #expect(
            model.received.contains {
                if case .failed(let error, _) = $0 { error.code == .noMicrophone } else { false }
            })
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func anotherMicrophoneHasItsOwnMute() {
        var model = recording()
        model.send(.observed(InputObservation(source: ObjectID(5), port: Self.internalMic, isMuted: true)))
        model.send(.inputChosen(source: nil))
        model.observe(Self.headset)
        #expect(model.received.contains(.microphoneUnmuted(by: .user)))
    }

    @Test func aJackWithoutDetectionIsNoLoss() {
        var model = RecorderModel()
        model.record()
        let seen = InputObservation(source: ObjectID(5), port: Self.headset, isFormerGone: true)
        model.send(.observed(seen))
        #expect(model.records)
        model.send(.observed(seen))
        #expect(model.records)
    }

    @Test func aMicrophoneWithoutFramesIsReportedAsSilent() {
        var model = recording()
        for _ in 0..<10 {
            model.counters.frames += 48_000
            model.advance(by: .seconds(1))
        }
        #expect(model.records)
        model.advance(by: .seconds(1))
        #expect(model.records, "once may be a process that was stopped")
        model.advance(by: .seconds(1))
        model.write()
        #expect(model.reasons == [.failed])
    }

    // MARK: Mutes

    @Test func mutesAreNotifiedOnlyWhileRecording() {
        var model = recording(isMuted: true)
        #expect(model.isMuted)
        #expect(model.received.contains(.microphoneMuted(by: .program)))
        #expect(model.machine.isMuted)
        model.send(.muted(false))
        #expect(!model.isMuted)
        #expect(model.received.last == .microphoneUnmuted(by: .program))
        var seen = InputObservation(source: ObjectID(5), port: Self.internalMic, isMuted: true)
        model.send(.observed(seen))
        model.send(.observed(seen))
        #expect(model.received.last == .microphoneMuted(by: .user))
        model.send(.stop)
        let count = model.received.count
        seen.isMuted = false
        model.send(.observed(seen))
        model.send(.muted(true))
        #expect(model.received.count == count)
    }

    @Test func zerosAreReportedUnlessTheyAreExplained() {
        var model = recording()
        model.send(.writer(.zeros(stream: 1, true)))
        #expect(model.received.last == .microphoneSilent(at: .never))
        model.send(.writer(.zeros(stream: 1, false)))
        model.send(.muted(true))
        let count = model.received.count
        model.send(.writer(.zeros(stream: 1, true)))
        #expect(model.received.count == count)
    }

    /// The writer reports later than the stream is replaced.
    @Test func zerosOfAFormerMicrophoneDoNotCount() {
        var model = recording()
        model.send(.inputChosen(source: "other"))
        model.send(.writer(.zeros(stream: 1, true)))
        #expect(!model.received.contains(.microphoneSilent(at: .never)))
        model.send(.writer(.zeros(stream: 2, true)))
        #expect(model.received.last == .microphoneSilent(at: .never))
    }

    /// Zeros before the end of a mute do not count, and the writer reports them once.
    @Test(arguments: [true, false]) func silenceAfterAMuteIsReportedTwoSecondsLater(beginsMuted: Bool) {
        var model = recording()
        model.send(.muted(true))
        if beginsMuted { model.send(.writer(.zeros(stream: 1, true))) }
        model.capture(.seconds(1))
        model.send(.muted(false))
        if !beginsMuted { model.send(.writer(.zeros(stream: 1, true))) }
        model.capture(.seconds(1.5))
        #expect(!model.received.contains(.microphoneSilent(at: .never)))
        model.capture(.seconds(1))
        #expect(model.received.last == .microphoneSilent(at: .never))
        model.capture(.seconds(1))
        #expect(model.received.count { $0 == .microphoneSilent(at: .never) } == 1)
    }

    @Test func soundAfterAMuteIsNoSilence() {
        var model = recording()
        model.send(.muted(true))
        model.send(.writer(.zeros(stream: 1, true)))
        model.send(.muted(false))
        model.send(.writer(.zeros(stream: 1, false)))
        for _ in 1...3 { model.capture(.seconds(1)) }
        #expect(!model.received.contains(.microphoneSilent(at: .never)))
    }

    /// Between two links the recording is not on the default input.
    @Test func aRecordingThatMovesKeepsItsSource() {
        var model = recording()
        model.observeNoLink()
        #expect(model.machine.facts.source == ObjectID(5))
        model.send(.observed(InputObservation(source: ObjectID(6), port: Self.headset, isFormerAvailable: true)))
        #expect(model.machine.facts.source == ObjectID(6))
    }

    @Test func missingFramesAreReported() {
        var model = recording()
        model.counters.dropped = 100
        model.advance(by: .seconds(1))
        #expect(model.received.contains(.overrun(frames: 100)))
    }

    // MARK: Anything

    /// In any order of events the model's own expectations hold, and each recording ends once.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func anyOrderOfEventsIsValid(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var model = RecorderModel(continues: Bool.random(using: &random))
        let ports: [PortDescription?] = [nil, Self.internalMic, Self.headset]
        for _ in 0..<300 {
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1: if model.machine.state == .stopped { model.record() }
            case 2: model.send(.pause)
            case 3: model.resume()
            case 4: model.send(.stop)
            case 5:
                model.send(
                    [
                        .sessionInterrupted, .interruptionEnded(shouldResume: false),
                        .configurationChanged(allowsRecording: false),
                    ].randomElement(
                        using: &random)!)
            case 6: model.send(.muted(.random(using: &random)))
            case 7: model.send([.connectionLost, .sessionDeactivated].randomElement(using: &random)!)
            case 8: model.write()
            case 9: model.observe(Self.internalMic)
            case 10, 11:
                model.counters.frames += .random(in: 0...1, using: &random)
                model.advance(by: .milliseconds(.random(in: 0...1500, using: &random)))
            default:
                model.send(
                    .observed(
                        InputObservation(
                            source: Bool.random(using: &random) ? ObjectID(.random(in: 1...3, using: &random)) : nil,
                            port: ports.randomElement(using: &random)!, isMuted: .random(using: &random),
                            isFormerAvailable: .random(using: &random),
                            isFormerGone: Int.random(in: 0..<9, using: &random) == 0,
                            hasSessionManager: Int.random(in: 0..<5, using: &random) > 0)))
            }
        }
        model.send(.stop)
        model.write()
        #expect(model.reasons.count == Int(model.machine.recording))
    }
}
