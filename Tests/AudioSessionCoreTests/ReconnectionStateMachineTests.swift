import AudioSessionCore
import Testing

@Suite struct ReconnectionStateMachineTests {
    private var machine = ReconnectionStateMachine()

    @Test mutating func triesAtGrowingIntervalsUpToTwoSeconds() {
        var waits = [machine.receive(.lost, chance: 0.5)]
        for _ in 0..<9 {
            #expect(machine.receive(.due, chance: 0.5) == .connect)
            waits.append(machine.receive(.failed, chance: 0.5))
        }
        let milliseconds = [10, 20, 40, 80, 160, 320, 640, 1280, 2000, 2000]
        #expect(waits == milliseconds.map { .wait(.milliseconds($0)) })
    }

    @Test mutating func intervalsAreRandomized() {
        #expect(machine.receive(.lost, chance: 0) == .wait(.milliseconds(7.5)))
        #expect(machine.receive(.lost, chance: 1) == .wait(.milliseconds(12.5)))
        #expect(machine.receive(.lost, chance: 7) == .wait(.milliseconds(12.5)))
        #expect(machine.receive(.lost, chance: .nan) != nil)
    }

    @Test mutating func aReturnedSocketIsTriedAtOnceAndResetsTheIntervals() {
        _ = machine.receive(.lost, chance: 0.5)
        for _ in 0..<8 {
            _ = machine.receive(.due, chance: 0.5)
            _ = machine.receive(.failed, chance: 0.5)
        }
        #expect(machine.receive(.socketAppeared, chance: 0.5) == .connect)
        #expect(machine.receive(.socketAppeared, chance: 0.5) == nil)
        #expect(machine.receive(.failed, chance: 0.5) == .wait(.milliseconds(10)))
    }

    @Test mutating func aFailedFirstConnectionIsRetried() {
        #expect(machine.receive(.failed, chance: 0.5) == .wait(.milliseconds(10)))
        #expect(machine.receive(.due, chance: 0.5) == .connect)
    }

    @Test mutating func noAttemptFollowsASuccess() {
        _ = machine.receive(.lost, chance: 0.5)
        _ = machine.receive(.due, chance: 0.5)
        #expect(machine.receive(.connected, chance: 0.5) == .rest)
        for input in [ReconnectionStateMachine.Input.due, .socketAppeared, .failed] {
            #expect(machine.receive(input, chance: 0.5) == nil)
        }
        _ = machine.receive(.lost, chance: 0.5)
        #expect(machine.receive(.closed, chance: 0.5) == .rest)
        #expect(machine.receive(.due, chance: 0.5) == nil)
    }
}
