import AudioSessions
import PipeWireGraph

extension AudioInput {
    /// Whether inputs and recorders can cancel the echo of the output, which
    /// ``Configuration/prefersEchoCancelledInput`` requests.
    ///
    /// It is `false` if the plugin of PipeWire with the WebRTC canceller is not installed; Debian
    /// has it in the package `libspa-0.2-modules`. Each call searches the plugin, which takes a few
    /// milliseconds. Call it from any thread.
    ///
    /// Counterpart of `isEchoCancelledInputAvailable`.
    public static var isEchoCancelledInputAvailable: Bool { EchoCanceller.isAvailable }

    /// Whether the input cancels the echo now.
    ///
    /// It is `true` while the input captures, its configuration requests cancellation, and the
    /// sound or the silence of an output arrives for comparison.
    ///
    /// Counterpart of `isEchoCancelledInputEnabled`.
    public var isEchoCancelledInputEnabled: Bool { stream?.cancelsEcho ?? false }
}

extension AudioRecorder {
    /// Whether the recorder cancels the echo now, by the rules
    /// of ``AudioInput/isEchoCancelledInputEnabled``.
    public var isEchoCancelledInputEnabled: Bool { stream?.cancelsEcho ?? false }
}

// MARK: - What recorders and inputs share

extension CaptureParticipant {
    /// Checks whether the echo can be cancelled, before another session is interrupted. Loads the
    /// canceller on another thread, because reading it from the disk would delay events.
    func checkEchoCanceller(rate: Int) async throws(AudioSessionError) {
        guard prefersEchoCancelledInput else { return }
        guard EchoCanceller.supports(rate: rate) else {
            throw AudioSessionError(
                .unsupportedRecordingFormat,
                "Echo-cancelled sound cannot have \(rate) frames per second. Capture it with 16000, 32000 or 48000.")
        }
        let isInstalled = await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
            environment.loadEchoCanceller { waiter.resume(returning: $0) }
        }
        guard isInstalled else { throw .noEchoCanceller }
    }

    /// The properties of the stream of the output whose echo is cancelled; `nil` if none is.
    var echoReference: [(String, String)]? {
        guard prefersEchoCancelledInput else { return nil }
        return session.streamProperties(.output) + manager.streamNames(application: nil, node: nil)
    }

    /// Replaces the reference if the session plays to another output.
    func followEcho() {
        guard let stream, echoTarget != session.target(.output), let reference = echoReference else { return }
        echoTarget = session.target(.output)
        stream.setEchoReference(reference)
    }
}

extension AudioSessionError {
    static let noEchoCanceller = AudioSessionError(
        .echoCancellerMissing,
        "The echo cannot be cancelled, because PipeWire's plugin aec/libspa-aec-webrtc is not installed. Install it "
            + "(on Debian and Ubuntu it is in the package libspa-0.2-modules), or do not prefer echo-cancelled input."
    )
}
