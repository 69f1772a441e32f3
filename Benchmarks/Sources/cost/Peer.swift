import BenchmarkSupport
import CostStage

/// A program that is measured.
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
    /// The floor of programs that know ports, routes and defaults after their start.
    static let starting =
        all + [
            // Swift's libraries are in the program, as in those of Scripts/install.
            Peer(name: "AudioSessions, static", program: "peer-audiosessions-static", options: ours.options),
            Peer(name: "C client that knows as much", program: "peer-pipewire", options: ["all"]),
        ]
    /// The cost of programs before their first request.
    static let doingNothing = [
        Peer(name: "C client that does nothing", program: "peer-pipewire", options: ["nothing"]),
        Peer(
            name: "AudioSessions, static, that does nothing", program: "peer-audiosessions-static",
            options: ["nothing", "callback"]),
    ]
}

extension Stage {
    func start(_ peer: Peer) -> Program? {
        guard let program = start(peer.program, peer.options), program.wait(for: "ready", seconds: 30) else {
            return nil
        }
        return program
    }
}
