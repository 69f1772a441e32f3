import AudioSessions
import Testing

@testable import AudioSessionTool

@Suite struct DemoVerdictTests {
    typealias Samples = DemoSamples

    @Test func whatIsAsItShouldBeHasNoDifference() {
        #expect(DemoVerdict.differences(Samples.jack).isEmpty)
        #expect(DemoVerdict.differences(Samples.usb).isEmpty)
        #expect(DemoVerdict.differences(Samples.back).isEmpty)
        #expect(DemoTimeline.conclusion([]).joined().contains("As it should be"))
    }

    @Test func oneFrameElsewhereIsADifference() {
        var loss = Samples.usb
        loss.others[1].loudFrames = 1
        #expect(
            DemoVerdict.differences(loss)
                == ["1 frame was heard on \(Samples.hdmi), which is to be silent"])
    }

    /// One quantum after the gate is allowed, to the microsecond.
    @Test(arguments: [(22.370, true), (22.371, false), (1.036, true)])
    func theOldSinkMaySoundForOneQuantum(last: Double, isAllowed: Bool) {
        var loss = Samples.jack
        loss.old.lastLoudTime = Samples.time(last)
        #expect(DemoVerdict.differences(loss).isEmpty == isAllowed)
    }

    @Test(
        arguments: [
            ("did not close its gate", { @Sendable in $0.gateTime = nil }),
            ("did not close its gate", { $0.gateTime = Samples.time(-2000) }),
            ("the times are wrong", { $0.newsTime = Samples.time(1.5) }),
            ("the times are wrong", { $0.newsTime = Samples.time(-0.5) }),
            ("only 300.000 ms after the event", { $0 = Samples.late($0) }),
            ("did not tell that Headphones is lost", { $0.noisyTime = nil }),
            ("did not pause", { $0.pauseTime = nil }),
            ("did not tell of another route", { $0.routeChange = nil }),
            (
                "told as override",
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

    @Test func aReturnHasItsOwnDifferences() {
        var back = Samples.back
        back.route = nil
        back.isStillPaused = false
        back.before[0].loudFrames = 7
        back.firstLoudTime = nil
        let differences = DemoVerdict.differences(back)
        #expect(differences.count == 4)
        #expect(differences.contains("7 frames were heard on \(Samples.analog) before play was asked for"))
        #expect(DemoTimeline.conclusion(differences).allSatisfy { $0.hasPrefix("NOT AS IT SHOULD BE: ") })
    }
}

extension DemoSamples {
    fileprivate static func late(_ loss: Loss) -> Loss {
        var loss = loss
        loss.newsTime = time(299)
        loss.gateTime = time(300)
        return loss
    }
}
