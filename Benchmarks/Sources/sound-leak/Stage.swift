import AudioSessionTestKit
import AudioSessions
import BenchmarkSupport

/// A computer with a built-in card and a USB headset, and a tap at both sinks.
struct Stage {
    let pipeWire: PrivatePipeWire
    let builtIn: VirtualCard
    let headset: VirtualCard
    let speaker: SinkTap
    let usb: SinkTap
    private let pulse: Program?
    private let file: String

    /// The duration of listening after a loss. A player that is heard for all of it continued.
    static let window = 1.2

    /// Starts the stage. `quantum` is the only one, in frames; with `nil` PipeWire and the players
    /// choose.
    init(quantum: Int? = nil) async throws {
        var options = PrivatePipeWire.Options()
        options.quantum = quantum
        pipeWire = try await PrivatePipeWire(options)
        builtIn = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        headset = try await VirtualCard(.usb(), remote: pipeWire.remote)
        speaker = try await SinkTap(sink: Self.sink(of: builtIn, "analog"), remote: pipeWire.remote)
        usb = try await SinkTap(sink: Self.sink(of: headset, "analog"), remote: pipeWire.remote)
        file = pipeWire.directory + "/square.wav"
        try writeSquareWave(seconds: 60, to: file)
        let environment = pipeWire.environment
        pulse = Program.find("pipewire-pulse", in: environment).flatMap {
            try? Program($0, [], environment: environment)
        }
    }

    private static func sink(of card: VirtualCard, _ end: String) -> String {
        let names = card.description.nodes.map(\.name)
        return names.first { $0.contains("output") && $0.contains(end) } ?? ""
    }

    func close() async {
        pulse?.kill()
        for tap in [speaker, usb] { await tap.close() }
        await pipeWire.stop()
    }

    /// The player, or `nil` if it is not installed.
    func start(_ contestant: Contestant) -> Program? {
        let environment = pipeWire.environment
        let path =
            contestant.isOurs
            ? Program.besideThis(contestant.program) : Program.find(contestant.program, in: environment)
        return path.flatMap { try? Program($0, contestant.arguments + [file], environment: environment) }
    }

    func startInterrupter() throws -> Program {
        let program = try Program(
            Program.besideThis("peer-audiosessions"), ["session", "cause"], environment: pipeWire.environment)
        guard program.wait(for: "ready") else { throw Program.Failure("the other program did not get ready") }
        return program
    }

    /// Listens for so much of a tap's own time.
    func listen(at tap: SinkTap, seconds: Double) async throws {
        let heard = await tap.report.frames
        try await tap.waitUntilHeard(frames: heard + UInt64(seconds * 48_000))
    }
}
