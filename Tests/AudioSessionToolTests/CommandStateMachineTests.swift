import Glibc
import Testing

@testable import AudioSessionTool

/// The decisions of `audiosession with`.
@Suite struct CommandStateMachineTests {
    private func actions(
        _ events: CommandStateMachine.Event..., anyway: Bool = false, require: Bool = false
    ) -> [CommandStateMachine.Action] {
        var machine = CommandStateMachine("speak", runsAnyway: anyway, requiresSession: require)
        return events.flatMap { machine.receive($0) }
    }

    @Test(
        arguments: [(.code(0), 0), (.code(3), 3), (.code(127), 127), (.signal(SIGTERM), 143)] as [(CommandEnd, Int32)]
    )
    func theExitCodeIsThatOfTheCommand(end: CommandEnd, code: Int32) {
        #expect(actions(.activated, .started, .ended(end)) == [.start, .exit(code)])
    }

    @Test func ifTheActivationIsRefusedTheCommandDoesNotRunUnlessRequested() {
        let refusal = CommandStateMachine.Event.notActivated(.refused, reason: "a call")
        #expect(actions(refusal) == [.warn("a call"), .exit(75)])
        #expect(actions(refusal, anyway: true) == [.warn("a call"), .start])
        #expect(actions(refusal, require: true) == [.warn("a call"), .exit(75)])
    }

    @Test func withoutPipeWireTheCommandRunsUnlessASessionIsRequired() {
        let failure = CommandStateMachine.Event.notActivated(.unavailable, reason: "no PipeWire")
        #expect(actions(failure) == [.warn("no PipeWire"), .start])
        #expect(actions(failure, require: true) == [.warn("no PipeWire"), .exit(69)])
        #expect(actions(failure, anyway: true, require: true) == [.warn("no PipeWire"), .exit(69)])
    }

    @Test(arguments: [(ENOENT, 127), (EACCES, 126), (E2BIG, 126), (EISDIR, 126)] as [(Int32, Int32)])
    func aCommandThatCannotBeRunHasTheExitCodeOfEnv(error: Int32, code: Int32) {
        let all = actions(.activated, .notStarted(error))
        #expect(all.last == .exit(code))
        guard case .warn(let text) = all[1] else { return #expect(Bool(false), "\(all)") }
        #expect(text.contains("'speak'"))
    }

    // MARK: Signals

    @Test func aSignalOfAProcessIsForwardedAndOneOfTheTerminalReachesTheCommandItself() {
        for number in [SIGTERM, SIGINT, SIGHUP, SIGTSTP] {
            #expect(
                actions(.activated, .started, .signaled(number, isFromTerminal: false)) == [.start, .forward(number)])
            #expect(actions(.activated, .started, .signaled(number, isFromTerminal: true)) == [.start])
        }
    }

    @Test func aSignalBeforeTheCommandRunsEndsIt() {
        for isFromTerminal in [false, true] {
            #expect(actions(.signaled(SIGINT, isFromTerminal: isFromTerminal)) == [.exit(130)])
            #expect(actions(.signaled(SIGTSTP, isFromTerminal: isFromTerminal)) == [])
        }
        #expect(actions(.signaled(SIGTERM, isFromTerminal: false), .activated, .started) == [.exit(143)])
    }

    /// The command may have been started just before the signal arrived, or just after.
    @Test func aSignalWhileTheCommandIsStartedIsForwarded() {
        for isFromTerminal in [false, true] {
            for number in [SIGTERM, SIGINT, SIGTSTP] {
                #expect(
                    actions(.activated, .signaled(number, isFromTerminal: isFromTerminal), .started)
                        == [.start, .forward(number)])
            }
        }
        #expect(
            actions(.activated, .signaled(SIGTTOU, isFromTerminal: true), .started) == [.start],
            "the tool itself has used the terminal")
        #expect(
            actions(.activated, .signaled(SIGTERM, isFromTerminal: false), .notStarted(ENOENT)).last == .exit(127))
    }

    /// The command has ended, and the tool restores others.
    @Test func aSignalAtTheEndEndsTheWaitForAHeadset() {
        for isFromTerminal in [false, true] {
            for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1] {
                let signal = CommandStateMachine.Event.signaled(number, isFromTerminal: isFromTerminal)
                let answer: [CommandStateMachine.Action] = [SIGTSTP, SIGUSR1].contains(number) ? [] : [.stopWaiting]
                #expect(
                    actions(.activated, .started, .ended(.code(3)), signal, .restored)
                        == [.start, .exit(3)] + answer + [.leave], "\(number)")
            }
        }
    }

    @Test func whileTheCommandIsStoppedTheSessionIsInactive() {
        for number in [SIGTSTP, SIGTTIN, SIGTTOU] {
            #expect(
                actions(.activated, .started, .stopped(number), .resumed, .continued) == [
                    .start, .deactivate, .stop, .forward(SIGCONT), .activate,
                ])
        }
        #expect(
            actions(.activated, .started, .stopped(SIGSTOP), .continued) == [.start, .deactivate, .activate],
            "only the command was stopped")
        #expect(
            actions(.activated, .started, .stopped(SIGTSTP), .ended(.signal(SIGKILL))).last == .exit(137),
            "it was killed")
    }

    /// `kill(0, SIGTSTP)`, by which programs stop themselves, reaches the tool as well.
    @Test func aCommandThatStoppedItsProcessGroupIsNotStoppedAgain() {
        for number in [SIGTSTP, SIGTTIN, SIGTTOU] {
            #expect(
                actions(.activated, .started, .stopped(number), .signaled(number, isFromTerminal: false), .resumed)
                    == [.start, .deactivate, .stop, .forward(SIGCONT), .activate])
        }
        #expect(
            actions(.activated, .started, .stopped(SIGTSTP), .signaled(SIGTERM, isFromTerminal: false)).last
                == .forward(SIGTERM))
    }

    // MARK: Interruptions

    @Test func afterAnInterruptionTheSessionIsActivatedAgain() {
        #expect(actions(.activated, .started, .interruptionEnded, .activated) == [.start, .activate])
        #expect(actions(.activated, .interruptionEnded, .started) == [.start, .activate], "its file loads slowly")
        let refusal = CommandStateMachine.Event.notActivated(.refused, reason: "a call")
        #expect(
            actions(.activated, .started, .interruptionEnded, refusal) == [
                .start, .activate, .warn("a call"), .silence, .retryLater,
            ], "the command continues")
        #expect(actions(.activated, .started, .stopped(SIGSTOP), .interruptionEnded) == [.start, .deactivate])
        #expect(actions(.activated, .started, .ended(.code(0)), refusal, .interruptionEnded) == [.start, .exit(0)])
    }

    @Test func aCommandThatContinuesDuringACallIsSilentUntilTheSessionIsActive() {
        let refusal = CommandStateMachine.Event.notActivated(.refused, reason: "a call")
        #expect(
            actions(.activated, .started, .stopped(SIGSTOP), .continued, refusal, .retry, refusal, .retry, .activated)
                == [
                    .start, .deactivate, .activate, .warn("a call"), .silence, .retryLater, .activate, .silence,
                    .retryLater, .activate,
                ], "each refusal is reported to the host, whose events of the session may be late")
        #expect(
            actions(
                .activated, .started, .stopped(SIGSTOP), .continued, refusal, .stopped(SIGSTOP), .continued, refusal
            )
                == [
                    .start, .deactivate, .activate, .warn("a call"), .silence, .retryLater, .deactivate, .activate,
                    .silence,
                ], "one retry follows already")
        #expect(
            actions(.activated, .started, .stopped(SIGSTOP), .continued, refusal, .activated, .retry).last
                == .retryLater, "it is active")
        #expect(
            actions(.activated, .started, .stopped(SIGSTOP), .continued, refusal, anyway: true)
                == [.start, .deactivate, .activate, .warn("a call")])
        #expect(
            actions(
                .activated, .started, .stopped(SIGSTOP), .continued,
                .notActivated(.unavailable, reason: "no PipeWire")) == [
                    .start, .deactivate, .activate, .warn("no PipeWire"),
                ])
    }

    /// Without further attempts, the command would stay silent after the call.
    @Test func attemptsAfterARefusalContinueWhilePipeWireIsLost() {
        let refusal = CommandStateMachine.Event.notActivated(.refused, reason: "a call")
        let failure = CommandStateMachine.Event.notActivated(.unavailable, reason: "no PipeWire")
        #expect(
            actions(.activated, .started, .interruptionEnded, refusal, .retry, failure, .retry, .activated, .retry)
                == [
                    .start, .activate, .warn("a call"), .silence, .retryLater, .activate, .silence, .retryLater,
                    .activate,
                ])
    }

    /// A stopped process does not notice the end of an interruption, and would keep others silent.
    @Test func anInterruptedSessionGivesUpItsPlaceWhileTheCommandIsStopped() {
        #expect(
            actions(.activated, .started, .interrupted(true), .stopped(SIGTSTP), .interrupted(false), .resumed) == [
                .start, .silence, .deactivate, .stop, .forward(SIGCONT), .activate,
            ], "the command must not be heard beside the call that interrupted it")
        let refusal = CommandStateMachine.Event.notActivated(.refused, reason: "a call")
        #expect(
            actions(.activated, .started, .interrupted(true), .stopped(SIGSTOP), .continued, refusal) == [
                .start, .silence, .deactivate, .activate, .warn("a call"), .silence, .retryLater,
            ])
        let failure = CommandStateMachine.Event.notActivated(.unavailable, reason: "no PipeWire")
        #expect(
            actions(.activated, .started, .interrupted(true), .stopped(SIGSTOP), .continued, failure, .retry) == [
                .start, .silence, .deactivate, .activate, .warn("no PipeWire"), .silence, .retryLater, .activate,
            ], "the command is silent already")
        #expect(
            actions(.activated, .started, .interrupted(true), .stopped(SIGSTOP), .continued, anyway: true) == [
                .start, .deactivate, .activate,
            ])
        #expect(
            actions(.activated, .started, .interrupted(true), .interrupted(false), .stopped(SIGSTOP)) == [
                .start, .deactivate,
            ])
    }

    @Test func anInterruptedSessionIsNotActivatedBeforeTheEnd() {
        let refusal = CommandStateMachine.Event.notActivated(.refused, reason: "a call")
        #expect(
            actions(.activated, .started, .interruptionEnded, .interrupted(true), refusal, .retry).last
                == .retryLater)
    }
}
