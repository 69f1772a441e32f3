import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// An output during interruptions, at a loss and with its writers. The tests of players cover the
/// decisions that both share.
@Suite struct OutputStateMachineTests {
    private static let onHeadphones = RouteDescription(outputs: [headphones])
    private let failure = AudioSessionError(.outputFailed, "made up")

    private func started(_ source: OutputStateMachine.Source = .ring(rate: 48_000)) -> OutputModel {
        var output = OutputModel(source)
        output.start()
        return output
    }

    // MARK: The program

    @Test func startingOpensAStreamThatSounds() {
        var output = OutputModel()
        #expect(output.stream == nil)
        output.send(.play(in: .active))
        #expect(output.takeNotifications() == [.stateChanged(.playing)])
        #expect(output.stream?.isActive == true)
        output.run()
        #expect(output.sounds)
        #expect(output.streams == [output.stream!.node])
        #expect(output.machine.facts.isRunning && output.machine.facts.title == "Synth")
        output.send(.play(in: .active))
        #expect(output.received.isEmpty && output.sounds && output.renewals == 0)
    }

    @Test func stoppingEndsStreamAndWriters() {
        var output = started()
        output.counters.awaited = 10
        output.send(.writerWaits)
        output.send(.stop)
        #expect(output.takeNotifications() == [.stateChanged(.stopped)])
        #expect(output.stream == nil && output.streams.isEmpty && output.ended == 1)
        output.counters.awaited = nil
        output.send(.timer)
        #expect(output.wakeUp == nil && output.served == 0)
        output.send(.play(in: .active))
        output.run()
        #expect(output.sounds)
    }

    /// The session's activation may be granted after that.
    @Test func stoppingCancelsARequestAndItsWriters() {
        var output = OutputModel()
        output.send(.play(in: .inactive))
        output.send(.stop)
        #expect(output.ended == 1)
        output.send(.activated(.play, .active, on: Self.onHeadphones))
        #expect(output.state == .stopped && output.stream == nil)
    }

    @Test func closingLeavesTheSession() {
        var output = started()
        output.send(.close)
        #expect(output.stream == nil && output.state == .stopped && output.ended == 1)
        #expect(output.reports.last == .left)
        #expect(output.actions.last == .send(.report(.left)))
    }

    // MARK: Interruption

    @Test(arguments: [PlaybackEvent.sessionInterrupted, .sessionDeactivated, .routeEndangered])
    func theGateClosesBeforeAnythingElse(at event: PlaybackEvent) {
        var output = started()
        output.send(event)
        #expect(output.actions.first == .setGate(closed: true))
        #expect(!output.sounds)
    }

    @Test func anInterruptedOutputResumesWhenAdvisedTo() {
        var output = started()
        output.send(.sessionInterrupted)
        output.halt()
        #expect(output.takeNotifications() == [.stateChanged(.paused(reason: .interrupted))])
        #expect(output.ended == 0, "writers wait through it")
        output.send(.interruptionEnded(shouldResume: true))
        #expect(output.activations == [.resume])
        output.send(.activated(.resume, .active, on: Self.onHeadphones))
        output.run()
        #expect(output.sounds)
        #expect(output.takeNotifications() == [.stateChanged(.playing)])
    }

    @Test func anInterruptedOutputResumesNeitherWithoutAdviceNorAfterAStop() {
        var output = started()
        output.send(.sessionInterrupted)
        output.send(.interruptionEnded(shouldResume: false))
        #expect(output.activations.isEmpty)
        output = OutputModel(resumesAfterInterruption: false)
        output.start()
        output.send(.sessionInterrupted)
        output.send(.interruptionEnded(shouldResume: true))
        #expect(output.activations.isEmpty && output.state == .paused(reason: .interrupted))
        output = started()
        output.send(.sessionInterrupted)
        output.send(.stop)
        output.send(.interruptionEnded(shouldResume: true))
        #expect(output.activations.isEmpty && output.state == .stopped)
    }

    @Test func anOutputStartedInAnInterruptionPlaysWithTheSession() {
        var output = OutputModel()
        output.send(.play(in: .interrupted))
        #expect(output.state == .paused(reason: .interrupted) && output.stream == nil)
        output.send(.sessionActivated)
        #expect(output.state == .playing)
    }

    @Test(arguments: [PlaybackEvent.sessionDeactivated, .configurationChanged(allowsPlayback: false)])
    func aDeactivatedSessionPausesTheOutput(event: PlaybackEvent) {
        var output = started()
        output.send(.configurationChanged(allowsPlayback: true))
        #expect(output.sounds)
        output.send(event)
        #expect(!output.sounds)
        #expect(output.state == .paused(reason: .sessionInactive))
        output.send(.play(in: .active))
        output.run()
        #expect(output.sounds)
    }

    // MARK: The output device

    @Test func aLossPausesTheOutputAndOnlyTheSameDeviceResumesIt() {
        var output = started()
        output.send(.routeEndangered)
        #expect(!output.sounds)
        output.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        output.send(.routeChanged(pulled))
        #expect(
            output.takeNotifications() == [
                .becameNoisy(headphones), .stateChanged(.paused(reason: .routeLost)), .routeChanged(pulled),
            ])
        #expect(output.machine.facts.isStoppedByRouteLoss)
        #expect(output.reports.contains(.losesOutput(headphones.uid, at: pulled.time)))
        output.send(.outputRegained(Self.onHeadphones))
        #expect(output.activations == [.replug(Self.onHeadphones)])
        output.send(.activated(.replug(Self.onHeadphones), .active, on: RouteDescription(outputs: [speaker])))
        #expect(output.state == .paused(reason: .routeLost))
        output.send(.outputRegained(Self.onHeadphones))
        output.send(.activated(.replug(Self.onHeadphones), .active, on: Self.onHeadphones))
        output.run()
        #expect(output.sounds)
    }

    @Test func anOutputThatDoesNotPauseContinuesOnTheNextDevice() {
        var output = started()
        output.send(.routeEndangered)
        output.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: false))
        #expect(!output.sounds)
        output.send(.routeChanged(pulled))
        #expect(output.sounds)
        output = OutputModel(pausesOnRouteLoss: false)
        output.start()
        output.send(.routeEndangered)
        output.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        #expect(!output.sounds)
        output.send(.routeChanged(pulled))
        #expect(output.sounds && output.received == [.becameNoisy(headphones), .routeChanged(pulled)])
    }

    @Test func choosingAnotherDeviceReplacesTheStreamAtOnce() {
        var output = started()
        let node = output.stream?.node
        output.send(.outputChosen)
        #expect(output.renewals == 1 && output.stream?.node != node && output.stream?.isActive == true)
        output.run()
        #expect(output.sounds)
    }

    @Test func anUnlinkedStreamIsReplacedThreeTimes() {
        var output = OutputModel()
        output.send(.play(in: .active))
        for round in 1...3 {
            #expect(output.wakeUp == .time(.seconds(3)))
            output.send(.timer)
            #expect(output.renewals == round)
        }
        output.send(.timer)
        #expect(output.renewals == 3)
    }

    // MARK: PipeWire

    @Test func theOutputIsReadyButSilentAfterARestartOfPipeWire() {
        var output = started()
        output.send(.connectionLost)
        #expect(output.takeNotifications() == [.stateChanged(.paused(reason: .mediaServicesLost))])
        #expect(output.stream == nil && output.ended == 0)
        output.send(.play(in: .active))
        output.run()
        #expect(output.sounds)
    }

    @Test func aFailedStreamPausesTheOutputAndIsReplacedAtTheNextStart() {
        var output = started()
        output.fail(failure)
        #expect(output.takeNotifications() == [.failed(failure), .stateChanged(.paused(reason: .outputFailed))])
        output.send(.play(in: .active))
        output.run()
        #expect(output.sounds)
    }

    @Test func aMissingDeviceIsReportedOnce() {
        var output = OutputModel()
        output.send(.play(in: .active))
        output.send(.streamUnserved(failure))
        output.send(.streamUnserved(failure))
        #expect(output.received == [.stateChanged(.playing), .failed(failure)])
    }

    // MARK: Writers and misses

    @Test func aWriterWaitsForAsManyFramesAsItNeeds() {
        var output = started()
        #expect(output.wakeUp == .time(.seconds(1)), "underruns are reported within a second")
        output.counters.awaited = 480
        output.send(.writerWaits)
        #expect(output.wakeUp == .frames(480, rate: 48_000))
        output.counters.awaited = 0
        output.send(.timer)
        #expect(output.served == 1)
        #expect(output.wakeUp == .frames(0, rate: 48_000), "it checks again in the next cycle")
        output.counters.awaited = nil
        output.send(.timer)
        #expect(output.served == 1)
    }

    /// Events of other programs restart the timer.
    @Test func eventsOfOtherProgramsDoNotDelayWriters() {
        var output = started()
        output.counters.awaited = 480
        output.send(.writerWaits)
        output.send(.streamLinked(ObjectID(3)))
        #expect(output.served == 0)
        output.counters.awaited = 0
        output.send(.streamLinked(ObjectID(3)))
        #expect(output.served == 1)
    }

    @Test func aDrainEndsTwoCyclesAfterItsLastFrame() {
        var output = started()
        output.counters.drained = 100
        for cycle: UInt64 in 7...8 {
            output.counters.cycles = cycle
            output.send(.timer)
            #expect(output.drained == 0 && output.wakeUp == .cycles)
        }
        output.counters.cycles = 9
        output.send(.timer)
        #expect(output.drained == 1)
    }

    /// A program may ask every now and then, without waiting.
    @Test func drainsThatAreGivenUpWaitForTheSameCycle() {
        var output = started()
        output.counters.drained = 100
        output.send(.writerWaits)
        output.counters.drained = nil
        for cycle: UInt64 in 8...9 {
            output.counters.cycles = cycle
            output.send(.timer)
        }
        #expect(output.drained == 0 && output.wakeUp != .cycles)
        output.counters.drained = 100
        output.send(.writerWaits)
        #expect(output.drained == 1)
        // More was written, and then the stream was made again.
        output.counters.drained = 200
        output.send(.writerWaits)
        #expect(output.drained == 1)
        output.counters.cycles = 0
        output.send(.timer)
        output.counters.cycles = 2
        output.send(.timer)
        #expect(output.drained == 2)
    }

    /// The wait for cycles of a stream that does not run would have no end.
    @Test func aDrainDoesNotWaitForAStreamThatDoesNotRun() {
        var output = started()
        output.counters.drained = 100
        output.send(.writerWaits)
        output.send(.sessionInterrupted)
        #expect(output.drained == 1)
        output.send(.writerWaits)
        #expect(output.drained == 2)
    }

    /// The stream takes no frame from the ring then.
    @Test func aSilentOutputDoesNotWakeForWriters() {
        var output = started()
        output.counters.awaited = 480
        output.send(.writerWaits)
        output.send(.sessionInterrupted)
        output.halt()
        #expect(output.wakeUp == nil)
        output.send(.play(in: .active))
        output.run()
        #expect(output.wakeUp == .frames(480, rate: 48_000))
    }

    @Test func eachMissingFrameIsReportedOnce() {
        var output = started()
        output.counters.missing = 300
        output.send(.timer)
        output.send(.timer)
        output.counters.missing = 310
        output.send(.sessionInterrupted)
        #expect(
            output.received == [
                .underrun(frames: 300), .underrun(frames: 10), .stateChanged(.paused(reason: .interrupted)),
            ])
    }

    @Test func aCallbackIsWatchedOnlyOnRequest() {
        var output = started(.callback(isTimed: false))
        #expect(output.wakeUp == nil)
        output = started(.callback(isTimed: true))
        #expect(output.wakeUp == .time(.seconds(1)))
        output.counters.lateCalls = 2
        output.send(.timer)
        #expect(output.received == [.callbackWasLate(count: 2)])
    }
}
