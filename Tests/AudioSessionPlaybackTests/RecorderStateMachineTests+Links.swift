import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Streams that the session manager leaves without a link.
extension RecorderStateMachineTests {
    /// Nothing of the other microphone is captured before it is reported.
    @Test func anInputContinuesOnAnotherMicrophoneThatIsReportedFirst() {
        var model = RecorderModel(continuesOnOtherInput: true)
        model.record()
        model.observe(Self.headset)
        #expect(model.records)
        model.send(.observed(InputObservation(source: ObjectID(6), port: Self.internalMic, isFormerGone: true)))
        #expect(model.machine.state == .recording && model.streams == 2)
        #expect(model.received.last == .microphoneLost(Self.headset))
        #expect(model.machine.input == nil)
        model.send(.observed(InputObservation()))
        #expect(!model.records)
        model.observe(Self.internalMic)
        #expect(model.records)
        #expect(model.received.last == .inputChanged(Self.internalMic))
        model.advance(by: .seconds(5))
        #expect(model.machine.state == .recording)
    }

    @Test func anInputWithoutAnotherMicrophoneStopsAfterThreeSeconds() {
        var model = RecorderModel(continuesOnOtherInput: true)
        model.record()
        model.observe(Self.headset)
        model.send(.observed(InputObservation(isFormerGone: true)))
        model.send(.observed(InputObservation()))
        model.advance(by: .seconds(2.9))
        #expect(model.machine.state == .recording && !model.records)
        model.advance(by: .seconds(0.2))
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func anUnlinkedStreamIsReplaced() {
        var model = recording()
        model.observeNoLink()
        #expect(!model.records)
        model.advance(by: .milliseconds(2900))
        model.observeNoLink()
        #expect(model.streams == 1)
        for renewal in 1...3 {
            model.advance(by: .milliseconds(3001))
            #expect(model.streams == 1 + renewal && model.checkpoints == renewal)
            model.observeNoLink()
        }
        model.observe(Self.internalMic)
        #expect(model.records, "in the same recording")
        #expect(model.received == [.stateChanged(.recording), .inputChanged(Self.internalMic)])
        model.observeNoLink()
        for _ in 1...4 {
            model.advance(by: .milliseconds(3001))
            model.observeNoLink()
        }
        #expect(model.streams == 7, "one that was linked may be left out again, three times")
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func aStreamThatWasNeverLinkedIsReplacedAsWell() {
        var model = RecorderModel()
        model.record()
        model.observeNoLink()
        model.advance(by: .milliseconds(3001))
        #expect(model.streams == 2)
        model.observe(Self.internalMic)
        #expect(model.records)
    }

    @Test func theNextSessionManagerMayLinkTheStream() {
        var model = recording()
        model.observeNoLink()
        for _ in 1...3 {
            model.advance(by: .milliseconds(3001))
            model.observeNoLink()
        }
        #expect(model.streams == 4)
        model.send(.observed(InputObservation(hasSessionManager: false)))
        model.advance(by: .milliseconds(5000))
        #expect(model.streams == 4, "no session manager links it")
        model.observeNoLink()
        model.advance(by: .milliseconds(3001))
        #expect(model.streams == 5)
    }

    @Test func aStreamWithoutAMicrophoneIsNotReplaced() {
        var model = recording()
        model.observeNoLink()
        model.advance(by: .milliseconds(900))
        model.send(.observed(InputObservation()))
        model.advance(by: .milliseconds(101))
        #expect(model.streams == 1)
        model.write()
        #expect(model.reasons == [.microphoneLost])
    }

    @Test func aMutedRecordingStaysMutedWhenItsStreamIsReplaced() {
        var model = recording(isMuted: true)
        model.observeNoLink()
        model.advance(by: .milliseconds(3001))
        model.observe(Self.internalMic)
        #expect(model.streams == 2 && model.isMuted)
        #expect(model.received.count { $0 == .microphoneMuted(by: .program) } == 1)
    }
}
