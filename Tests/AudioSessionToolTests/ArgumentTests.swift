import ArgumentParser
import AudioSessionTestKit
import Testing

@testable import AudioSessionSimulation
@testable import AudioSessionTool

@Suite struct ArgumentTests {
    @Test func optionsReachTheirCommands() throws {
        let monitor = try #require(
            try AudioSessionTool.parseAsRoot(["monitor", "--json", "--remote", "pipewire-1"]) as? MonitorCommand)
        #expect(monitor.json)
        #expect(monitor.connection.remote == "pipewire-1")
        let status = try #require(try AudioSessionTool.parseAsRoot(["status"]) as? StatusCommand)
        #expect(!status.json)
        #expect(status.connection.remote == nil)
        let silent = try #require(try AudioSessionTool.parseAsRoot(["silent", "on", "--json"]) as? SilentCommand)
        #expect(silent.mode == .on && silent.json)
        let asking = try #require(try AudioSessionTool.parseAsRoot(["silent"]) as? SilentCommand)
        #expect(asking.mode == nil && !asking.json)
        let ports = try #require(try AudioSessionTool.parseAsRoot(["ports", "--dump", "-"]) as? PortsCommand)
        #expect(ports.dump == "-")
    }

    @Test(arguments: [
        ([], "alsa_card.pci-virtual_0"), (["--built-in", "--name", "b-2"], "alsa_card.pci-virtual_b-2"),
        (["--usb"], "alsa_card.usb-Virtual_USB_Headset_0-00"), (["--bluetooth"], "bluez_card.02_00_00_00_00_01"),
        (["--bluetooth", "--name", "Buds"], "bluez_card.02_DD_FD_4E_E4_A7"),
    ])
    func aCardHasItsKindAndName(arguments: [String], device: String) throws {
        let command = try #require(
            try AudioSessionTool.parseAsRoot(["simulate", "card"] + arguments) as? SimulateCardCommand)
        #expect(command.kind.description(named: command.name).name == device)
    }

    @Test(arguments: [
        ["bogus"], ["silent", "loud"], ["silent", "on", "off"], ["status", "extra"], ["status", "--remote"],
        ["monitor", "--yaml"],
        ["ports", "--dump", "x", "--remote", "y"], ["simulate", "card", "--usb", "--bluetooth"],
        ["simulate", "card", "--name", "a b"], ["simulate", "card", "--name", ""],
        ["demo", "--quantum", "16"], ["demo", "--here", "--quantum", "64"], ["demo", "--remote", "x"],
    ])
    func aWrongCommandLineIsAUsageError(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try AudioSessionTool.parseAsRoot(arguments) }
        #expect(AudioSessionTool.exitCode(for: error).rawValue == 64)
    }

    @Test func helpListsCommandsAndExitCodes() {
        let help = AudioSessionTool.helpMessage(columns: 80)
        for word in ["status", "monitor", "ports", "simulate", "Exit codes", "69  PipeWire cannot be reached"] {
            #expect(help.contains(word))
        }
    }
}
