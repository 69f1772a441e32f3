import AudioSessions
import Foundation
import Testing

@testable import AudioSessionTool

/// The text of each line is a contract with other people's programs: what fails here breaks them.
@Suite struct JSONFormatTests {
    private static let speakers =
        #"{"name":"Speakers","type":"builtInSpeaker","uid":"card/speaker","uncertain":false}"#
    private static let headphones =
        #"{"name":"Headphones","type":"headphones","uid":"card/headphones","uncertain":false}"#
    private static let screen = #"{"name":"DELL U2720Q","type":"HDMI","uid":"card/hdmi-output-0","uncertain":true}"#
    private static let microphone =
        #"{"name":"Internal Microphone","type":"builtInMic","uid":"card/mic","uncertain":false}"#

    @Test func aStatusIsOneObject() throws {
        #expect(
            try JSONLine.text(of: StatusLine(.sample))
                == #"{"availableInputs":[\#(Self.microphone)],"availableOutputs":[\#(Self.speakers),\#(Self.screen)],"#
                + #""format":1,"pipeWireLibrary":"0.3.65","#
                + #""route":{"inputs":[\#(Self.microphone)],"outputs":[\#(Self.speakers)]},"t":1000000000}"#)
    }

    @Test func aMonitorBeginsWithTheRouteAndTheFormatsVersion() throws {
        #expect(
            try JSONLine.text(of: MonitorEvent.route(.to(.speakers), at: .milliseconds(1)))
                == #"{"event":"route","format":1,"#
                + #""route":{"inputs":[\#(Self.microphone)],"outputs":[\#(Self.speakers)]},"t":1000000}"#)
    }

    @Test func aRouteChangeTellsReasonAndBothRoutes() throws {
        let change = RouteChange.because(.oldDeviceUnavailable, .to(.headphones), .to(.speakers, from: []))
        #expect(
            try JSONLine.text(of: MonitorEvent.routeChange(change))
                == #"{"current":{"inputs":[],"outputs":[\#(Self.speakers)]},"event":"routeChange","#
                + #""previous":{"inputs":[\#(Self.microphone)],"outputs":[\#(Self.headphones)]},"#
                + #""reason":"oldDeviceUnavailable","t":2500000000}"#)
    }

    @Test(arguments: [
        (
            MonitorEvent.becameNoisy(.headphones, at: .milliseconds(2)),
            #""event":"becameNoisy","port":\#(headphones)"#
        ),
        (
            .availablePortsChanged(inputs: [], outputs: [.screen], at: .milliseconds(2)),
            #""availableInputs":[],"availableOutputs":[\#(screen)],"event":"availablePortsChanged""#
        ),
        (.mediaServicesLost(at: .milliseconds(2)), #""event":"mediaServicesLost""#),
        (.dropped(7, at: .milliseconds(2)), #""count":7,"event":"dropped""#),
    ])
    func theOtherEventsHaveTheirKeys(event: MonitorEvent, keys: String) throws {
        #expect(try JSONLine.text(of: event) == "{\(keys),\"t\":2000000}")
    }

    @Test func reasonsHaveApplesNames() {
        #expect(
            RouteChangeReason.allCases.map(\.name) == [
                "unknown", "newDeviceAvailable", "oldDeviceUnavailable", "categoryChange", "override",
                "wakeFromSleep", "noSuitableRouteForCategory", "routeConfigurationChange",
            ])
    }

    @Test(arguments: ["a/b", "quote \" and \\", "line\nbreak\u{1}\u{7F}\u{2028}", "Köpfhörer 🎧", ""])
    func anyNameIsOneLineOfJSONThatGivesItBack(name: String) throws {
        let text = try JSONLine.text(
            of: MonitorEvent.becameNoisy(.sample(.unknown, name, "u/i"), at: .milliseconds(1)))
        #expect(!text.utf8.contains(UInt8(ascii: "\n")))
        #expect(!text.contains(#"\/"#))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect((object["port"] as? [String: Any])?["name"] as? String == name)
    }

    @Test func anArrayHasItsElementsOnLinesOfTheirOwn() throws {
        #expect(try JSONLine.array(of: [1, 2]) == ["[", "1,", "2", "]"])
        #expect(try JSONLine.array(of: [Int]()) == ["[", "]"])
    }
}
