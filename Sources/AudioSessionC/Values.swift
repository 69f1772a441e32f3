import AudioSessionCore
import AudioSessions
import CAudioSession

extension AudioSessionManager.Configuration {
    init(_ pointer: UnsafePointer<as_manager_options>?) throws(Failure) {
        try checkSize(pointer, first: MemoryLayout<as_manager_options>.offset(of: \.keeps_thread_priority) ?? 32)
        self.init()
        guard let pointer else { return }
        var options = as_manager_options()
        read(pointer, into: &options)
        remote = try text(options.remote, "remote")
        applicationName = try text(options.application_name, "application_name")
        if options.timeout > 0 { timeout = .milliseconds(options.timeout) }
        waitsForPipeWire = options.waits_for_pipewire
        raisesThreadPriority = !options.keeps_thread_priority
    }
}

extension AudioSessionConfiguration {
    init(_ pointer: UnsafePointer<as_configuration>?) throws(Failure) {
        try checkSize(pointer)
        guard let value = pointer?.pointee else {
            self.init()
            return
        }
        self.init(
            try number(value.category.rawValue, "category", of: Self.categories),
            mode: try number(value.mode.rawValue, "mode", of: Self.modes),
            policy: try number(value.policy.rawValue, "policy", of: Self.policies),
            options: CategoryOptions(rawValue: UInt(value.options)),
            priority: try number(value.priority.rawValue, "priority", of: Self.priorities),
            group: try text(value.group, "group"))
    }

    static let categories: [Category] = [
        .soloAmbient, .ambient, .playback, .record, .playAndRecord, .multiRoute,
    ]
    static let modes: [Mode] = [
        .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio,
        .voicePrompt,
    ]
    static let policies: [RouteSharingPolicy] = [.default, .longFormAudio, .independent, .longFormVideo]
    /// The policies by the numbers of `as_unmanaged_policy`.
    static let unmanagedPolicies: [UnmanagedAudioPolicy?] = [nil, .leave, .pause, .silence, .duck]
    static let priorities: [Priority] = [.media, .alarm, .ringtone, .communication, .emergency]
}

extension as_configuration {
    /// Creates the counterpart of a configuration.
    /// - Parameter group: the name of its group, which has to outlast it.
    init(_ configuration: AudioSessionConfiguration, group: Word?) {
        func index<Value: Equatable>(_ value: Value, _ values: [Value]) -> UInt32 {
            UInt32(values.firstIndex(of: value) ?? 0)
        }
        self.init(
            size: UInt32(MemoryLayout<Self>.size),
            category: as_category(index(configuration.category, AudioSessionConfiguration.categories)),
            mode: as_mode(index(configuration.mode, AudioSessionConfiguration.modes)),
            options: UInt32(truncatingIfNeeded: configuration.options.rawValue),
            policy: as_policy(index(configuration.routeSharingPolicy, AudioSessionConfiguration.policies)),
            priority: as_priority(index(configuration.priority, AudioSessionConfiguration.priorities)),
            group: group?.pointer)
    }
}

func number<Value>(_ number: UInt32, _ name: String, of values: [Value]) throws(Failure) -> Value {
    guard number < values.count else {
        throw .badParam("The \(name) \(number) does not exist. Use a constant of audiosession.h.")
    }
    return values[Int(number)]
}

extension as_state {
    init(_ state: AudioSession.State) {
        self =
            switch state {
            case .inactive: AS_STATE_INACTIVE
            case .active: AS_STATE_ACTIVE
            case .interrupted: AS_STATE_INTERRUPTED
            }
    }
}

extension as_port_type {
    init(_ type: PortType) {
        self =
            switch type {
            case .builtInSpeaker: AS_PORT_BUILT_IN_SPEAKER
            case .builtInReceiver: AS_PORT_BUILT_IN_RECEIVER
            case .builtInMic: AS_PORT_BUILT_IN_MIC
            case .headphones: AS_PORT_HEADPHONES
            case .headsetMic: AS_PORT_HEADSET_MIC
            case .lineOut: AS_PORT_LINE_OUT
            case .lineIn: AS_PORT_LINE_IN
            case .hdmi: AS_PORT_HDMI
            case .airPlay: AS_PORT_AIR_PLAY
            case .bluetoothA2DP: AS_PORT_BLUETOOTH_A2DP
            case .bluetoothLE: AS_PORT_BLUETOOTH_LE
            case .bluetoothHFP: AS_PORT_BLUETOOTH_HFP
            case .usbAudio: AS_PORT_USB_AUDIO
            case .carAudio: AS_PORT_CAR_AUDIO
            case .virtual: AS_PORT_VIRTUAL
            case .pci: AS_PORT_PCI
            case .fireWire: AS_PORT_FIRE_WIRE
            case .displayPort: AS_PORT_DISPLAY_PORT
            case .thunderbolt: AS_PORT_THUNDERBOLT
            case .avb: AS_PORT_AVB
            case .network: AS_PORT_NETWORK
            case .unknown: AS_PORT_UNKNOWN
            }
    }
}
