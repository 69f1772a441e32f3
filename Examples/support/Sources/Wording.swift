public import AudioSessions
import Glibc

/// Prints a line at once, also into a pipe.
public func say(_ line: String) { writeAll(Array("\(line.harmless)\n".utf8), to: STDOUT_FILENO) }

extension AudioSession.Event {
    /// What happened to the session, in words; `nil` where another event says it.
    public var sentence: String? {
        switch self {
        case .interruptionBegan(_, let by, _): "interrupted by \(by.name)"
        case .interruptionEnded(let options, _):
            options.contains(.shouldResume)
                ? "the interruption is over: going on" : "the interruption is over: staying silent"
        case .ducking(1, _): "as loud as before"
        case .ducking(let gain, let by):
            by.isEmpty
                ? "silent, as the machine is"
                : "lowered to \(gain.decibels) by \(by.map(\.name).joined(separator: ", "))"
        case .becameNoisy(let port, _): "\(port.name) is gone"
        case .routeChanged(let change):
            change.current.outputs.first.map { "now on \($0.name)" } ?? "no output is left"
        case .resumeAdvice: "the output is back"
        case .stateChanged, .silenceSecondaryAudioHint, .mediaServicesLost, .mediaServicesReset: nil
        }
    }
}

extension AudioSession.Cause {
    /// Two programs may call themselves the same.
    var name: String {
        let name = applicationName ?? "a program without a name"
        return processID.map { "\(name) (process \($0))" } ?? name
    }
}

extension Float {
    /// As an amplitude: "-14 dB".
    fileprivate var decibels: String { self > 0 ? "\(Int((20 * log10(self)).rounded())) dB" : "silence" }
}

extension String {
    /// A terminal obeys control characters, and names come from other programs.
    fileprivate var harmless: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
