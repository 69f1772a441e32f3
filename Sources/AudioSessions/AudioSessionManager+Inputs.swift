import AudioSessionCore
import PipeWireGraph

/// The recorded inputs and their mutes.
extension AudioSessionManager {
    /// Whether the recorders of this manager record silence, whatever their microphones receive. It
    /// is set by ``setInputMuted(_:)``.
    ///
    /// Counterpart of `AVAudioApplication.isInputMuted`.
    public nonisolated var isInputMuted: Bool { snapshot.withLock(\.isInputMuted) }

    /// Mutes or unmutes the input of this program: all recordings of this manager, current and
    /// later ones.
    ///
    /// Muted recorders record zeros, and their sessions report
    /// ``AudioSessionSilenceReason/inputMuted``. Other programs are unaffected, and so are the
    /// volumes and mutes that PipeWire stores.
    ///
    /// Counterpart of `AVAudioApplication.setInputMuted`.
    /// - Parameter isMuted: Whether to mute the input.
    public func setInputMuted(_ isMuted: Bool) {
        snapshot.withLock { $0.isInputMuted = isMuted }
        inputFollowers.values.send(.inputMuted(isMuted))
    }

    /// Notifies a follower whose input may have changed, or may have been muted.
    func followInputs(_ follower: any RouteFollower) {
        inputFollowers[ObjectIdentifier(follower)] = WeakFollower(follower: follower)
        follower.receive(.inputMuted(isInputMuted))
        follower.receive(.inputChanged)
    }

    func observeInput(of stream: ObjectID?, former: PortDescription?) -> InputObservation {
        let observation = model.observeInput(of: stream, former: former)
        // Mutes are queried only for microphones that this process records.
        if let source = observation.source { watchMixer(of: source) }
        return observation
    }
}
