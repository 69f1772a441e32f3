import AudioSessionCore
import AudioSessionTestKit
import Foundation
import Testing

/// Invented computers in files beside the tests, as complete `pw-dump` output and as excerpts from
/// it.
enum Fixture {
    static func dump(_ name: String) throws -> PipeWireDump {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        return try PipeWireDump(json: Data(contentsOf: folder.appending(path: name + ".json")))
    }

    /// The ports as text: `*output headphones?` means an uncertain one in use.
    static func short(_ dump: PipeWireDump) -> [String] {
        dump.ports.map { port in
            "\(port.active ? "*" : "")\(port.direction) \(port.type.rawValue)\(port.uncertain ? "?" : "")"
                + (port.route.map { " \($0)" } ?? "")
        }
    }
}

func read(_ text: String) throws -> PipeWireDump { try PipeWireDump(json: Array(text.utf8)) }

@Suite struct PipeWireDumpTests {
    @Test func aLaptopsDumpIsReadCompletely() throws {
        let dump = try Fixture.dump("laptop")
        #expect(
            Fixture.short(dump) == [
                "*output headphones analog-output-headphones", "*output bluetoothA2DP headphone-output",
                "*output headphones analog-output-headphones", "*input builtInMic analog-input-internal-mic",
                "output builtInSpeaker analog-output-speaker", "output HDMI? hdmi-output-0",
                "input headsetMic analog-input-headset-mic",
            ])
        #expect(dump.graph.defaultPort(.output)?.name == "Headphones")
        #expect(dump.graph.defaultPort(.input)?.type == .builtInMic)
        #expect(dump.graph.availablePorts(.output).map(\.type) == [.headphones, .headphones, .bluetoothA2DP])
        #expect(dump.ports[2].node == "effect_input.bass")
    }

    @Test func activePortsNameTheirNodeAndOthersAPossibleNode() throws {
        let ports = try Fixture.dump("laptop").ports
        let other = try #require(ports.first { $0.route == "analog-output-speaker" && !$0.active })
        #expect(other.node == "alsa_output.pci-0000_00_1b.0.analog-stereo")
        #expect(other.uid == "alsa_card.pci-0000_00_1b.0/analog-output-speaker")
        #expect(ports.first { $0.type == .hdmi }?.node == nil)
    }

    @Test func aBoardWithUseCasesIsReadCompletely() throws {
        let dump = try Fixture.dump("handheld")
        #expect(
            Fixture.short(dump) == [
                "*output builtInSpeaker [Out] Speaker", "*output builtInSpeaker [Out] Speaker",
                "*input builtInMic [In] Internal Mic", "output headphones [Out] Headphones",
                "output builtInReceiver [Out] Earpiece", "input headsetMic [In] Headset",
            ])
    }

    @Test func textForDisplayIsReadAsFarAsPossible() throws {
        let dump = try Fixture.dump("excerpts")
        #expect(
            Fixture.short(dump) == [
                "*output lineOut? analog-output", "*output usbAudio analog-output-headphones",
                "*output bluetoothA2DP speaker-output", "*output virtual", "*output airPlay network-output",
                "*input headsetMic [In] Headset", "output lineOut [Out] Line", "input usbAudio",
            ])
    }

    @Test func jsonHasEveryKeyAndNullForMissingValues() throws {
        let dump = try read(#"[{"type":"Node","info":{"props":{"node.name":"x_sink","node.virtual":true}}}]"#)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(dump.ports), as: UTF8.self)
        #expect(
            text
                == #"[{"active":true,"device":null,"direction":"output","name":"x_sink","node":"x_sink","route":null,"#
                + #""type":"virtual","uid":"x_sink","uncertain":false,"#
                + #""why":"exists in software only; it belongs to no device"}]"#)
    }

    @Test func aPortIsPrintedInOneLine() throws {
        let text = try #require(try Fixture.dump("laptop").ports.first).description
        #expect(
            text.hasPrefix("* output headphones “Headphones” [alsa_card.pci-0000_00_1b.0/analog-output-headphones] "))
        #expect(!text.contains("\n"))
        let hdmi = try #require(try Fixture.dump("laptop").ports.first { $0.type == .hdmi }).description
        #expect(hdmi.hasPrefix("  output HDMI? “HDMI / DisplayPort” ["))
    }

    @Test func orderDoesNotDependOnTheFile() throws {
        let dump = try Fixture.dump("laptop")
        for _ in 0..<5 { #expect(try Fixture.dump("laptop").ports == dump.ports) }
    }
}
