import Testing

@testable import AudioSessionCore

@Suite struct HostedProgramStateMachineTests {
    private typealias Event = HostedProgramStateMachine.Event
    private typealias Action = HostedProgramStateMachine.Action

    private func actions(_ events: Event...) -> [Action] {
        var machine = HostedProgramStateMachine()
        return events.flatMap { machine.receive($0) }
    }

    @Test func aHostedProgramIsSilentWhileItsSessionIsInterrupted() {
        #expect(actions(.activated) == [])
        #expect(
            actions(.activated, .interrupted, .interrupted, .interruptionEnded(shouldResume: true), .activated) == [
                .silence, .unsilence(resumes: true),
            ])
    }

    /// A hosted program cannot end a mute itself, and would stay silent.
    @Test func withoutAdviceToResumeItsPlayersStayPausedAndItsStreamsAreHeard() {
        #expect(
            actions(.activated, .interrupted, .interruptionEnded(shouldResume: false), .deactivated, .activated) == [
                .silence, .unsilence(resumes: false),
            ])
    }

    @Test func takingBackOrDeactivatingEndsTheSilence() {
        for event in [Event.activated, .deactivated] {
            #expect(actions(.interrupted, event) == [.silence, .unsilence(resumes: true)])
        }
    }

    @Test func aHostedProgramHasTheGainOfItsSession() {
        #expect(actions(.activated, .ducked(200), .ducked(200), .ducked(1000)) == [.duck(200), .duck(1000)])
        #expect(actions(.activated, .ducked(200), .deactivated) == [.duck(200), .duck(1000)])
        #expect(
            actions(.activated, .ducked(200), .interrupted) == [.duck(200), .duck(1000), .silence],
            "an interrupted session is silent, whatever ducks")
    }
}
