import AudioSessions
import TestSupport
import Testing

@testable import AudioSessionTool

@Suite struct TextFormatTests {
    @Test func aStatusListsPortsInUseThenOtherPorts() {
        #expect(
            Status.sample.lines == [
                "Sound goes to",
                "  🔊 Speakers (built-in speaker)  card/speaker",
                "and comes from",
                "  🎤 Internal Microphone (built-in microphone)  card/mic",
                "",
                "Other outputs",
                "  📺 DELL U2720Q (HDMI, uncertain)  card/hdmi-output-0",
                "",
                "2 audio sessions, ignored tokens: 3 malformed",
                "PipeWire 0.3.65",
            ])
    }

    @Test func aComputerWithoutSoundIsReported() {
        let status = Status(
            time: .milliseconds(0), route: RouteDescription(), inputs: [], outputs: [], libraryVersion: "1.4.2")
        #expect(
            status.lines == [
                "Sound goes to", "  nothing: there is no output", "and comes from", "  nothing: there is no input",
                "",
                "0 audio sessions",
                "PipeWire 1.4.2",
            ])
    }

    @Test func aStatusHasTheVolume() {
        var status = Status.sample(volume: OutputVolume(level: 0.405))
        #expect(status.lines[2] == "  at 41 %")
        status.volume?.isMuted = true
        #expect(status.lines[2] == "  at 41 %, muted")
        status.route = RouteDescription()
        #expect(!status.lines.contains { $0.contains("41") })
    }

    @Test func aStatusHasSilentMode() {
        var status = Status.sample
        status.isSilentMode = true
        status.board.silenced = 1
        #expect(status.lines.suffix(2).first == "Silent mode is on: 1 session is muted by it")
        status.board.silenced = 0
        #expect(status.lines.contains("Silent mode is on: 0 sessions are muted by it"))
    }

    @Test func eachTypeHasASymbolAndAWord() {
        #expect(PortType.allCases.allSatisfy { $0.sign.count == 1 && !$0.word.isEmpty })
    }

    @Test(arguments: [
        (
            RouteChange.because(.oldDeviceUnavailable, .to(.headphones), .to(.speakers)),
            "headphones unplugged: sound was on Headphones, now on Speakers"
        ),
        (
            .because(.newDeviceAvailable, .to(.speakers), .to(.headphones, from: [.headsetMicrophone])),
            """
            headphones and microphone plugged in: sound was on Speakers, now on Headphones; \
            recording was from Internal Microphone, now from Headset Microphone
            """
        ),
        (
            .because(.oldDeviceUnavailable, .to(.headset), .to(.speakers)),
            "Bluetooth disconnected: sound was on Galaxy Buds, now on Speakers"
        ),
        (
            .because(.newDeviceAvailable, .to(from: []), .to(.interface, from: [])),
            "USB audio plugged in: sound was on nothing, now on Scarlett"
        ),
        (
            .because(.noSuitableRouteForCategory, .to(.speakers), RouteDescription()),
            """
            built-in speaker and built-in microphone removed: sound was on Speakers, now on nothing; \
            recording was from Internal Microphone, now from nothing
            """
        ),
        (
            .because(.override, .to(.headphones), .to(.speakers)),
            "another port was chosen: sound was on Headphones, now on Speakers"
        ),
        (
            .because(.routeConfigurationChange, .to(.speakers), .to(.speakers)),
            "the configuration changed: the ports are the same"
        ),
        (
            .because(.oldDeviceUnavailable, .to(.speakers), .to(.speakers, .screen)),
            "the old device was removed: sound was on Speakers, now on Speakers and DELL U2720Q"
        ),
    ])
    func aChangeIsASentenceWithItsCause(change: RouteChange, sentence: String) {
        #expect(RouteSentence.change(change) == sentence)
    }

    @Test func aJournalCountsFromItsFirstLineAndReportsPorts() {
        var journal = MonitorJournal(.sample)
        func lines(_ event: MonitorEvent) -> [String] { journal.lines(for: event) }
        #expect(
            lines(.route(.to(.speakers), at: .milliseconds(1_000))) == [
                "    0.000  sound goes to Speakers and comes from Internal Microphone"
            ])
        #expect(
            lines(
                .availablePortsChanged(
                    inputs: [.microphone], outputs: [.speakers, .headphones], at: .milliseconds(13_045)))
                == [
                    "   12.045  DELL U2720Q (HDMI, uncertain) is no longer available",
                    "   12.045  Headphones (headphones) is available now",
                ])
        #expect(
            lines(.becameNoisy(.headphones, at: .milliseconds(86_401_007))) == [
                "86400.007  the output Headphones is lost: players pause now"
            ])
        #expect(lines(.dropped(1, at: .milliseconds(2_000))) == ["    1.000  1 older event was lost: read faster"])
        #expect(lines(.silentMode(true, at: .milliseconds(2_000))) == ["    1.000  silent mode is on"])
        #expect(lines(.silentMode(false, at: .milliseconds(2_000))) == ["    1.000  silent mode is off"])
        #expect(lines(.mediaServicesLost(at: .milliseconds(0))) == ["    0.000  PipeWire was lost"])
    }

    @Test func aJournalOmitsChangesOfPortDetails() {
        var journal = MonitorJournal(.sample)
        let event = MonitorEvent.availablePortsChanged(
            inputs: [.microphone], outputs: [.screen, .speakers], at: .milliseconds(2))
        #expect(journal.lines(for: event).isEmpty)
    }
}
