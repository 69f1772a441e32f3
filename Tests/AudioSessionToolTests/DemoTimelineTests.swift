import AudioSessions
import Foundation
import PipeWireGraph
import Testing

@testable import AudioSessionSimulation
@testable import AudioSessionTool

@Suite struct DemoTimelineTests {
    /// The page shows one real run; its figures give exactly its text.
    @Test func thePageShowsWhatIsPrinted() throws {
        let url = URL(filePath: #filePath).appending(path: "../../../Docs/Demo.md").standardized
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines =
            DemoSamples.stories.flatMap { $0.lines + [""] } + DemoTimeline.conclusion([])
        #expect(text.contains("\n" + lines.joined(separator: "\n") + "\n"))
    }

    @Test func thePageShowsTheObjects() throws {
        let url = URL(filePath: #filePath).appending(path: "../../../Docs/Demo.md").standardized
        let page = try String(contentsOf: url, encoding: .utf8)
        let printed = Set(DemoSamples.stories.flatMap { $0.objects.map(\.description) })
        let examples = page.split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(examples.count == 3)
        for example in examples where !example.contains("verdict") { #expect(printed.contains(String(example))) }
    }

    @Test func aTimelineOfAManualUnplugBeginsWithTheEvent() throws {
        var loss = DemoSamples.jack
        let delay = try #require(loss.gateTime).since(try #require(loss.eventTime))
        loss.event = nil
        let lines = DemoTimeline.story(loss).lines
        #expect(lines.contains("       0.000 ms  the program receives the first event"))
        #expect(
            lines.contains(
                "       \(milliseconds(delay))  the player's gate is closed: from here on it gives silence"))
    }

    @Test func unknownFiguresHaveNoLine() {
        var loss = DemoSamples.jack
        loss.event = nil
        loss.eventTime = nil
        loss.gateTime = nil
        loss.noisyTime = nil
        loss.pauseTime = nil
        loss.routeTime = nil
        loss.old.lastLoudTime = nil
        let lines = DemoTimeline.story(loss).lines
        #expect(lines[1] == "       0.000 ms  play melody.wav")
        #expect(lines.count == 6)
    }

    @Test func aRouteToNowhereIsNamed() {
        var loss = DemoSamples.jack
        loss.routeChange = DemoSamples.change(
            DemoSamples.headphones, nil, DemoSamples.time(9), .noSuitableRouteForCategory)
        #expect(DemoTimeline.story(loss).lines.contains { $0.hasSuffix("nothing (noSuitableRouteForCategory)") })
        #expect(DemoVerdict.differences(loss).isEmpty)
    }

    @Test(arguments: [
        (0.0, "0.000"), (1234.0, "1.234"), (-42.0, "-0.042"), (-1234.4, "-1.234"), (.infinity, "0.000"),
    ])
    func thousandthsKeepTheirSign(value: Double, text: String) { #expect(thousandths(of: value) == text) }

    @Test func missingNotificationsHaveNoLine() {
        var call = DemoSamples.call
        call.notifiedTime = nil
        call.gateTime = nil
        call.pauseTime = nil
        call.lastLoudTime = nil
        call.endNotifiedTime = nil
        call.playTime = nil
        call.firstLoudTime = nil
        #expect(
            DemoTimeline.story(call).lines == [
                call.title, "       0.000 ms  it rings, and activates its session",
                "       \(milliseconds(call.grantTime.since(call.begin.time)))  its session is active",
                "  heard while its session is active:",
                "    \(DemoSamples.analog): 0 of 48128 frames not silent", "       0.000 ms  it hangs up",
            ])
    }

    @Test func anUnrestoredLevelIsReported() {
        var prompt = DemoSamples.prompt
        prompt.after = prompt.before * 0.9
        prompt.gain = nil
        prompt.cause = nil
        let lines = DemoTimeline.story(prompt).lines
        #expect(lines.contains { $0.hasSuffix("the first sample louder than -1 dB; then it is at -0.92 dB") })
        #expect(
            lines.contains {
                $0.hasSuffix("the program is notified that an unknown program ducks it to an unknown gain")
            })
    }

    @Test(
        arguments: [
            (0.2, 1.0, "-13.98 dB"), (1.0, 1.0, "0.00 dB"), (2.0, 1.0, "6.02 dB"), (0.0, 1.0, "-200.00 dB"),
            (1.0, 0.0, "-200.00 dB"), (0.9999, 1.0, "0.00 dB"),
        ] as [(Float, Float, String)])
    func decibelsHaveTwoDigits(amplitude: Float, full: Float, text: String) {
        #expect(Decibels.text(Decibels.of(amplitude, relativeTo: full)) == text)
    }

    /// Programs receive the same lines, each as an object.
    @Test func jsonHasTheSameLines() throws {
        let lines = Locked<[String]>([])
        let output = DemoOutput(print: { line in lines.withLock { $0.append(line) } }, json: true)
        try output.say("Listen.")
        try output.show(DemoTimeline.story(DemoSamples.call))
        try output.conclude(["it was loud"])
        let printed = lines.withLock(\.self)
        let gate = try #require(DemoSamples.call.gateTime).nanoseconds
        // The objects omit the title and the heading, and have the note and the verdict.
        #expect(printed.count == DemoTimeline.story(DemoSamples.call).lines.count)
        #expect(printed[0] == #"{"event":"note","text":"Listen."}"#)
        #expect(
            printed[2].hasPrefix(
                #"{"event":"step","story":"\#(DemoSamples.call.title)","t":\#(gate),"after":\#(gate - 5_000_000_000),"text":"the player"#
            ))
        #expect(
            printed.contains(
                #"{"event":"heard","story":"\#(DemoSamples.call.title)","sink":"\#(DemoSamples.analog)","frames":48128,"notSilent":0}"#
            ))
        #expect(printed.last == #"{"event":"verdict","differences":["it was loud"]}"#)
    }

    @Test func jsonIsNotAdaptedToTheLocale() throws {
        let pipe = Pipe()
        var output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        output.isASCII = true
        // The last character is a control character, which is replaced in text.
        let text = "“Köpfhörer” \u{9B}"
        try DemoOutput(output, json: true).say(text)
        let json = try JSONSerialization.jsonObject(with: pipe.fileHandleForReading.availableData)
        #expect((json as? [String: Any])?["text"] as? String == text)
        try DemoOutput(output, json: false).say(text)
        #expect(pipe.fileHandleForReading.availableData == Data("\"K?pfh?rer\" ?\n".utf8))
    }

    @Test func theMelodyIsNeverSilent() throws {
        let wave = Melody.wave
        #expect(wave.count == Melody.headerSize + Melody.rate * Melody.seconds * 4)
        var longest = 0
        var silence = 0
        for index in stride(from: Melody.headerSize, to: wave.count, by: 4) {
            let sample = Int16(truncatingIfNeeded: Int(wave[index]) | Int(wave[index + 1]) << 8)
            silence = abs(Int(sample)) > 33 ? 0 : silence + 1
            longest = max(longest, silence)
        }
        #expect(longest < Melody.rate / 1000)
    }

    /// A peak that is measured for one period is the same at any time.
    @Test func theMelodyRepeatsItself() {
        let frames = Melody.wave.dropFirst(Melody.headerSize)
        let period = Melody.period * 4
        #expect(frames.count % period == 0)
        #expect(frames.dropFirst(period).elementsEqual(frames.dropLast(period)))
    }
}
