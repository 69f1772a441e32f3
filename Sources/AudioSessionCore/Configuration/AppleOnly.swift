/// What `AVAudioSession` has and this library has not, with the reason: the wording of refusals.
package struct AppleOnly: Sendable {
    package enum Kind: String, Sendable { case category, mode, option, policy }

    package let kind: Kind
    package let name: String
    /// A sentence without its full stop.
    package let reason: String
    package let fix: String
    /// The bits of an option.
    package var bits: UInt = 0

    package static let all = [
        AppleOnly(
            kind: .category, name: "audioProcessing", reason: "converting sound needs no session here",
            fix: "Convert without one."),
        AppleOnly(
            kind: .mode, name: "shortFormVideo", reason: "nothing here unmutes a muted program for it",
            fix: "Use mode moviePlayback or default."),
        AppleOnly(
            kind: .mode, name: "dualRoute", reason: "it pairs routes as only Apple's devices can",
            fix: "Use mode default, and choose outputs per stream."),
        AppleOnly(
            kind: .option, name: "overrideMutedMicrophoneInterruption",
            reason: "a muted microphone interrupts nothing here", fix: "Leave it out.", bits: 0x80),
        AppleOnly(
            kind: .option, name: "farFieldInput", reason: "only Apple's headphones can do it", fix: "Leave it out.",
            bits: 0x40000),
        AppleOnly(
            kind: .option, name: "bluetoothHighQualityRecording", reason: "only Apple's headphones can do it",
            fix: "Leave it out, PipeWire takes the best codec by itself.", bits: 0x80000),
    ]

    /// One sentence that names it.
    package var rule: String { "\(kind.rawValue.capitalized) \(name) has no meaning here: \(reason)." }

    /// The name of Apple's constant, such as `AVAudioSessionModeDualRoute`.
    package var appleName: String {
        let prefix = kind == .option ? "CategoryOption" : kind.rawValue.capitalized
        return "AVAudioSession\(prefix)\(name.capitalized)"
    }
}

extension String {
    /// With its first letter in upper case, the rest as it is.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
