/// Properties that can be set and read, but have no effect.
extension AVAudioSession {
    struct Wishes: Sendable {
        var ioType = IOType.notSpecified
        var allowsHaptics = false
        var prefersNoAlerts = false
        var prefersInterruption = true
        var supportsMultichannel = false
        var prefersEchoCancelledInput = false
    }

    private func wish<Value>(_ path: WritableKeyPath<Wishes, Value>, _ value: Value) {
        implementation.state.withLock { $0.wishes[keyPath: path] = value }
    }

    private func wished<Value>(_ path: KeyPath<Wishes, Value>) -> Value {
        implementation.state.withLock { $0.wishes[keyPath: path] }
    }

    public func setAggregatedIOPreference(_ inIOType: IOType) throws { wish(\.ioType, inIOType) }

    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        wish(\.allowsHaptics, inValue)
    }
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { wished(\.allowsHaptics) }

    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        wish(\.prefersNoAlerts, inValue)
    }
    public var prefersNoInterruptionsFromSystemAlerts: Bool { wished(\.prefersNoAlerts) }

    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        wish(\.prefersInterruption, inValue)
    }
    public var prefersInterruptionOnRouteDisconnect: Bool { wished(\.prefersInterruption) }

    public func setSupportsMultichannelContent(_ inValue: Bool) throws { wish(\.supportsMultichannel, inValue) }
    public var supportsMultichannelContent: Bool { wished(\.supportsMultichannel) }

    /// Stores the preference. It has no effect, because echo-cancelled input is not available.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws { wish(\.prefersEchoCancelledInput, value) }
    /// The preference that was set last.
    public var prefersEchoCancelledInput: Bool { wished(\.prefersEchoCancelledInput) }
    /// This property is always `false`.
    public var isEchoCancelledInputAvailable: Bool { false }
    /// This property is always `false`.
    public var isEchoCancelledInputEnabled: Bool { false }

    /// Always ``PromptStyle/normal``, because Linux has no voice assistant.
    public var promptStyle: PromptStyle { .normal }
    /// This property is always ``RenderingMode/notApplicable``.
    public var renderingMode: RenderingMode { .notApplicable }
}
