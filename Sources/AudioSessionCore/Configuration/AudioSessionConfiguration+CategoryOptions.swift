extension AudioSessionConfiguration {
    /// How a session gets along with others, and where its sound may go. Raw values are Apple's bits.
    public struct CategoryOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Does not interrupt others. Always on with category ambient.
        public static let mixWithOthers = Self(rawValue: 0x1)
        /// Lowers others while the session is active. Implies ``mixWithOthers``.
        public static let duckOthers = Self(rawValue: 0x2)
        /// Hands-free Bluetooth devices may be used for input; the output follows.
        public static let allowBluetoothHFP = Self(rawValue: 0x4)
        /// The speaker instead of the receiver (of a phone) when nothing else is connected.
        public static let defaultToSpeaker = Self(rawValue: 0x8)
        /// Interrupts sessions of mode spokenAudio and mixes with the rest: ``mixWithOthers`` and a bit that does
        /// not stand alone.
        public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
        /// Bluetooth devices that only play may be used for output. Always on with categories that only play.
        public static let allowBluetoothA2DP = Self(rawValue: 0x20)
        /// AirPlay receivers may be used for output. Always on with categories that only play.
        public static let allowAirPlay = Self(rawValue: 0x40)
    }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// The older name of ``allowBluetoothHFP``.
    @available(*, deprecated, renamed: "allowBluetoothHFP")
    public static var allowBluetooth: Self { .allowBluetoothHFP }

    @available(*, unavailable, message: "A muted microphone interrupts nothing here: leave it out")
    public static var overrideMutedMicrophoneInterruption: Self { Self(rawValue: 0x80) }
    @available(*, unavailable, message: "Needs Apple's headphones: leave it out")
    public static var farFieldInput: Self { Self(rawValue: 0x40000) }
    @available(*, unavailable, message: "Needs Apple's headphones: leave it out, PipeWire takes the best codec")
    public static var bluetoothHighQualityRecording: Self { Self(rawValue: 0x80000) }
}

extension AudioSessionConfiguration.CategoryOptions {
    /// Every option with its name, in the order of their bits.
    static let named: [(option: Self, name: String)] = [
        (.mixWithOthers, "mixWithOthers"),
        (.duckOthers, "duckOthers"),
        (.allowBluetoothHFP, "allowBluetoothHFP"),
        (.defaultToSpeaker, "defaultToSpeaker"),
        (.interruptSpokenAudioAndMixWithOthers, "interruptSpokenAudioAndMixWithOthers"),
        (.allowBluetoothA2DP, "allowBluetoothA2DP"),
        (.allowAirPlay, "allowAirPlay"),
    ]

    /// The options in it, each once: the mixing that another one consists of is not told beside it.
    var members: [(option: Self, name: String)] {
        Self.named.filter { member in
            guard contains(member.option) else { return false }
            return member.option != .mixWithOthers || !contains(.interruptSpokenAudioAndMixWithOthers)
        }
    }

    /// The names of the options in it, in the order of their bits. Bits that are no option have none.
    public var names: [String] { members.map(\.name) }
}
