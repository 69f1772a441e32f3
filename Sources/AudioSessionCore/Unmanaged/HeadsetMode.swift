/// Follows whether the headset in use is in its mode for music or in that for calls.
///
/// A headset returns to the mode for music some time after a call, and its sink is then removed.
/// WirePlumber 0.5.11 and later pauses the players of a sink that is removed, and nothing resumes
/// them. So a player that was paused for a call is resumed only after the return.
package struct HeadsetMode: Sendable {
    /// The limit for a headset to return. WirePlumber switches two seconds after the last
    /// recording, and a headset may be silent for five seconds before it counts as lost.
    package static let returnLimit = Duration.seconds(8)

    package enum State: Sendable {
        /// Another output is in use, or a headset that is not known to have a mode for music.
        case none
        case music, call
    }

    package private(set) var state = State.none
    /// The headset that was in its mode for music last, by its ``PortDescription/outputID``.
    private var known: String?

    package init() {}

    /// Evaluates the outputs in use.
    package mutating func update(_ outputs: [PortDescription]) {
        if let headset = outputs.first(where: { $0.type.hasModes && $0.type != .bluetoothHFP }) {
            known = headset.outputID
            state = .music
        } else {
            state = outputs.contains { $0.type == .bluetoothHFP && $0.outputID == known } ? .call : .none
        }
    }
}
