public import AudioSessionPlayback
public import AudioSessions
import Glibc

/// Prints a line at once, also into a pipe. On a terminal it replaces the drawn line.
public func say(_ line: String) {
    let clear = isatty(STDOUT_FILENO) == 1 ? "\r\u{1B}[K" : ""
    writeAll(Array("\(clear)\(line.printable.inLocale)\n".utf8), to: STDOUT_FILENO)
}

/// Writes text with its control characters, to draw on a terminal.
public func draw(_ text: String) { writeAll(Array(text.inLocale.utf8), to: STDOUT_FILENO) }

extension AudioRecorder.Event {
    /// The text of a recording's event; `nil` where another event shows it.
    public var sentence: String? {
        switch self {
        case .inputChanged(let port, _): "recording from \(port.name) · Enter ends it"
        case .microphoneMuted(by: .user, _): "the microphone is muted: silence is recorded"
        case .microphoneUnmuted(by: .user, _): "the microphone is not muted any more"
        case .microphoneSilent: "nothing but silence comes from the microphone: look for a switch on it"
        case .microphoneLost(let port, _): "\(port.name) is gone"
        case .overrun(let frames, _): "\(frames) frames are missing: the disk is too slow"
        case .failed(let error, _): error.message
        case .finished(_, let reason, _): reason == .stopped ? nil : "ended: \(reason.rawValue)"
        case .stateChanged, .microphoneMuted, .microphoneUnmuted: nil
        @unknown default: nil
        }
    }
}

extension AudioInput.Event {
    /// The text of an input's event, whose type is that of a recorder's, but which records nothing.
    var inputSentence: String? {
        switch self {
        case .inputChanged(let port, _): "speaking into \(port.name)"
        case .microphoneMuted(by: .user, _): "the microphone is muted: only silence is sent"
        // Its reason was in the event before.
        case .finished: nil
        default: sentence
        }
    }
}

extension AudioOutput.Event {
    /// The text of an output's event; `nil` where the session's event shows it.
    public var sentence: String? {
        switch self {
        case .failed(let error, _): error.message
        case .underrun(let frames, _): "\(frames) frames are missing: they were not written in time"
        case .callbackWasLate(let count, _): "\(count) cycles took longer than their sound lasts"
        case .stateChanged, .becameNoisy, .routeChanged: nil
        @unknown default: nil
        }
    }
}

extension AudioSession.Event {
    /// The text of a session's event; `nil` where another event shows it.
    public var sentence: String? {
        switch self {
        case .interruptionBegan(_, let by, _): "interrupted by \(by.name)"
        case .interruptionEnded(let options, _):
            options.contains(.shouldResume)
                ? "the interruption is over: resuming" : "the interruption is over: staying silent"
        case .ducking(1, _, _): "as loud as before"
        case .ducking(let gain, let by, _):
            by.isEmpty
                ? "muted by silent mode"
                : "ducked to \(gain.decibels) by \(by.map(\.name).joined(separator: ", "))"
        case .becameNoisy(let port, _): "\(port.name) is gone"
        case .routeChanged(let change):
            change.current.outputs.first.map { "now on \($0.name)" } ?? "no output is left"
        case .resumeAdvice: "the output is back"
        case .stateChanged, .silenceSecondaryAudioHint, .outputVolumeChanged, .inputGainChanged,
            .hardwareFormatChanged, .silenceReasonsChanged, .mediaServicesLost, .mediaServicesReset:
            nil
        @unknown default: nil
        }
    }
}

extension AudioSession.Peer {
    /// Two programs may have the same name.
    var name: String {
        let name = applicationName ?? "a program without a name"
        return processID.map { "\(name) (process \($0))" } ?? name
    }
}

extension Float {
    /// The gain as an amplitude: "-14 dB".
    fileprivate var decibels: String { self > 0 ? "\(Int((20 * log10(self)).rounded())) dB" : "silence" }
}

extension String {
    /// Names come from other programs and from devices. A terminal executes control characters, and
    /// format characters change the direction of the text after them.
    public var printable: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    case .format: scalar == "\u{200D}" ? scalar : "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
