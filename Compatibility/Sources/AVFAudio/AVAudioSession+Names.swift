extension AVAudioSession {
    /// The purpose of the program's audio. `AudioSessionConfiguration.Category` describes the
    /// values.
    public struct Category: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
        public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
        public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
        public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
        public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")
        /// Setting this category fails with `badParam`, because converting audio needs no session
        /// here.
        public static let audioProcessing = Self(rawValue: "AVAudioSessionCategoryAudioProcessing")
    }

    /// A special use of a category.
    public struct Mode: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
        public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
        public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
        public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
        public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
        public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
        public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
        public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Setting this mode fails with `badParam`, because no action unmutes a muted program here.
        public static let shortFormVideo = Self(rawValue: "AVAudioSessionModeShortFormVideo")
        /// Setting this mode fails with `badParam`, because only Apple's devices pair routes.
        public static let dualRoute = Self(rawValue: "AVAudioSessionModeDualRoute")
    }

    /// The type of a port: a connector, a speaker, a microphone or a link.
    public struct Port: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let lineIn = Self(rawValue: "LineIn")
        public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn")
        public static let headsetMic = Self(rawValue: "MicrophoneWired")
        /// A port type that does not occur on Linux.
        public static let continuityMicrophone = Self(rawValue: "ContinuityMicrophone")
        public static let lineOut = Self(rawValue: "LineOut")
        public static let headphones = Self(rawValue: "Headphones")
        public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput")
        public static let builtInReceiver = Self(rawValue: "Receiver")
        public static let builtInSpeaker = Self(rawValue: "Speaker")
        public static let HDMI = Self(rawValue: "HDMIOutput")
        public static let airPlay = Self(rawValue: "AirPlay")
        public static let bluetoothLE = Self(rawValue: "BluetoothLE")
        public static let bluetoothHFP = Self(rawValue: "BluetoothHFP")
        public static let usbAudio = Self(rawValue: "USBAudio")
        public static let carAudio = Self(rawValue: "CarAudio")
        public static let virtual = Self(rawValue: "Virtual")
        public static let PCI = Self(rawValue: "PCI")
        public static let fireWire = Self(rawValue: "FireWire")
        public static let displayPort = Self(rawValue: "DisplayPort")
        public static let AVB = Self(rawValue: "AVB")
        public static let thunderbolt = Self(rawValue: "Thunderbolt")
        /// Another program on the network. Apple's list does not contain this type.
        public static let network = Self(rawValue: "Network")
        /// A port whose type the computer does not report. Apple's list does not contain this type.
        public static let unknown = Self(rawValue: "Unknown")
    }

    /// The location of a data source on the computer. No data source here reports one.
    public struct Location: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let upper = Self(rawValue: "Upper")
        public static let lower = Self(rawValue: "Lower")
    }

    /// The direction of a data source.
    public struct Orientation: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let top = Self(rawValue: "Top")
        public static let bottom = Self(rawValue: "Bottom")
        public static let front = Self(rawValue: "Front")
        public static let back = Self(rawValue: "Back")
        public static let left = Self(rawValue: "Left")
        public static let right = Self(rawValue: "Right")
    }

    /// The directivity of a microphone. No data source here reports one.
    public struct PolarPattern: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let omnidirectional = Self(rawValue: "Omnidirectional")
        public static let cardioid = Self(rawValue: "Cardioid")
        public static let subcardioid = Self(rawValue: "Subcardioid")
        public static let stereo = Self(rawValue: "Stereo")
    }
}
