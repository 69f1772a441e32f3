import Foundation
import TestSupport
import Testing

@testable import AudioSessionTool

@Suite(.timeLimit(.minutes(10))) struct PortsDumpTests {
    private static let dump = """
        [{"id": 40, "type": "PipeWire:Interface:Device", "info": {
            "props": {"device.name": "alsa_card.pci-0000_00_1f.3", "device.api": "alsa", "device.bus": "pci",
                "device.description": "Built-in Audio"},
            "params": {
                "EnumProfile": [{"index": 1, "name": "output:analog-stereo"}],
                "Profile": [{"index": 1, "name": "output:analog-stereo"}],
                "EnumRoute": [
                    {"index": 0, "direction": "Output", "name": "analog-output-speaker", "description": "Speakers",
                     "priority": 10000, "available": "unknown", "info": [1, "port.type", "speaker"],
                     "profiles": [1], "devices": [0]},
                    {"index": 1, "direction": "Output", "name": "analog-output-headphones",
                     "description": "Headphones", "priority": 9900, "available": "no",
                     "info": [1, "port.type", "headphones"], "profiles": [1], "devices": [0]}],
                "Route": [
                    {"index": 0, "direction": "Output", "name": "analog-output-speaker", "description": "Speakers",
                     "priority": 10000, "available": "unknown", "info": [1, "port.type", "speaker"],
                     "profiles": [1], "devices": [0], "device": 0, "profile": 1}]}}},
         {"id": 50, "type": "PipeWire:Interface:Node", "info": {"props": {
            "node.name": "alsa_output.pci-0000_00_1f.3.analog-stereo", "media.class": "Audio/Sink",
            "factory.name": "api.alsa.pcm.sink", "device.id": 40, "card.profile.device": 0}}}]
        """

    @Test func aDumpOnStandardInputGivesALineForEachPort() async throws {
        let run = try await ToolRun("ports", "--dump", "-", input: Self.dump)
        #expect(run.exitCode == 0)
        #expect(run.errors.isEmpty)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("* output builtInSpeaker “Speakers” [alsa_card.pci-0000_00_1f.3/") == true)
        #expect(lines.last?.hasPrefix("  output headphones “Headphones” [alsa_card.pci-0000_00_1f.3/") == true)
    }

    @Test func aNonBlockingInputIsReadToItsEnd() async throws {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading.fileDescriptor
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        let (threads, continuation) = AsyncStream.makeStream(of: String.self)
        let (contents, end) = AsyncStream.makeStream(of: [UInt8]?.self)
        DispatchQueue(label: "reader").async {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            continuation.yield(thread ?? "")
            end.yield(try? InputFile(path: "-").read(reader))
        }
        let thread = try #require(await threads.first { _ in true })
        try await waitUntil("the reader sleeps") {
            try String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8).contains(") S ")
        }
        try pipe.fileHandleForWriting.write(contentsOf: Data("[]".utf8))
        try pipe.fileHandleForWriting.close()
        let content = try #require(await contents.first { _ in true })
        #expect(content == Array("[]".utf8))
    }

    @Test func withJSONItGivesAnArrayOfObjectsThatAlwaysHaveEveryKey() async throws {
        let run = try await ToolRun("ports", "--json", "--dump", "-", input: Self.dump)
        let array = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(array.count == 2)
        let keys: Set = ["node", "device", "route", "direction", "active", "type", "name", "uid", "uncertain", "why"]
        #expect(array.allSatisfy { Set($0.keys) == keys })
        #expect(array.map { $0["type"] as? String } == ["builtInSpeaker", "headphones"])
        #expect(array.map { $0["active"] as? Bool } == [true, false])
    }

    @Test(arguments: [
        ("", "line 1, column 1"), ("[{]", "line 1, column 3"), ("{\"objects\": 3}", "“objects” is not a list"),
        ("7", "neither a list nor an object"), (String(repeating: "[", count: 10_000), "levels deep"),
    ])
    func anInvalidDumpIsBadInputWithItsPosition(text: String, message: String) async throws {
        let run = try await ToolRun("ports", "--dump", "-", input: text)
        #expect(run.exitCode == 65)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("audiosession: Standard input is not the output of pw-dump: "))
        #expect(run.errors.contains(message))
    }

    @Test func anEmptyDumpHasNoPorts() async throws {
        let run = try await ToolRun("ports", "--json", "--dump", "-", input: "[]")
        #expect(run.exitCode == 0)
        #expect(run.output == "[\n]\n")
    }

    @Test(arguments: [("/nonexistent/dump.json", "No such file or directory"), ("/", "Is a directory")])
    func aFileThatCannotBeReadIsNamed(path: String, reason: String) async throws {
        let run = try await ToolRun("ports", "--dump", path)
        #expect(run.exitCode == 66)
        #expect(run.errors == "audiosession: '\(path)' cannot be read: \(reason).\n")
    }
}
