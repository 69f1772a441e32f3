import AudioSessionTestKit
import BenchmarkSupport

/// Who is measured.
struct Peer: Sendable {
    let name: String
    let program: String
    let options: [String]
    var knowsJacks = true

    static let ours = Peer(name: "AudioSessions", program: "peer-audiosessions", options: ["nodes", "callback"])
    static let all = [
        Peer(name: "C client (floor)", program: "peer-pipewire", options: ["nodes"]), ours,
        Peer(name: "libwireplumber", program: "peer-wireplumber", options: ["nodes"]),
        Peer(name: "libpulse", program: "peer-pulse", options: ["nodes"]),
        Peer(name: "GStreamer", program: "peer-gstreamer", options: ["nodes"], knowsJacks: false),
    ]
    /// The floor of those that know ports, routes and defaults when they have started.
    static let starting =
        all + [
            // Swift's libraries in the program itself, as in those that Scripts/install makes.
            Peer(name: "AudioSessions, static", program: "peer-audiosessions-static", options: ours.options),
            Peer(name: "C client that knows as much", program: "peer-pipewire", options: ["all"]),
        ]
    /// What programs take before they ask for anything.
    static let doingNothing = [
        Peer(name: "C client that does nothing", program: "peer-pipewire", options: ["nothing"]),
        Peer(
            name: "AudioSessions, static, that does nothing", program: "peer-audiosessions-static",
            options: ["nothing", "callback"]),
    ]
}

struct Stage {
    let pipeWire: PrivatePipeWire
    let card: VirtualCard
    let cause: Program
    private let pulse: Program?

    init() async throws {
        pipeWire = try await PrivatePipeWire()
        card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let environment = pipeWire.environment
        cause = try Program(Program.besideThis("peer-cause"), [], environment: environment)
        guard cause.wait(for: "ready") else { throw Program.Failure("peer-cause did not get ready") }
        pulse = Program.find("pipewire-pulse", in: environment).flatMap {
            try? Program($0, [], environment: environment)
        }
        pause(milliseconds: 900)
    }

    func close() async {
        cause.stop()
        pulse?.kill()
        await card.close()
        await pipeWire.stop()
    }

    /// `nil` if it cannot be had.
    func start(_ program: String, _ arguments: [String]) -> Program? {
        let path =
            program.hasPrefix("peer-")
            ? Program.besideThis(program) : Program.find(program, in: pipeWire.environment)
        return path.flatMap { try? Program($0, arguments, environment: pipeWire.environment) }
    }

    func start(_ peer: Peer) -> Program? {
        guard let program = start(peer.program, peer.options), program.wait(for: "ready", seconds: 30) else {
            return nil
        }
        return program
    }
}
