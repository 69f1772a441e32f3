public import AudioSessionTestKit
public import BenchmarkSupport

/// A private PipeWire with its session manager, a card, and a server for PulseAudio's programs.
public struct Stage {
    public let pipeWire: PrivatePipeWire
    public let card: VirtualCard
    public let cause: Program
    private let pulse: Program?

    /// Starts the stage. `quantum` is the only one, in frames; with `nil` PipeWire chooses.
    public init(quantum: Int? = nil) async throws {
        var options = PrivatePipeWire.Options()
        options.quantum = quantum
        pipeWire = try await PrivatePipeWire(options)
        card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let environment = pipeWire.environment
        cause = try Program(Program.besideThis("peer-cause"), [], environment: environment)
        guard cause.wait(for: "ready") else { throw Program.Failure("peer-cause did not get ready") }
        pulse = Program.find("pipewire-pulse", in: environment).flatMap {
            try? Program($0, [], environment: environment)
        }
        pause(milliseconds: 900)
    }

    public func close() async {
        cause.stop()
        pulse?.kill()
        await card.close()
        await pipeWire.stop()
    }

    /// The peer, or `nil` if it is unavailable.
    public func start(_ program: String, _ arguments: [String]) -> Program? {
        let path =
            program.hasPrefix("peer-")
            ? Program.besideThis(program) : Program.find(program, in: pipeWire.environment)
        return path.flatMap { try? Program($0, arguments, environment: pipeWire.environment) }
    }
}
