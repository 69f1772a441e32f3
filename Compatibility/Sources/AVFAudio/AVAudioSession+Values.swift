extension AVAudioSession {
    /// Options that control the effect on other audio, and the possible routes.
    public struct CategoryOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let mixWithOthers = Self(rawValue: 0x1)
        public static let duckOthers = Self(rawValue: 0x2)
        public static let allowBluetoothHFP = Self(rawValue: 0x4)
        /// The former name of ``allowBluetoothHFP``.
        public static let allowBluetooth = Self(rawValue: 0x4)
        public static let defaultToSpeaker = Self(rawValue: 0x8)
        public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
        public static let allowBluetoothA2DP = Self(rawValue: 0x20)
        public static let allowAirPlay = Self(rawValue: 0x40)
        /// Accepted with categories that record. A muted microphone never interrupts a session
        /// here.
        public static let overrideMutedMicrophoneInterruption = Self(rawValue: 0x80)
        /// Accepted with categories that record, without effect. Only Apple's headphones support
        /// it.
        public static let farFieldInput = Self(rawValue: 0x40000)
        /// Accepted with categories that record. PipeWire selects the best codec by itself.
        public static let bluetoothHighQualityRecording = Self(rawValue: 0x80000)
    }

    /// Options of a deactivation for other sessions. Ignored on activation, as on iOS.
    public struct SetActiveOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let notifyOthersOnDeactivation = Self(rawValue: 1)
    }

    public struct ActivationOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public struct DeactivationOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let notifyOthersOnDeactivation = Self(rawValue: 1)
    }

    /// Options that are sent with the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let shouldResume = Self(rawValue: 1)
    }

    public enum InterruptionType: UInt, Sendable {
        case ended = 0
        case began = 1
    }

    /// The reason for an interruption. Only ``default`` occurs here.
    public enum InterruptionReason: UInt, Sendable {
        case `default` = 0
        case appWasSuspended = 1
        case builtInMicMuted = 2
        case sceneWasBackgrounded = 3
        case routeDisconnected = 4
        case deviceUnauthenticated = 5
    }

    public enum RouteChangeReason: UInt, Sendable {
        case unknown = 0
        case newDeviceAvailable = 1
        case oldDeviceUnavailable = 2
        case categoryChange = 3
        case override = 4
        case wakeFromSleep = 6
        case noSuitableRouteForCategory = 7
        case routeConfigurationChange = 8
    }

    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        case end = 0
        case begin = 1
    }

    public enum RouteSharingPolicy: UInt, Sendable {
        case `default` = 0
        case longFormAudio = 1
        case independent = 2
        case longFormVideo = 3

        /// The former name of ``longFormAudio``.
        public static let longForm = Self.longFormAudio
    }

    public enum PortOverride: UInt, Sendable {
        case none = 0
        case speaker = 0x7370_6B72
    }

    public enum IOType: UInt, Sendable {
        case notSpecified = 0
        case aggregated = 1
    }

    public enum PromptStyle: UInt, Sendable {
        case none = 0x6E6F_6E65
        case short = 0x7368_7274
        case normal = 0x6E72_6D6C
    }

    public enum RecordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }

    public enum StereoOrientation: Int, Sendable {
        case none = 0
        case portrait = 1
        case portraitUpsideDown = 2
        case landscapeRight = 3
        case landscapeLeft = 4
    }

    public enum RenderingMode: Int, Sendable {
        case notApplicable = 0
        case monoStereo = 1
        case surround = 2
        case spatialAudio = 3
        case dolbyAudio = 4
        case dolbyAtmos = 5
    }

    /// The values of `NSError.code` of thrown errors, in domain `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        case none = 0
        case mediaServicesFailed = 1_836_282_486
        case isBusy = 560_030_580
        case incompatibleCategory = 560_161_140
        case cannotInterruptOthers = 560_557_684
        case missingEntitlement = 1_701_737_535
        case siriIsRecording = 1_936_290_409
        case cannotStartPlaying = 561_015_905
        case cannotStartRecording = 561_145_187
        case badParam = -50
        case insufficientPriority = 561_017_449
        case resourceNotAvailable = 561_145_203
        case unspecified = 2_003_329_396
        case expiredSession = 561_210_739
        case sessionNotActive = 1_768_841_571
    }
}
