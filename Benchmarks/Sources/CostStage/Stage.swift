public import AudioSessionTestKit
public import BenchmarkSupport

/// A private PipeWire with its session manager, a card, and PulseAudio's programs served.
public struct Stage {
    public let pipeWire: PrivatePipeWire
    public let card: VirtualCard
    public let cause: Program
    private let pulse: Program?

    /// - Parameter quantum: the only one, in frames; `nil` for what PipeWire chooses.
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

    /// `nil` if it cannot be had.
    public func start(_ program: String, _ arguments: [String]) -> Program? {
        let path =
            program.hasPrefix("peer-")
            ? Program.besideThis(program) : Program.find(program, in: pipeWire.environment)
        return path.flatMap { try? Program($0, arguments, environment: pipeWire.environment) }
    }
}
