import ArgumentParser
import AudioSessions
import PipeWireGraph

struct SilentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "silent",
        abstract: "Turn silent mode on or off, or show its state.",
        discussion: """
            In silent mode sessions of category ambient and soloAmbient are silent, and all other sound is heard. It \
            lasts until it is turned off, or PipeWire ends.

            Ends with 69 if PipeWire cannot be reached, and with 77 if it does not permit the change.
            """)

    enum Mode: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    @Argument(help: "The new state; without it the current one is shown.")
    var mode: Mode?

    @Flag(help: "Print one JSON object. The format is stable: see Docs/CommandLine.md.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        let manager = try await connection.connect()
        do throws(AudioSessionError) {
            if let mode { try await manager.setSilentMode(mode == .on) }
        } catch {
            throw ToolFailure.session(error)
        }
        let (isOn, time) = (manager.isSilentMode, MonotonicTime.now)
        await manager.close()
        let output = LineOutput()
        if json {
            try output.write("\(JSONFormat.silentMode(isOn, at: time))")
        } else {
            try output.print(Self.sentence(isOn))
        }
    }

    static func sentence(_ isOn: Bool) -> String {
        isOn ? "Silent mode is on: sessions of category ambient and soloAmbient are silent" : "Silent mode is off"
    }
}
