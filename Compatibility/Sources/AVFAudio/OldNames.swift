public import Foundation

// The names of Swift 3 and 4.0, which most tutorials still use, with the current types. Code that
// declares one as a `String` must use `AVAudioSession.Category`, `Mode` or `Port` instead.

public let AVAudioSessionCategoryAmbient = AVAudioSession.Category.ambient
public let AVAudioSessionCategorySoloAmbient = AVAudioSession.Category.soloAmbient
public let AVAudioSessionCategoryPlayback = AVAudioSession.Category.playback
public let AVAudioSessionCategoryRecord = AVAudioSession.Category.record
public let AVAudioSessionCategoryPlayAndRecord = AVAudioSession.Category.playAndRecord
public let AVAudioSessionCategoryMultiRoute = AVAudioSession.Category.multiRoute
public let AVAudioSessionCategoryAudioProcessing = AVAudioSession.Category.audioProcessing

public let AVAudioSessionModeDefault = AVAudioSession.Mode.default
public let AVAudioSessionModeVoiceChat = AVAudioSession.Mode.voiceChat
public let AVAudioSessionModeGameChat = AVAudioSession.Mode.gameChat
public let AVAudioSessionModeVideoRecording = AVAudioSession.Mode.videoRecording
public let AVAudioSessionModeMeasurement = AVAudioSession.Mode.measurement
public let AVAudioSessionModeMoviePlayback = AVAudioSession.Mode.moviePlayback
public let AVAudioSessionModeVideoChat = AVAudioSession.Mode.videoChat
public let AVAudioSessionModeSpokenAudio = AVAudioSession.Mode.spokenAudio
public let AVAudioSessionModeVoicePrompt = AVAudioSession.Mode.voicePrompt

public let AVAudioSessionPortLineIn = AVAudioSession.Port.lineIn
public let AVAudioSessionPortBuiltInMic = AVAudioSession.Port.builtInMic
public let AVAudioSessionPortHeadsetMic = AVAudioSession.Port.headsetMic
public let AVAudioSessionPortLineOut = AVAudioSession.Port.lineOut
public let AVAudioSessionPortHeadphones = AVAudioSession.Port.headphones
public let AVAudioSessionPortBluetoothA2DP = AVAudioSession.Port.bluetoothA2DP
public let AVAudioSessionPortBuiltInReceiver = AVAudioSession.Port.builtInReceiver
public let AVAudioSessionPortBuiltInSpeaker = AVAudioSession.Port.builtInSpeaker
public let AVAudioSessionPortHDMI = AVAudioSession.Port.HDMI
public let AVAudioSessionPortAirPlay = AVAudioSession.Port.airPlay
public let AVAudioSessionPortBluetoothLE = AVAudioSession.Port.bluetoothLE
public let AVAudioSessionPortBluetoothHFP = AVAudioSession.Port.bluetoothHFP
public let AVAudioSessionPortUSBAudio = AVAudioSession.Port.usbAudio
public let AVAudioSessionPortCarAudio = AVAudioSession.Port.carAudio

public typealias AVAudioSessionCategoryOptions = AVAudioSession.CategoryOptions
public typealias AVAudioSessionSetActiveOptions = AVAudioSession.SetActiveOptions
public typealias AVAudioSessionInterruptionOptions = AVAudioSession.InterruptionOptions
public typealias AVAudioSessionInterruptionType = AVAudioSession.InterruptionType
public typealias AVAudioSessionRouteChangeReason = AVAudioSession.RouteChangeReason
public typealias AVAudioSessionSilenceSecondaryAudioHintType = AVAudioSession.SilenceSecondaryAudioHintType
public typealias AVAudioSessionRouteSharingPolicy = AVAudioSession.RouteSharingPolicy
public typealias AVAudioSessionPortOverride = AVAudioSession.PortOverride
public typealias AVAudioSessionIOType = AVAudioSession.IOType
public typealias AVAudioSessionRecordPermission = AVAudioSession.RecordPermission

extension Notification.Name {
    public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification
    public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification
    public static let AVAudioSessionMediaServicesWereLost = AVAudioSession.mediaServicesWereLostNotification
    public static let AVAudioSessionMediaServicesWereReset = AVAudioSession.mediaServicesWereResetNotification
    public static let AVAudioSessionSilenceSecondaryAudioHint = AVAudioSession.silenceSecondaryAudioHintNotification
}

// Names from before Swift 3.
public let AVAudioSessionInterruptionNotification = AVAudioSession.interruptionNotification
public let AVAudioSessionRouteChangeNotification = AVAudioSession.routeChangeNotification
public let AVAudioSessionMediaServicesWereLostNotification = AVAudioSession.mediaServicesWereLostNotification
public let AVAudioSessionMediaServicesWereResetNotification = AVAudioSession.mediaServicesWereResetNotification
public let AVAudioSessionSilenceSecondaryAudioHintNotification = AVAudioSession.silenceSecondaryAudioHintNotification

extension AVAudioSession {
    /// The former name of ``setCategory(_:options:)``.
    public func setCategory(_ category: Category, with options: CategoryOptions) throws {
        try setCategory(category, options: options)
    }

    /// The former name of ``setActive(_:options:)``.
    public func setActive(_ active: Bool, with options: SetActiveOptions) throws {
        try setActive(active, options: options)
    }
}
