import AudioSessions
import Foundation
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTool

/// The text of each line is a contract with other programs: a change that fails here breaks them.
@Suite struct JSONFormatTests {
    private static let speakers =
        #"{"type":"builtInSpeaker","name":"Speakers","uid":"card/speaker","uncertain":false}"#
    private static let headphones =
        #"{"type":"headphones","name":"Headphones","uid":"card/headphones","uncertain":false}"#
    private static let screen =
        #"{"type":"HDMI","name":"DELL U2720Q","uid":"card/hdmi-output-0","uncertain":true}"#
    private static let microphone =
        #"{"type":"builtInMic","name":"Internal Microphone","uid":"card/mic","uncertain":false}"#

    private func text(_ event: MonitorEvent) -> String { JSONFormat.event(event).description }

    @Test func aStatusIsOneObject() {
        #expect(
            JSONFormat.status(.sample(volume: OutputVolume(level: 0.4, isMuted: true))).description
                == #"{"t":1000000000,"format":1,"#
                + #""route":{"inputs":[\#(Self.microphone)],"outputs":[\#(Self.speakers)]},"#
                + #""availableInputs":[\#(Self.microphone)],"availableOutputs":[\#(Self.speakers),\#(Self.screen)],"#
                + #""volume":0.4,"muted":true,"#
                + #""silentMode":false,"sessions":2,"silencedSessions":0,"malformedTokens":3,"surplusTokens":0,"refusedObjects":0,"pipeWireLibrary":"0.3.65"}"#
        )
    }

    @Test func silentModeIsOneObject() {
        #expect(
            JSONFormat.silentMode(true, at: .milliseconds(1)).description
                == #"{"t":1000000,"format":1,"silentMode":true}"#)
    }

    @Test func aMonitorBeginsWithTheRouteAndTheFormatsVersion() {
        #expect(
            text(.route(.to(.speakers), at: .milliseconds(1)))
                == #"{"t":1000000,"event":"route","format":1,"#
                + #""route":{"inputs":[\#(Self.microphone)],"outputs":[\#(Self.speakers)]}}"#)
    }

    @Test func aRouteChangeHasItsReasonAndBothRoutes() {
        let change = RouteChange.because(.oldDeviceUnavailable, .to(.headphones), .to(.speakers, from: []))
        #expect(
            text(.routeChange(change))
                == #"{"t":2500000000,"event":"routeChanged","reason":"oldDeviceUnavailable","#
                + #""previous":{"inputs":[\#(Self.microphone)],"outputs":[\#(Self.headphones)]},"#
                + #""current":{"inputs":[],"outputs":[\#(Self.speakers)]}}"#)
    }

    @Test(arguments: [
        (
            MonitorEvent.becameNoisy(.headphones, at: .milliseconds(2)),
            #""event":"becameNoisy","port":\#(headphones)"#
        ),
        (
            .availablePortsChanged(inputs: [], outputs: [.screen], at: .milliseconds(2)),
            #""event":"availablePortsChanged","availableInputs":[],"availableOutputs":[\#(screen)]"#
        ),
        (.silentMode(true, at: .milliseconds(2)), #""event":"silentModeChanged","on":true"#),
        (.mediaServicesLost(at: .milliseconds(2)), #""event":"mediaServicesLost""#),
        (.dropped(7, at: .milliseconds(2)), #""event":"dropped","count":7"#),
    ])
    func theOtherEventsHaveTheirKeys(event: MonitorEvent, keys: String) {
        #expect(text(event) == "{\"t\":2000000,\(keys)}")
    }

    @Test func reasonsHaveApplesNames() {
        #expect(
            RouteChangeReason.allCases.map(\.name) == [
                "unknown", "newDeviceAvailable", "oldDeviceUnavailable", "categoryChange", "override",
                "wakeFromSleep", "noSuitableRouteForCategory", "routeConfigurationChange",
            ])
    }

    @Test(arguments: ["a/b", "quote \" and \\", "line\nbreak\u{1}\u{7F}\u{2028}", "Köpfhörer 🎧", ""])
    func anyNameIsOneLineOfJSONAndIsReadBack(name: String) throws {
        let text = text(.becameNoisy(.sample(.unknown, name, "u/i"), at: .milliseconds(1)))
        #expect(!text.utf8.contains(UInt8(ascii: "\n")))
        #expect(!text.contains(#"\/"#))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((object["port"] as? [String: Any])?["name"] as? String == name)
    }

    @Test func anArrayHasItsElementsOnLinesOfTheirOwn() {
        #expect(JSONFormat.lines([.integer(1), .integer(2)]) == ["[", "1,", "2", "]"])
        #expect(JSONFormat.lines([]) == ["[", "]"])
    }
}
