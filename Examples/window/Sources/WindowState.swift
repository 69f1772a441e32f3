import AudioSessionPlayback
import AudioSessions

/// The state that is shown: a value without widgets and without PipeWire.
struct WindowState: Sendable, Hashable, Codable {
    var title = ""
    var artist: String?
    /// Times in whole seconds, as they are shown.
    var position = 0
    var duration = 0
    var isPlaying = false
    var hasNext = false
    /// The volume from 0 to 1.
    var volume = 1.0
    /// The output in use.
    var output: Port?
    /// The outputs that are available.
    var outputs: [Port] = []
    /// The `uid` of the user's choice; `nil` if the system chooses.
    var chosen: String?
    var banner: Banner?

    /// A typed port, as it is shown.
    struct Port: Sendable, Hashable, Codable {
        var uid: String
        var name: String
        /// Its type in a word or two.
        var kind: String
        var icon: String
    }

    /// The session or state that silences the player, and the action against it.
    struct Banner: Sendable, Hashable, Codable {
        var icon: String
        var title: String
        var text: String
        /// The label of a button that plays all the same.
        var button: String?
    }
}

extension WindowState {
    /// Reads the library's snapshots, without waiting.
    /// - Parameters:
    ///   - lost: the output that was in use when it was lost, if the player paused for that.
    ///   - trouble: the reason why the user's last command failed.
    ///   - failure: what failed by itself. It is shown only while nothing silences the player.
    init(_ player: Player, lost: PortDescription?, trouble: String?, failure: String?) {
        let audio = player.audio
        let item = audio.currentItem
        title = item.map { $0.title ?? Self.withoutEnding($0.fileName) } ?? ""
        artist = item?.artist
        position = Int(audio.position.components.seconds)
        duration = Int((item?.duration ?? .zero).components.seconds)
        isPlaying = audio.state == .playing
        hasNext = (audio.currentIndex ?? 0) + 1 < audio.queue.count
        volume = Double(audio.volume)
        output = audio.route.outputs.first.map(Port.init)
        outputs = player.manager.availableOutputs.map(Port.init)
        chosen = audio.session.preferredOutput?.uid
        banner =
            trouble.map(Banner.init(trouble:))
            ?? Banner(
                audio.session.silenceReasons, isWaiting: audio.state == .paused(reason: .interrupted), lost: lost,
                next: output)
            ?? failure.map(Banner.init(trouble:))
    }

    private static func withoutEnding(_ path: String) -> String {
        String(path.lastIndex(of: ".").map { path[..<$0] } ?? path[...])
    }

    static func clock(_ seconds: Int) -> String {
        let rest = "\(seconds % 60)"
        return "\(seconds / 60):\(rest.count < 2 ? "0" : "")\(rest)"
    }
}

extension WindowState.Banner {
    /// The banner of a state.
    /// - Parameters:
    ///   - silence: the silence reasons, the most important one first.
    ///   - isWaiting: whether the player resumes by itself when an interruption ends.
    init?(
        _ silence: [AudioSession.SilenceReason], isWaiting: Bool, lost: PortDescription?, next: WindowState.Port?
    ) {
        for cause in silence {
            switch cause {
            case .interrupted(let by):
                let names = by.names
                self.init(
                    icon: "media-playback-pause-symbolic",
                    title: "Paused for \(names)",
                    text: isWaiting
                        ? "Playback resumes when \(names) is done." : "Playback stays paused when \(names) is done.",
                    button: "Play Anyway")
            case .ducked(_, let by) where !by.isEmpty:
                self.init(
                    icon: "audio-volume-low-symbolic", title: "Lowered for \(by.names)",
                    text: "The volume returns when \(by.names) is done.")
            case .routeLost:
                self.init(
                    icon: "dialog-warning-symbolic", title: "\(lost?.name ?? "Output") disconnected",
                    text: "Playback is paused.", button: next.map { "Play on \($0.name)" })
            case .muted:
                self.init(
                    icon: "audio-volume-muted-symbolic", title: "Muted in the sound settings",
                    text: "Playback continues without sound.")
            case .daemonLost:
                self.init(
                    icon: "dialog-warning-symbolic", title: "PipeWire is not running",
                    text: "Press play when it is back.")
            case .inactive, .advised, .ducked, .silentMode, .inputMuted, .paused: continue
            @unknown default: continue
            }
            return
        }
        return nil
    }

    init(trouble: String) {
        self.init(icon: "dialog-warning-symbolic", title: "Not possible now", text: trouble)
    }
}

extension [AudioSession.Peer] {
    fileprivate var names: String {
        let names = map { $0.applicationName ?? $0.processID.map { "process \($0)" } ?? "another program" }
        return names.isEmpty ? "another program" : names.joined(separator: ", ")
    }
}
