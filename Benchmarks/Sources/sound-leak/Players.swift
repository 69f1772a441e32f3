/// What plays a file.
struct Contestant: Sendable {
    let name: String
    let program: String
    let arguments: [String]
    /// Of this package.
    var isOurs = false

    static let ours = Contestant(name: "AudioSessions", program: "peer-player", arguments: [], isOurs: true)
    static let all = [
        ours,
        Contestant(name: "pw-play", program: "pw-play", arguments: []),
        Contestant(name: "paplay", program: "paplay", arguments: []),
        Contestant(name: "mpv, pipewire", program: "mpv", arguments: mpv("pipewire")),
        Contestant(name: "mpv, pulse", program: "mpv", arguments: mpv("pulse")),
    ]

    /// Another one first in each run.
    static func order(in run: Int) -> [Contestant] { all.indices.map { all[($0 + run) % all.count] } }

    private static func mpv(_ output: String) -> [String] {
        ["--no-config", "--really-quiet", "--no-video", "--loop=inf", "--ao=\(output)"]
    }
}
