import AudioSessionPlayback
@_spi(Compatibility) import AudioSessions
import Dispatch
import Foundation

/// This extension converts events to messages of the delegate.
extension AVAudioPlayer {
    /// Receives the events of the loaded player and of its session from now on.
    func observe() {
        guard let player = loaded?.player else { return }
        let observations = [
            player.observe { [weak self] in self?.receive($0) },
            player.session.observe { [weak self] in self?.receive($0) },
        ]
        state.withLock { $0.observations = observations }
    }

    /// Receives an event of the library's player. Not private, for tests.
    func receive(_ event: AudioPlayer.Event) {
        if case .stateChanged(let new, _) = event { note(new) }
        switch event {
        case .finished: finished()
        case .failed(let error, _):
            if error.isOfFile { state.withLock { $0.hasFailed = true } }
            notify { $0.audioPlayerDecodeErrorDidOccur($1, error: NSError(error)) }
        case .stateChanged(.paused(.interrupted), _): beginInterruption()
        case .stateChanged(.playing, _), .stateChanged(.paused(.sessionInactive), _): dropInterruption()
        default: break
        }
    }

    private func note(_ new: AudioPlayer.State) {
        let status: ProgramPlayback.Status =
            switch new {
            case .playing: .playing
            case .finished: .ended
            default: .paused
            }
        loaded?.session.playback.note(ObjectIdentifier(self), status)
    }

    private func receive(_ event: AudioSession.Event) {
        switch event {
        case .interruptionEnded(let options, _):
            let wasInterrupted = state.withLock { state in
                defer { state.interruption = nil }
                return state.interruption != nil
            }
            guard wasInterrupted else { return }
            notify { $0.audioPlayerEndInterruption($1, withOptions: Int(options.rawValue)) }
        case .stateChanged(let new, _) where new != .interrupted: dropInterruption()
        default: break
        }
    }

    private func beginInterruption() {
        // Weak, because the state holds the message.
        let message = DispatchWorkItem { [weak self] in
            guard let self, let delegate = self.delegate else { return }
            delegate.audioPlayerBeginInterruption(self)
        }
        state.withLock { $0.interruption = message }
        DispatchQueue.main.async(execute: message)
    }

    /// Ends an interruption without a message, because the program has activated or deactivated the
    /// session. Its begin is not delivered either, if the main thread was busy until now.
    private func dropInterruption() {
        state.withLock { state in
            state.interruption?.cancel()
            state.interruption = nil
        }
    }

    private func finished() {
        let isSuccess = state.withLock { state in
            defer { state.hasFailed = false }
            return !state.hasFailed
        }
        notify { $0.audioPlayerDidFinishPlaying($1, successfully: isSuccess) }
    }

    private func notify(_ call: @escaping @Sendable (any AVAudioPlayerDelegate, AVAudioPlayer) -> Void) {
        DispatchQueue.main.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }
}

extension AudioSessionError {
    /// Whether the error concerns the file. After an error of the output, the player continues on
    /// another output.
    fileprivate var isOfFile: Bool {
        ![.noOutput, .outputFailed, .mediaServicesFailed, .resourcesExhausted].contains(code)
    }
}
