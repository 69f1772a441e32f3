import Testing

@testable import AudioSessionCore

@Suite struct UnmanagedProgramsStateMachineTests {
    private typealias Event = UnmanagedProgramsStateMachine.Event
    private typealias Action = UnmanagedProgramsStateMachine.Action

    /// The actions of the last of these events.
    private func actions(_ events: Event...) -> [Action] {
        var machine = UnmanagedProgramsStateMachine()
        return events.reduce([]) { machine.receive($1) }
    }

    private let deactivation = Event.deactivated(notifiesOthers: true)
    private let end = Action.players(.turnEnded(restores: true))

    @Test func thePolicyOfAnActiveSessionDecides() {
        for (policy, turn) in [
            (.pause, .turnBegan), (.silence, .silenceBegan), (.duck, .turnEnded(restores: true)),
            (.leave, .turnEnded(restores: true)),
        ] as [(UnmanagedProgramsStateMachine.Policy, UnmanagedPlayers.Event)] {
            #expect(actions(.activated(policy)) == [.players(turn), .duck(policy == .duck)])
            #expect(actions(.activated(.pause), deactivation, .activated(policy)).first == .players(turn))
        }
    }

    @Test func anotherPolicyAppliesAtOnceWhileTheSessionIsActive() {
        #expect(actions(.policyRead(.duck)) == [], "the session was never active")
        #expect(actions(.activated(.pause), .policyRead(.pause)) == [])
        #expect(actions(.activated(.pause), .policyRead(.duck)) == [end, .duck(true)])
        #expect(actions(.activated(.pause), .policyRead(.duck), .policyRead(.duck)) == [])
        #expect(actions(.activated(.pause), .interrupted, .policyRead(.duck)) == [])
        #expect(actions(.activated(.pause), deactivation, .policyRead(.duck)) == [])
    }

    @Test func playersAreRestoredAfterADeactivationThatNotifiesOthers() {
        #expect(actions(.activated(.pause), deactivation) == [end, .duck(false)])
        #expect(
            actions(.activated(.pause), .deactivated(notifiesOthers: false)) == [
                .players(.turnEnded(restores: false)), .duck(false),
            ])
    }

    @Test func playersStayPausedWhileAnInterruptedSessionMayReturn() {
        let advice = Event.interruptionEnded(shouldResume: true)
        #expect(actions(.activated(.pause), .interrupted) == [.players(.interrupted), .duck(false)])
        #expect(actions(.activated(.pause), .interrupted, advice) == [.players(.turnPaused)])
        #expect(actions(.activated(.pause), .interrupted, advice, deactivation) == [.duck(false)])
        #expect(
            actions(.activated(.pause), .interrupted, advice, deactivation, .activated(.pause), deactivation)
                == [end, .duck(false)])
        let noAdvice = Event.interruptionEnded(shouldResume: false)
        #expect(actions(.activated(.pause), .interrupted, noAdvice) == [])
        #expect(actions(.activated(.pause), .interrupted, noAdvice, deactivation) == [end, .duck(false)])
    }

    /// The session was deactivated, or its claim has lapsed.
    @Test func playersAreRestoredWhenTheAdviceEnds() {
        let ended = Event.silenceReasonsChanged(isAdvised: false, notifiesOthers: true)
        let lasts = Event.silenceReasonsChanged(isAdvised: true, notifiesOthers: true)
        #expect(actions(.activated(.pause), ended) == [], "the session is active")
        #expect(actions(.activated(.pause), .interrupted, ended) == [])
        let advice = Event.interruptionEnded(shouldResume: true)
        #expect(actions(.activated(.pause), .interrupted, advice, deactivation, lasts) == [])
        #expect(actions(.activated(.pause), .interrupted, advice, deactivation, ended) == [end])
    }

    @Test func playersThatAppearAreListedUnderAPolicyThatPausesThem() {
        var machine = UnmanagedProgramsStateMachine()
        #expect(!machine.pausesPlayers)
        for (policy, pauses) in [(.pause, true), (.duck, false), (.silence, true), (.leave, false)]
            as [(UnmanagedProgramsStateMachine.Policy, Bool)]
        {
            _ = machine.receive(.activated(policy))
            #expect(machine.pausesPlayers == pauses)
        }
    }
}
