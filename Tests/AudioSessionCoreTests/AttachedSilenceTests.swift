import Testing

@testable import AudioSessionCore

/// When a session silences the streams that are attached to it.
@Suite struct AttachedSilenceTests {
    private typealias Event = HostedProgramStateMachine.Event

    private func time(_ seconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    /// Returns the state machine after the loss of the output.
    private func afterLoss(isAttached: Bool = true) -> HostedProgramStateMachine {
        var machine = HostedProgramStateMachine(isAttached: isAttached)
        _ = machine.receive(.activated)
        let actions = machine.receive(.outputLost("headphones", at: time(10)))
        #expect(actions == (isAttached ? [] : [.silenceForLoss]) + [.readRoute])
        #expect(machine.mutesAll == isAttached && machine.loss != nil)
        return machine
    }

    /// The program pauses its own players.
    @Test func attachedStreamsAreMutedDuringAnInterruption() {
        var machine = HostedProgramStateMachine(isAttached: true)
        _ = machine.receive(.activated)
        #expect(machine.receive(.interrupted) == [] && machine.mutesAll)
        #expect(machine.receive(.activated) == [] && !machine.mutesAll)
    }

    /// The program knows of the loss, and decides when it plays.
    @Test func theProgramOfAttachedStreamsEndsTheirSilence() {
        for event in [Event.lossDismissed(at: time(12)), .deactivated] {
            var machine = afterLoss()
            #expect(machine.receive(event) == [] && !machine.mutesAll, "\(event)")
            _ = machine.receive(.outputLost("headphones", at: time(11)))
            #expect(!machine.mutesAll, "it was reported late")
        }
        var hosted = afterLoss(isAttached: false)
        #expect(hosted.receive(.lossDismissed(at: time(12))) == [] && hosted.loss != nil)
    }

    /// Nothing starts by itself after a loss.
    @Test func attachedStreamsStaySilentAfterAnInterruptionThatFollowsALoss() {
        var machine = afterLoss()
        for event in [Event.interrupted, .interruptionEnded(shouldResume: false), .deactivated] {
            _ = machine.receive(event)
            #expect(machine.mutesAll, "\(event)")
        }
        var other = machine
        _ = machine.receive(.activated)
        #expect(!machine.mutesAll)
        _ = other.receive(.lossDismissed(at: time(20)))
        #expect(!other.mutesAll, "it is deactivated")
    }

    /// They are unchanged while the session is inactive.
    @Test func aDeactivationEndsTheDangerToAttachedStreams() {
        var machine = HostedProgramStateMachine(isAttached: true)
        _ = machine.receive(.activated)
        _ = machine.receive(.outputEndangered(at: time(10)))
        #expect(machine.isEndangered)
        _ = machine.receive(.deactivated)
        #expect(!machine.isEndangered)
    }

    @Test func onlySessionsThatPauseSilenceAttachedStreamsAtALoss() {
        var configuration = AudioSessionConfiguration(.playback)
        #expect(configuration.silencesAttachedStreamsAtLoss)
        configuration.pausesOnRouteLoss = false
        #expect(!configuration.silencesAttachedStreamsAtLoss)
        #expect(!AudioSessionConfiguration(.playback, options: .mixWithOthers).silencesAttachedStreamsAtLoss)
        #expect(!AudioSessionConfiguration(.playAndRecord, mode: .voiceChat).silencesAttachedStreamsAtLoss)
    }
}
