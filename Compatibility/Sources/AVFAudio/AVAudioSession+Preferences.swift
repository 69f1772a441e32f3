import AudioSessionPlayback

/// Preferences of the hardware of Apple's devices, which are kept and have no effect, and the
/// preference for echo-cancelled input.
extension AVAudioSession {
    struct StoredValues: Sendable {
        var ioType = IOType.notSpecified
        var allowsHaptics = false
        var prefersNoAlerts = false
        var prefersInterruption = true
        var supportsMultichannel = false
        var prefersEchoCancelledInput = false
        var lastRecorder = WeakRecorder()
    }

    struct WeakRecorder: Sendable {
        weak let recorder: AudioRecorder?

        init(recorder: AudioRecorder? = nil) { self.recorder = recorder }
    }

    private func store<Value>(_ path: WritableKeyPath<StoredValues, Value>, _ value: Value) {
        implementation.state.withLock { $0.storedValues[keyPath: path] = value }
    }

    private func stored<Value>(_ path: KeyPath<StoredValues, Value>) -> Value {
        implementation.state.withLock { $0.storedValues[keyPath: path] }
    }

    public func setAggregatedIOPreference(_ inIOType: IOType) throws { store(\.ioType, inIOType) }

    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        store(\.allowsHaptics, inValue)
    }
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { stored(\.allowsHaptics) }

    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        store(\.prefersNoAlerts, inValue)
    }
    public var prefersNoInterruptionsFromSystemAlerts: Bool { stored(\.prefersNoAlerts) }

    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        store(\.prefersInterruption, inValue)
    }
    public var prefersInterruptionOnRouteDisconnect: Bool { stored(\.prefersInterruption) }

    public func setSupportsMultichannelContent(_ inValue: Bool) throws { store(\.supportsMultichannel, inValue) }
    public var supportsMultichannelContent: Bool { stored(\.supportsMultichannel) }

    /// Sets whether recorders that are created from now on cancel the echo of the output.
    ///
    /// It has an effect on an ``AVAudioRecorder`` that is created while
    /// ``isEchoCancelledInputAvailable`` is `true`, for recordings of 16,000, 32,000 or 48,000 Hz.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws { store(\.prefersEchoCancelledInput, value) }
    /// The preference that was set last.
    public var prefersEchoCancelledInput: Bool { stored(\.prefersEchoCancelledInput) }
    /// Whether the category is `playAndRecord` and PipeWire's echo canceller is installed.
    public var isEchoCancelledInputAvailable: Bool {
        category == .playAndRecord && AudioInput.isEchoCancelledInputAvailable
    }
    /// Whether the recorder that was created last cancels the echo now.
    public var isEchoCancelledInputEnabled: Bool {
        guard let recorder = stored(\.lastRecorder).recorder else { return false }
        return (try? implementation.perform { _ in await recorder.isEchoCancelledInputEnabled }) ?? false
    }

    /// Returns whether a new recorder has to cancel the echo.
    func cancelsEcho(ofRecordingAt rate: Int) -> Bool {
        prefersEchoCancelledInput && [16_000, 32_000, 48_000].contains(rate) && isEchoCancelledInputAvailable
    }

    /// Records which recorder was created last.
    func notePrepared(_ recorder: AudioRecorder) {
        store(\.lastRecorder, WeakRecorder(recorder: recorder))
    }

    /// Always ``PromptStyle/normal``, because Linux has no voice assistant.
    public var promptStyle: PromptStyle { .normal }
    /// This property is always ``RenderingMode/notApplicable``.
    public var renderingMode: RenderingMode { .notApplicable }
}
