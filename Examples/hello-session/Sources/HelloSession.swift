import AudioSessionPlayback
import AudioSessions
import Foundation

/// Plays a file, or a generated tone, and prints the events of its session.
@main
struct HelloSession {
    static func main() async {
        do {
            try await play(CommandLine.arguments.dropFirst().first ?? Tone.file())
        } catch {
            FileHandle.standardError.write(Data("hello-session: \(printable("\(error)"))\n".utf8))
            exit(1)
        }
    }

    static func play(_ file: String) async throws {
        let manager = try await AudioSessionManager.connect(.init(applicationName: "hello-session"))
        let session = try AudioSession(manager: manager, configuration: .init(.playback))
        // The player activates the session, is silent when it is interrupted, and resumes when it
        // is advised to.
        let player = AudioPlayer(session: session)
        let observation = session.observe { event in
            switch event {
            case .interruptionBegan(_, let by, _):
                say("interrupted by \(by.applicationName ?? "another program"): paused")
            case .interruptionEnded(let options, _):
                say(options.contains(.shouldResume) ? "resuming" : "staying paused")
            case .ducking(let gain, _, _): say(gain < 1 ? "ducked" : "as loud as before")
            case .becameNoisy(let port, _): say("\(port.name) is gone: paused")
            case .routeChanged(let change): say("sound goes to \(names(of: change.current))")
            // The state of a paused player does not change, so it is stopped.
            case .mediaServicesLost: Task { await player.stop() }
            default: break
            }
        }
        let events = player.events()
        try await player.load([file])
        try await player.play()
        say("playing on \(names(of: session.currentRoute))")
        for await event in events {
            if case .failed(let error, _) = event { say("\(error)") }
            if case .finished = event { break }
            // The player does not resume by itself after one of these.
            if case .stateChanged(.paused(let reason), _) = event,
                [.mediaServicesLost, .outputFailed].contains(reason)
            {
                say("stopped: \(reason.rawValue)")
                break
            }
            if case .stateChanged(.stopped, _) = event {
                say("stopped: mediaServicesLost")
                break
            }
        }
        observation.cancel()
        _ = try await session.deactivate()  // interrupted sessions are advised to resume
        await manager.close()
        if player.state != .finished { exit(1) }
    }

    static func names(of route: RouteDescription) -> String {
        route.outputs.isEmpty ? "nothing" : route.outputs.map(\.name).joined(separator: " and ")
    }

    /// Not `print`, which buffers its lines when standard output is no terminal.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(printable(line))\n".utf8)) }

    /// Names come from other programs and from devices. A terminal executes control characters, and
    /// format characters change the direction of the text after them.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    case .format: scalar == "\u{200D}" ? scalar : "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
