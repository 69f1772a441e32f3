import AudioSessionCore
import PipeWireGraph

/// What is recorded, and whether it is muted.
extension AudioSessionManager {
    /// Whether this program records silence, whatever its microphones hear. Set by ``setInputMuted(_:)``.
    ///
    /// Counterpart of `AVAudioApplication.isInputMuted`.
    public nonisolated var isInputMuted: Bool { snapshot.withLock(\.isInputMuted) }

    /// Mutes or unmutes the input of this program: all that its recorders of this manager record, now and later. They
    /// record zeros, and tell so (``AudioSessionSilence/inputMuted``). No other program is touched, and no volume or
    /// mute that PipeWire keeps.
    ///
    /// Counterpart of `AVAudioApplication.setInputMuted`.
    public func setInputMuted(_ isMuted: Bool) {
        snapshot.withLock { $0.isInputMuted = isMuted }
        inputFollowers.values.tell(.inputMuted(isMuted))
    }

    /// The input may have been muted, or be another, since it was last followed.
    func followInputs(_ follower: any RouteFollower) {
        inputFollowers[ObjectIdentifier(follower)] = WeakFollower(follower: follower)
        follower.receive(.inputMuted(isInputMuted))
        follower.receive(.inputChanged)
    }

    func observeInput(of stream: ObjectID?, former: PortDescription?) -> InputObservation {
        let observation = machine.registry.graph.observeInput(of: stream, former: former)
        // Of microphones that nobody here records nobody asks.
        if let source = observation.source, watchedStreams.insert(source).inserted {
            graphConnection?.perform(.watchMute(source))
        }
        return observation
    }

    /// Most programs do not record, and of most news those that do need not hear.
    func followInputs(_ change: GraphChange) {
        guard change.effects.contains(.inputs), !inputFollowers.isEmpty, machine.isKnown else { return }
        inputFollowers.values.tell(.inputChanged)
    }
}
