import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import ExampleSupport

/// Rain, sea and other sounds below other audio, as programs for working or sleeping play.
@main
struct SoundBoard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sound-board",
        abstract: "Plays sounds of nature by keys, together and beside other programs; silent mode silences them.",
        discussion: """
            Keys:
              1 to 5     play a sound, stop it; 6 strikes a bell
              0          stops all
              q          quits; so does Control-C

            Exit codes: 0 quit; 64 the command line is wrong; 69 PipeWire cannot be reached, or was lost; 128 and \
            more: ended by the signal of that number less 128.
            """)

    func run() async throws {
        do {
            try await play()
        } catch {
            if let words = error.lastWords { say(words) }
            throw ExitCode(error.exitStatus)
        }
    }

    private func play() async throws {
        let happenings = Happenings()
        let manager = try await AudioSessionManager.connect(.init(applicationName: "sound-board"))
        // Mixes with all others, and follows silent mode, because its sound is optional.
        let session = try AudioSession(manager: manager, configuration: .init(.ambient))
        happenings.follow(session)
        var pads: [Pad] = []
        for kind in PadKind.allCases {
            let pad = try await Pad(kind, in: session)
            happenings.follow(onlyEventsOf: pad.player)
            pads.append(pad)
        }
        happenings.followKeys()
        say(pads.map { "\($0.key) \($0.name)" }.joined(separator: " · ") + " · 0 stops all · q quits")
        try await Self.use(pads, in: session) { try await happenings.wait { $0.isKey || $0.isFinished } }
        // No session waits for its end, because a mixing one interrupts none.
        try await session.deactivate()
        await manager.close()
    }

    /// Repeats sounds and obeys keys until the user quits.
    /// - Parameter next: Waits for the next key, or the next end of a sound.
    static func use(
        _ pads: [Pad], in session: AudioSession, next: () async throws -> Happenings.Happening
    ) async throws {
        while true {
            guard case .key(let key) = try await next() else {
                for pad in pads { await pad.repeatAtEnd() }
                continue
            }
            guard key != "q" else { return }
            if key == "0" {
                for pad in pads { await pad.player.stop() }
            } else if let pad = pads.first(where: { $0.key == key }) {
                await pad.press()
            } else {
                continue
            }
            say(sentence(for: pads, in: session))
        }
    }

    private static func sentence(for pads: [Pad], in session: AudioSession) -> String {
        let names = pads.filter { $0.player.state == .playing }.map(\.name)
        guard !names.isEmpty else { return "playing nothing" }
        let isUnheard = session.silenceReasons.contains(.silentMode)
        return "playing " + names.joined(separator: ", ")
            + (isUnheard ? " · unheard: silent mode is on" : "")
    }
}

/// A key with its sound. Each has a player, so that they sound together; all belong to one session,
/// which is interrupted, ducked and muted as one.
struct Pad {
    let key: Character
    let name: String
    let player: AudioPlayer
    private let isRepeated: Bool
    /// The player reads it during playback.
    private let sound: Sound

    init(_ kind: PadKind, in session: AudioSession) async throws {
        key = kind.key
        name = kind.name
        isRepeated = kind != .bell
        sound = try kind.sound()
        player = AudioPlayer(session: session, configuration: .init(role: .game))
        // The end of each leads to its beginning. The queue is long, because a gap follows it.
        try await player.load(Array(repeating: sound.path, count: isRepeated ? 900 : 1))
    }

    /// Plays it, or stops it. A bell is struck again.
    func press() async {
        let wasWanted = player.state == .playing || player.state == .paused(reason: .interrupted)
        if wasWanted { await player.stop() }
        if wasWanted, isRepeated { return }
        await play()
    }

    /// Plays a repeated sound again whose queue has ended.
    func repeatAtEnd() async {
        if isRepeated, player.state == .finished { await play() }
    }

    private func play() async {
        do {
            try await player.play()
        } catch {
            say(error.message)
        }
    }
}

extension Happenings.Happening {
    fileprivate var isKey: Bool { if case .key = self { true } else { false } }
    fileprivate var isFinished: Bool { if case .player(.finished) = self { true } else { false } }
}
