import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Calls that wait for the session's activation, and their cancellation.
@Suite struct RecorderRequestTests {
    private let microphone = PortDescription(type: .headsetMic, name: "m", uid: "m", direction: .input)

    private func paused(by event: RecorderEvent = .pause) -> RecorderModel {
        var model = RecorderModel(continues: true)
        model.record()
        model.observe(microphone)
        model.send(event)
        return model
    }

    @Test(arguments: [RecorderEvent.pause, .stop, .close])
    func aCancelledRequestRecordsNothing(event: RecorderEvent) {
        var model = RecorderModel()
        model.send(.recordRequested)
        #expect(model.machine.request == .record)
        model.send(event)
        #expect(model.machine.request == .cancelledRecord && model.machine.isStarting)
        model.send(.record(path: nil))
        #expect(model.machine.state == .stopped)
        model.send(.recordReturned)
        #expect(!model.machine.isStarting)
        model.record()
        #expect(model.machine.state == .recording && !model.machine.isStarting)
    }

    /// The call that was cancelled has yet to return.
    @Test func aRequestAfterAStopCounts() {
        var model = RecorderModel()
        model.send(.recordRequested)
        model.send(.stop)
        model.send(.recordRequested)
        model.send(.recordReturned)
        #expect(model.machine.isStarting)
        model.send(.record(path: nil))
        #expect(model.machine.state == .recording)
        model.send(.recordReturned)
        #expect(model.machine.state == .recording && !model.machine.isStarting)
    }

    @Test func nothingIsRecordedUnlessRequested() {
        var model = RecorderModel()
        model.send(.record(path: nil))
        model.send(.resume)
        #expect(model.machine.state == .stopped)
    }

    @Test func aResumeThatFailedIsNotGrantedLater() {
        var model = paused()
        let state = model.machine.state
        model.send(.resumeRequested)
        model.send(.resumeReturned)
        model.send(.resume)
        #expect(model.machine.state == state)
    }

    /// The session's activation is granted to the call that still waits.
    @Test func aResumeCountsAfterAnotherOneFailed() {
        var model = paused()
        model.send(.resumeRequested)
        model.send(.resumeRequested)
        model.send(.resumeReturned)
        model.send(.resume)
        #expect(model.machine.state == .recording)
        model.send(.resumeReturned)
        #expect(model.machine.state == .recording && model.machine.request == .none)
    }

    @Test(arguments: [RecorderEvent.pause, .stop]) func aCancelledResumeRecordsNothing(event: RecorderEvent) {
        var model = paused()
        model.send(.resumeRequested)
        model.send(event)
        let state = model.machine.state
        model.send(.resume)
        #expect(model.machine.state == state)
        model.record()
        #expect((model.machine.state == .recording) == (state == .stopped))
    }

    @Test(arguments: [
        (AudioSessionState.active, true, AudioRecorder.State.recording),
        (.interrupted, false, .paused(reason: .interrupted)), (.interrupted, true, .paused(reason: .interrupted)),
        (.inactive, false, .stopped),
    ])
    func theEndOfAnInterruptionActivatesTheSession(
        session: AudioSessionState, isGranted: Bool, state: AudioRecorder.State
    ) {
        var model = paused(by: .sessionInterrupted)
        model.send(.interruptionEnded(shouldResume: true))
        #expect(model.activations == 1)
        model.send(.activationEnded(session, isGranted: isGranted))
        #expect(model.machine.state == state)
    }

    @Test func aPauseOverrulesTheAdvice() {
        var model = paused(by: .sessionInterrupted)
        model.send(.interruptionEnded(shouldResume: true))
        model.send(.pause)
        model.send(.activationEnded(.active, isGranted: true))
        #expect(model.machine.state == .paused(reason: .user))
    }

    /// Another stream would be a gap in the file.
    @Test func aMicrophoneInUseKeepsItsStream() {
        var model = RecorderModel()
        model.record()
        model.observe(
            PortDescription(type: .headsetMic, name: "m", uid: "m", direction: .input, nodeName: "mic"))
        model.send(.inputChosen(source: "mic"))
        #expect(model.streams == 1)
        model.send(.inputChosen(source: "other"))
        #expect(model.streams == 2)
    }

    // MARK: Messages

    @Test func theStreamIsObservedWithItsNodeAndItsFormerMicrophone() {
        var model = RecorderModel()
        model.send(.inputChanged)
        #expect(model.requests.isEmpty, "there is no stream")
        model.record()
        model.send(.streamNode(ObjectID(7)))
        model.observe(microphone)
        model.send(.inputChanged)
        #expect(
            model.requests == [
                .observeInput(of: ObjectID(7), former: nil), .observeInput(of: ObjectID(7), former: microphone),
            ])
    }

    @Test func theSessionReceivesMutesSourcesAndTheEnd() {
        var model = RecorderModel(isMuted: true)
        model.send(.join)
        model.record()
        var facts = ParticipantFacts()
        facts.isHeard = false
        #expect(model.reports.first == .joined(facts))
        (facts.isRunning, facts.isInputMuted, facts.title) = (true, true, "Recording")
        #expect(model.reports[1...] == [.muted(facts), .changed(facts)])
        model.observe(microphone)
        facts.source = ObjectID(5)
        #expect(model.reports.last == .moved(facts))
        model.send(.muted(false))
        facts.isInputMuted = false
        #expect(model.reports.last == .muted(facts))
        model.send(.close)
        facts = ParticipantFacts()
        facts.isHeard = false
        #expect(model.reports.suffix(2) == [.changed(facts), .left])
    }
}
