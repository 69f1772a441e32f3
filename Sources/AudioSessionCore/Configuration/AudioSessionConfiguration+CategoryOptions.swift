extension AudioSessionConfiguration {
    /// Options for mixing with other sound, and for the permitted ports. Raw values are Apple's
    /// bits.
    public struct CategoryOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Mixes with other sound instead of interrupting it. It is implied by category ambient.
        public static let mixWithOthers = Self(rawValue: 0x1)
        /// Ducks other sessions while the session is active. Implies ``mixWithOthers``.
        public static let duckOthers = Self(rawValue: 0x2)
        /// Permits the input of hands-free Bluetooth devices; the output then uses the same device.
        public static let allowBluetoothHFP = Self(rawValue: 0x4)
        /// Selects the speaker instead of the receiver (of a phone) when nothing else is connected.
        public static let defaultToSpeaker = Self(rawValue: 0x8)
        /// Interrupts sessions of mode spokenAudio and mixes with all others. It consists of
        /// ``mixWithOthers`` and a bit that is illegal alone.
        public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
        /// Permits the output of Bluetooth devices that only play. It is implied by categories that
        /// only play.
        public static let allowBluetoothA2DP = Self(rawValue: 0x20)
        /// Permits the output of AirPlay receivers on iOS. It has no effect here, where every
        /// session may use them. It is implied by categories that only play.
        public static let allowAirPlay = Self(rawValue: 0x40)
    }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// The deprecated name of ``allowBluetoothHFP``.
    @available(*, deprecated, renamed: "allowBluetoothHFP")
    public static var allowBluetooth: Self { .allowBluetoothHFP }

    @available(*, unavailable, message: "A muted microphone interrupts nothing here: leave it out")
    public static var overrideMutedMicrophoneInterruption: Self { Self(rawValue: 0x80) }
    @available(*, unavailable, message: "Needs Apple's headphones: leave it out")
    public static var farFieldInput: Self { Self(rawValue: 0x40000) }
    @available(*, unavailable, message: "Needs Apple's headphones: leave it out, PipeWire selects the best codec")
    public static var bluetoothHighQualityRecording: Self { Self(rawValue: 0x80000) }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// All options with their names, in the order of their bits.
    static let named: [(option: Self, name: String)] = [
        (.mixWithOthers, "mixWithOthers"),
        (.duckOthers, "duckOthers"),
        (.allowBluetoothHFP, "allowBluetoothHFP"),
        (.defaultToSpeaker, "defaultToSpeaker"),
        (.interruptSpokenAudioAndMixWithOthers, "interruptSpokenAudioAndMixWithOthers"),
        (.allowBluetoothA2DP, "allowBluetoothA2DP"),
        (.allowAirPlay, "allowAirPlay"),
    ]

    /// The options contained in this value. ``mixWithOthers`` is left out if another contained
    /// option includes it.
    var members: [(option: Self, name: String)] {
        Self.named.filter { member in
            guard contains(member.option) else { return false }
            return member.option != .mixWithOthers || !contains(.interruptSpokenAudioAndMixWithOthers)
        }
    }

    /// The names of the contained options, in the order of their bits. Unknown bits have no name.
    public var names: [String] { members.map(\.name) }
}
