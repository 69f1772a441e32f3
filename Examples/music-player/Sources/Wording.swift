import AudioSessionPlayback
import AudioSessions

/// The texts of events.
extension PlayerModel {
    /// Returns the text of an event; `nil` where another event, or the screen itself, shows it.
    func sentence(for event: AudioPlayer.Event) -> String? {
        switch event {
        case .stateChanged(.playing, _): (returnsFrom.map { "\($0) is done: " } ?? "") + "playing on \(outputName)"
        case .stateChanged(.paused(.user), _): "paused"
        case .stateChanged(.paused(.mediaServicesLost), _): "PipeWire was lost: paused"
        case .stateChanged, .itemChanged: nil
        case .positionChanged(let position, _): position > .zero ? "went to \(position.clock)" : nil
        case .finished: "played to the end"
        case .becameNoisy(let port, _): "\(port.label.noun) \(port.label.leaves): paused"
        case .routeChanged(let change): sentence(for: change)
        case .failed(let error, _): error.message.printable
        @unknown default: nil
        }
    }

    /// Returns the text of a session's event; `nil` where the player's own events show it.
    func sentence(for event: AudioSession.Event) -> String? {
        switch event {
        case .interruptionBegan(_, let by, _):
            "interrupted by \(by.name)" + (state == .paused(reason: .interrupted) ? ": paused" : "")
        case .interruptionEnded(let options, _):
            "\(interrupter ?? "the interruption") is done"
                + (options.contains(.shouldResume) ? "" : ": staying paused")
        case .ducking(1, _, _): "as loud as before"
        case .ducking(_, let by, _):
            by.isEmpty ? "muted by silent mode" : "ducked by \(by.map(\.name).joined(separator: ", "))"
        case .stateChanged, .becameNoisy, .routeChanged, .resumeAdvice, .silenceSecondaryAudioHint,
            .outputVolumeChanged, .inputGainChanged, .hardwareFormatChanged, .mediaServicesLost, .mediaServicesReset,
            .silenceReasonsChanged:
            nil
        @unknown default: nil
        }
    }

    /// Keeps the state for the texts of later events.
    mutating func remember(_ event: Player.Event) {
        switch event {
        case .session(.interruptionBegan(_, let by, _)):
            interrupter = by.name
            returnsFrom = nil
        case .session(.interruptionEnded): returnsFrom = interrupter
        case .player(.stateChanged(.playing, _)): returnsFrom = nil
        case .player, .session, .mediaServicesLost, .mediaServicesReset: break
        }
    }

    private func sentence(for change: RouteChange) -> String? {
        let old = change.previous.outputs.first
        guard let new = change.current.outputs.first else {
            return old == nil ? nil : "no output is left"
        }
        guard old != new else { return nil }
        switch change.reason {
        case .newDeviceAvailable:
            return "\(new.label.noun) \(new.label.arrives)\(isPlaying ? ": playing there" : "")"
        case .oldDeviceUnavailable:
            // During playback `becameNoisy` has reported it.
            return state == .paused(reason: .routeLost) ? nil : old.map { "\($0.label.noun) \($0.label.leaves)" }
        default: return "now on \(new.name.printable)"
        }
    }

    /// The line for an event when there is no screen to draw on; `nil` for none.
    func plainLine(for event: AudioPlayer.Event) -> String? {
        switch event {
        case .stateChanged(.playing, _): playingLine
        case .itemChanged(.some, _) where isPlaying: playingLine
        // A screen shows it all the time.
        case .routeChanged(let change) where state == .paused(reason: .routeLost):
            change.current.outputs.first.map { "now on \($0.name.printable)" } ?? "no output is left"
        default: sentence(for: event)
        }
    }

    private var playingLine: String? {
        guard let track, let current else { return nil }
        let number = "\(current + 1)".leftPadded(to: max(2, "\(tracks.count)".count), with: "0")
        return "▶ \(number) \(track.name) (\(track.duration.clock)) on \(outputName)"
    }
}

extension AudioSessionError {
    /// The text of a command that failed. The fix of a broken rule is for programs.
    var sentence: String { rule.map { "refused: \($0)" } ?? message }
}

extension AudioSession.Peer {
    fileprivate var name: String {
        (applicationName ?? processID.map { "process \($0)" } ?? "another program").printable
    }
}

extension Duration {
    /// The duration as "3:04" or "1:02:03".
    var clock: String {
        let seconds = max(0, components.seconds)
        let tail = "\(seconds % 60)".leftPadded(to: 2, with: "0")
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\("\(seconds / 60 % 60)".leftPadded(to: 2, with: "0")):\(tail)"
    }
}
