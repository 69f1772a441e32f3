/// A program that plays a file.
struct Contestant: Sendable {
    let name: String
    let program: String
    let arguments: [String]
    /// A player of this package.
    var isOurs = false

    static let ours = Contestant(name: "AudioSessions", program: "peer-player", arguments: [], isOurs: true)
    static let all = [
        ours,
        Contestant(name: "pw-play", program: "pw-play", arguments: []),
        Contestant(name: "paplay", program: "paplay", arguments: []),
        Contestant(name: "mpv, pipewire", program: "mpv", arguments: mpv("pipewire")),
        Contestant(name: "mpv, pulse", program: "mpv", arguments: mpv("pulse")),
    ]

    /// This library's player on a graph with this quantum, whatever a player requests.
    static func ours(at quantum: Int) -> Contestant {
        Contestant(name: "\(ours.name), quantum \(quantum)", program: ours.program, arguments: [], isOurs: true)
    }

    private static func mpv(_ output: String) -> [String] {
        ["--no-config", "--really-quiet", "--no-video", "--loop=inf", "--ao=\(output)"]
    }
}

extension [Contestant] {
    func rotated(by count: Int) -> [Contestant] { indices.map { self[($0 + count) % self.count] } }
}
