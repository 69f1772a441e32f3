import AudioSessions
import Foundation
import Testing

@testable import AudioSessionTool

@Suite struct DemoTimelineTests {
    /// The pages show one real run; its figures give its text, letter by letter.
    @Test(arguments: ["Docs/Demo.md", "README.md"]) func thePagesShowWhatIsPrinted(page: String) throws {
        let url = URL(filePath: #filePath).appending(path: "../../../\(page)").standardized
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines =
            DemoTimeline.lines(DemoSamples.jack) + [""] + DemoTimeline.lines(DemoSamples.usb) + [""]
            + DemoTimeline.lines(DemoSamples.back) + [""] + DemoTimeline.conclusion([])
        #expect(text.contains("\n" + lines.joined(separator: "\n") + "\n"))
    }

    @Test func aPersonsTimelineBeginsWithTheNews() {
        var loss = DemoSamples.jack
        loss.event = nil
        let lines = DemoTimeline.lines(loss)
        #expect(lines.contains("       0.000 ms  the news reaches the program"))
        #expect(lines.contains("       0.054 ms  the player's gate is closed: from here on it gives silence"))
    }

    @Test func whatIsUnknownHasNoLine() {
        var loss = DemoSamples.jack
        loss.event = nil
        loss.newsTime = nil
        loss.gateTime = nil
        loss.noisyTime = nil
        loss.pauseTime = nil
        loss.routeTime = nil
        loss.old.lastLoudTime = nil
        let lines = DemoTimeline.lines(loss)
        #expect(lines[1] == "       0.000 ms  play melody.wav")
        #expect(lines.count == 6)
    }

    @Test func aRouteToNowhereIsNamed() {
        var loss = DemoSamples.jack
        loss.routeChange = DemoSamples.change(
            DemoSamples.headphones, nil, DemoSamples.time(9), .noSuitableRouteForCategory)
        #expect(DemoTimeline.lines(loss).contains { $0.hasSuffix("nothing (noSuitableRouteForCategory)") })
        #expect(DemoVerdict.differences(loss).isEmpty)
    }

    @Test(arguments: [
        (0.0, "0.000"), (1234.0, "1.234"), (-42.0, "-0.042"), (-1234.4, "-1.234"), (.infinity, "0.000"),
    ])
    func thousandthsKeepTheirSign(value: Double, text: String) { #expect(thousandths(of: value) == text) }

    @Test func theMelodyIsNeverSilent() throws {
        let wave = Melody.wave
        #expect(wave.count == 44 + Melody.rate * Melody.seconds * 4)
        var longest = 0
        var silence = 0
        for index in stride(from: 44, to: wave.count, by: 4) {
            let sample = Int16(truncatingIfNeeded: Int(wave[index]) | Int(wave[index + 1]) << 8)
            silence = abs(Int(sample)) > 33 ? 0 : silence + 1
            longest = max(longest, silence)
        }
        #expect(longest < Melody.rate / 1000)
    }
}
