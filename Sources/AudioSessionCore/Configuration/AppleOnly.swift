/// A value of `AVAudioSession` that this library does not have, with the reason and the fix that
/// errors state.
package struct AppleOnly: Sendable {
    package enum Kind: String, Sendable { case category, mode, option, policy }

    package let kind: Kind
    package let name: String
    /// The reason, as a clause that follows a colon.
    package let reason: String
    package let fix: String
    /// The bits of an option; 0 for other kinds.
    package var bits: UInt = 0

    package static let all = [
        AppleOnly(
            kind: .category, name: "audioProcessing", reason: "converting sound needs no session here",
            fix: "Convert without one."),
        AppleOnly(
            kind: .mode, name: "shortFormVideo", reason: "nothing here unmutes a muted program for it",
            fix: "Use mode moviePlayback or default."),
        AppleOnly(
            kind: .mode, name: "dualRoute", reason: "only Apple's devices can pair routes",
            fix: "Use mode default, and choose outputs per stream."),
        AppleOnly(
            kind: .option, name: "overrideMutedMicrophoneInterruption",
            reason: "a muted microphone interrupts nothing here", fix: "Leave it out.", bits: 0x80),
        AppleOnly(
            kind: .option, name: "farFieldInput", reason: "only Apple's headphones support it", fix: "Leave it out.",
            bits: 0x40000),
        AppleOnly(
            kind: .option, name: "bluetoothHighQualityRecording", reason: "only Apple's headphones support it",
            fix: "Leave it out; PipeWire selects the best codec by itself.", bits: 0x80000),
    ]

    /// The sentence that names the value and the reason.
    package var rule: String { "\(kind.rawValue.capitalized) \(name) has no meaning here: \(reason)." }

    /// The name of Apple's constant, such as `AVAudioSessionModeDualRoute`.
    package var appleName: String {
        let prefix = kind == .option ? "CategoryOption" : kind.rawValue.capitalized
        return "AVAudioSession\(prefix)\(name.capitalized)"
    }
}

extension String {
    /// The string with an upper-case first letter, otherwise unchanged.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
