import FoundationEssentials
import Glibc
import PipeWireGraph

@testable import AudioSessionTestKit

/// One `audiosession run` of the long soak. Its output goes to a file, and is read when it is
/// needed.
final class SoakProgram {
    /// A program's configuration, with one priority for its whole life.
    struct Kind {
        var rank: Int
        var commands: [String]

        static let all = [
            Kind(rank: 0, commands: ["category playback"]),
            Kind(rank: 0, commands: ["category playback mode=spokenAudio"]),
            Kind(rank: 0, commands: ["category playback options=mixWithOthers"]),
            Kind(rank: 0, commands: ["category playback mode=voicePrompt options=duckOthers"]),
            Kind(
                rank: 0,
                commands: ["category playback mode=voicePrompt options=interruptSpokenAudioAndMixWithOthers"]),
            Kind(rank: 0, commands: ["category ambient"]),
            Kind(rank: 0, commands: ["category soloAmbient"]),
            Kind(rank: 1, commands: ["category playback", "priority alarm"]),
            Kind(rank: 2, commands: ["category playback", "priority ringtone"]),
            Kind(rank: 3, commands: ["category playAndRecord mode=voiceChat"]),
        ]
    }

    let number: Int
    let kind: Kind
    let process: ChildProcess
    /// A program that is neither killed nor ended before the end, to compare its usage then.
    let isVeteran: Bool
    private(set) var commands: [String] = []
    var isStopped = false
    var isKilled = false
    private let log: String
    private var input: Pipe?
    private var read: [JSONValue] = []
    private var offset: UInt64 = 0
    private var rest: [UInt8] = []
    /// Lines that are not its own: those of a crash or a sanitizer.
    private(set) var strangeLines: [String] = []

    init(_ number: Int, _ kind: Kind, isVeteran: Bool, on pipeWire: PrivatePipeWire) async throws {
        self.number = number
        self.kind = kind
        self.isVeteran = isVeteran
        log = "\(pipeWire.directory)/program-\(number).log"
        guard let input = Pipe() else { throw Crowd.Missing(description: "no file is left") }
        self.input = input
        process = try await pipeWire.launch(
            testProgram("audiosession"), ["run", "--remote", pipeWire.remote], log: "program-\(number)",
            input: input.reading)
        for command in kind.commands { send(command) }
    }

    var isAlive: Bool { process.exitStatus == nil }
    var id: Int { Int(process.id) }

    func send(_ command: String) {
        commands.append(command)
        input?.write(command + "\n")
    }

    /// Sends no more commands.
    func endInput() { input = nil }

    /// The lines that the program has printed so far.
    func received() -> [JSONValue] {
        guard let file = fopen(log, "re") else { return read }
        defer { fclose(file) }
        fseek(file, Int(offset), SEEK_SET)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            offset += UInt64(count)
            rest += buffer[..<count]
        }
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[..<end])
            rest.removeSubrange(...end)
            // A single word is a value, too, but none that the program prints.
            if let value = try? JSONReader.value(in: line), !value.members.isEmpty {
                read.append(value)
            } else {
                strangeLines.append(String(decoding: line, as: UTF8.self))
            }
        }
        return read
    }

    var session: String? { received().first { $0["event"]?.text == "ready" }?["session"]?.text }
    var replies: [JSONValue] { received().filter { $0["reply"] != nil } }

    /// The program's private memory in KiB, and its number of open files.
    func usage() throws -> (memory: Int, files: Int) {
        let status = try String(contentsOfFile: "/proc/\(id)/smaps_rollup", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0, try files().count)
    }

    func files() throws -> [String] { try openFiles(of: "\(id)") }
}

/// The open files of a process.
func openFiles(of process: String = "self") throws -> [String] {
    let directory = "/proc/\(process)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().map { file in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(file)")) ?? "none"
    }
}
