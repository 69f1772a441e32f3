import AudioSessions
import Testing

@testable import AudioSessionSimulation

@Suite struct DemoVerdictTests {
    typealias Samples = DemoSamples

    @Test func anExpectedRunHasNoDifference() {
        #expect(DemoVerdict.differences(Samples.jack).isEmpty)
        #expect(DemoVerdict.differences(Samples.usb).isEmpty)
        #expect(DemoVerdict.differences(Samples.back).isEmpty)
        #expect(DemoVerdict.differences(Samples.call).isEmpty)
        #expect(DemoVerdict.differences(Samples.prompt).isEmpty)
        #expect(DemoVerdict.differences(Samples.death).isEmpty)
        #expect(DemoTimeline.conclusion([]).joined().contains("Passed"))
    }

    @Test func oneFrameElsewhereIsADifference() {
        var loss = Samples.usb
        loss.others[1].loudFrames = 1
        #expect(
            DemoVerdict.differences(loss)
                == ["1 frame was heard on \(Samples.hdmi), which is to be silent"])
    }

    /// One quantum after the gate is allowed, in nanoseconds.
    @Test(arguments: [(21_333_333, true), (21_334_000, false), (0, true)])
    func theOldSinkMaySoundForOneQuantum(afterGate: UInt64, isAllowed: Bool) throws {
        var loss = Samples.jack
        loss.old.lastLoudTime = MonotonicTime(
            nanoseconds: try #require(loss.gateTime).nanoseconds + afterGate)
        #expect(DemoVerdict.differences(loss).isEmpty == isAllowed)
    }

    @Test(
        arguments: [
            ("did not close its gate", { @Sendable in $0.gateTime = nil }),
            ("did not close its gate", { $0.gateTime = Samples.time(-2000) }),
            ("the times are wrong", { $0.eventTime = Samples.time(100) }),
            ("the times are wrong", { $0.eventTime = Samples.time(-0.5) }),
            ("only 300.000 ms after the event", { $0 = Samples.late($0) }),
            ("did not report that Headphones is lost", { $0.noisyTime = nil }),
            ("did not pause", { $0.pauseTime = nil }),
            ("did not report another route", { $0.routeChange = nil }),
            (
                "reported as override",
                { $0.routeChange = Samples.change(Samples.headphones, Samples.speakers, Samples.time(9), .override) }
            ),
            ("was not heard on", { $0.firstLoudTime = nil }),
            ("not known when", { $0.old.lastLoudTime = nil }),
        ] as [(String, @Sendable (inout Loss) -> Void)])
    func eachDifferenceIsNamed(sentence: String, change: @Sendable (inout Loss) -> Void) {
        var loss = Samples.jack
        change(&loss)
        #expect(DemoVerdict.differences(loss).contains { $0.contains(sentence) })
    }

    @Test(
        arguments: [
            ("not notified that another program took over", { @Sendable in $0.notifiedTime = nil }),
            ("took over only after 1000.001 ms", { $0.notifiedTime = Samples.time(1000.001) }),
            ("took over before it was so", { $0.notifiedTime = Samples.time(-1) }),
            (
                "notified that process 7 interrupted it, and it was process \(Samples.call.processID)",
                { $0.cause = Samples.cause(7) }
            ),
            ("did not close its gate for", { $0.gateTime = nil }),
            ("did not close its gate for", { $0.gateTime = Samples.time(-1) }),
            ("closed only 300.000 ms after the other", { $0.gateTime = Samples.time(300) }),
            ("did not pause for the other program", { $0.pauseTime = nil }),
            ("not known when the last sample came", { $0.lastLoudTime = nil }),
            ("more than one quantum", { $0.lastLoudTime = Samples.time(100) }),
            ("1 frame was heard on \(Samples.analog) while the other", { $0.during.loudFrames = 1 }),
            ("not notified that the other program was gone", { $0.endNotifiedTime = nil }),
            ("was gone only after 1000.001 ms", { $0.endNotifiedTime = Samples.later(1000.001) }),
            ("not advised to resume", { $0.shouldResume = false }),
            ("the player did not resume", { $0.playTime = nil }),
            ("the music was not heard again", { $0.firstLoudTime = nil }),
            ("heard before the other program was gone", { $0.firstLoudTime = Samples.later(-0.001) }),
            ("was heard again only 1000.001 ms after", { $0.firstLoudTime = Samples.later(1000.001) }),
        ] as [(String, @Sendable (inout Interruption) -> Void)])
    func eachDifferenceOfAnInterruptionIsNamed(sentence: String, change: @Sendable (inout Interruption) -> Void) {
        var turn = Samples.call
        change(&turn)
        let differences = DemoVerdict.differences(turn)
        #expect(differences.count == 1 && differences[0].contains(sentence), "\(differences)")
    }

    @Test(
        arguments: [
            ("not notified that another program speaks", { @Sendable in $0.notifiedTime = nil }),
            ("process 7 ducked it", { $0.cause = Samples.cause(7) }),
            ("the player paused", { $0.playedOn = false }),
            ("at -15.14 dB while another program spoke", { $0.meanwhile = $0.before * 0.175 }),
            ("at 0.00 dB while another program spoke", { $0.meanwhile = $0.before }),
            ("louder than -13 dB only 1001.000 ms", { $0.lastLouderTime = Samples.time(1001) }),
            ("not known when \(Samples.analog) was louder", { $0.lastLouderTime = nil }),
            ("not notified that the other program has spoken", { $0.endNotifiedTime = nil }),
            ("not known when the music was restored", { $0.firstLouderTime = nil }),
            ("the music was restored to 0.00 dB: its peak is", { $0.after = $0.before.nextDown }),
            ("the music was restored to -13.98 dB: its peak is", { $0.after = $0.meanwhile }),
        ] as [(String, @Sendable (inout Ducking) -> Void)])
    func eachDifferenceOfADuckIsNamed(sentence: String, change: @Sendable (inout Ducking) -> Void) {
        var duck = Samples.prompt
        change(&duck)
        let differences = DemoVerdict.differences(duck)
        #expect(differences.count == 1 && differences[0].contains(sentence), "\(differences)")
    }

    /// One quantum after the gate is allowed, in nanoseconds.
    @Test(arguments: [(21_333_333, true), (21_334_000, false), (0, true)])
    func anInterruptedStreamMaySoundForOneQuantum(afterGate: UInt64, isAllowed: Bool) throws {
        var turn = Samples.call
        turn.lastLoudTime = MonotonicTime(
            nanoseconds: try #require(turn.gateTime).nanoseconds + afterGate)
        #expect(DemoVerdict.differences(turn).isEmpty == isAllowed)
    }

    @Test func aReturnHasItsOwnDifferences() {
        var back = Samples.back
        back.route = nil
        back.isStillPaused = false
        back.before[0].loudFrames = 7
        back.firstLoudTime = nil
        let differences = DemoVerdict.differences(back)
        #expect(differences.count == 4)
        #expect(differences.contains("7 frames were heard on \(Samples.analog) before play was asked for"))
        #expect(DemoTimeline.conclusion(differences).allSatisfy { $0.hasPrefix("Failed: ") })
    }
}

extension DemoSamples {
    fileprivate static func late(_ loss: Loss) -> Loss {
        var loss = loss
        loss.eventTime = time(299)
        loss.gateTime = time(300)
        return loss
    }
}
