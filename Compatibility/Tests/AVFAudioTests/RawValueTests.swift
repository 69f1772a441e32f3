import AVFoundation
import Testing

/// Apple's numbers and strings, table by table. Programs compare them, and store them.
@Suite struct RawValueTests {
    @Test func categories() {
        let table: [(AVAudioSession.Category, String)] = [
            (.ambient, "Ambient"), (.soloAmbient, "SoloAmbient"), (.playback, "Playback"), (.record, "Record"),
            (.playAndRecord, "PlayAndRecord"), (.multiRoute, "MultiRoute"), (.audioProcessing, "AudioProcessing"),
        ]
        for (value, name) in table { #expect(value.rawValue == "AVAudioSessionCategory" + name) }
    }

    @Test func modes() {
        let table: [(AVAudioSession.Mode, String)] = [
            (.default, "Default"), (.voiceChat, "VoiceChat"), (.gameChat, "GameChat"),
            (.videoRecording, "VideoRecording"), (.measurement, "Measurement"), (.moviePlayback, "MoviePlayback"),
            (.videoChat, "VideoChat"), (.spokenAudio, "SpokenAudio"), (.voicePrompt, "VoicePrompt"),
            (.shortFormVideo, "ShortFormVideo"), (.dualRoute, "DualRoute"),
        ]
        for (value, name) in table { #expect(value.rawValue == "AVAudioSessionMode" + name) }
    }

    @Test func categoryOptions() {
        let table: [(AVAudioSession.CategoryOptions, UInt)] = [
            (.mixWithOthers, 0x1), (.duckOthers, 0x2), (.allowBluetooth, 0x4), (.allowBluetoothHFP, 0x4),
            (.defaultToSpeaker, 0x8), (.interruptSpokenAudioAndMixWithOthers, 0x11), (.allowBluetoothA2DP, 0x20),
            (.allowAirPlay, 0x40), (.overrideMutedMicrophoneInterruption, 0x80), (.farFieldInput, 1 << 18),
            (.bluetoothHighQualityRecording, 1 << 19),
        ]
        for (value, bits) in table { #expect(value.rawValue == bits) }
    }

    @Test func ports() {
        let table: [(AVAudioSession.Port, String)] = [
            (.lineIn, "LineIn"), (.builtInMic, "MicrophoneBuiltIn"), (.headsetMic, "MicrophoneWired"),
            (.continuityMicrophone, "ContinuityMicrophone"), (.lineOut, "LineOut"), (.headphones, "Headphones"),
            (.bluetoothA2DP, "BluetoothA2DPOutput"), (.builtInReceiver, "Receiver"), (.builtInSpeaker, "Speaker"),
            (.HDMI, "HDMIOutput"), (.airPlay, "AirPlay"), (.bluetoothLE, "BluetoothLE"),
            (.bluetoothHFP, "BluetoothHFP"), (.usbAudio, "USBAudio"), (.carAudio, "CarAudio"), (.virtual, "Virtual"),
            (.PCI, "PCI"), (.fireWire, "FireWire"), (.displayPort, "DisplayPort"), (.AVB, "AVB"),
            (.thunderbolt, "Thunderbolt"),
        ]
        for (value, string) in table { #expect(value.rawValue == string) }
    }

    @Test func reasonsOfRouteChanges() {
        let table: [(AVAudioSession.RouteChangeReason, UInt)] = [
            (.unknown, 0), (.newDeviceAvailable, 1), (.oldDeviceUnavailable, 2), (.categoryChange, 3), (.override, 4),
            (.wakeFromSleep, 6), (.noSuitableRouteForCategory, 7), (.routeConfigurationChange, 8),
        ]
        for (value, number) in table { #expect(value.rawValue == number) }
        #expect(AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
    }

    @Test func interruptions() {
        let table: [(AVAudioSession.InterruptionReason, UInt)] = [
            (.default, 0), (.appWasSuspended, 1), (.builtInMicMuted, 2), (.sceneWasBackgrounded, 3),
            (.routeDisconnected, 4), (.deviceUnauthenticated, 5),
        ]
        for (value, number) in table { #expect(value.rawValue == number) }
        #expect(AVAudioSession.InterruptionType.began.rawValue == 1)
        #expect(AVAudioSession.InterruptionType.ended.rawValue == 0)
        #expect(AVAudioSession.InterruptionOptions.shouldResume.rawValue == 1)
        #expect(AVAudioSession.SilenceSecondaryAudioHintType.begin.rawValue == 1)
        #expect(AVAudioSession.SilenceSecondaryAudioHintType.end.rawValue == 0)
        #expect(AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation.rawValue == 1)
        #expect(AVAudioSession.DeactivationOptions.notifyOthersOnDeactivation.rawValue == 1)
    }

    @Test func numbersThatAreFourCharacters() {
        #expect(AVAudioSession.PortOverride.none.rawValue == 0)
        #expect(AVAudioSession.PortOverride.speaker.rawValue == 1_936_747_378)
        #expect(AVAudioSession.PromptStyle.none.rawValue == 1_852_796_517)
        #expect(AVAudioSession.PromptStyle.short.rawValue == 1_936_224_884)
        #expect(AVAudioSession.PromptStyle.normal.rawValue == 1_852_992_876)
        let permissions: [(AVAudioSession.RecordPermission, AVAudioApplication.RecordPermission, UInt)] = [
            (.undetermined, .undetermined, 1_970_168_948), (.denied, .denied, 1_684_369_017),
            (.granted, .granted, 1_735_552_628),
        ]
        for (old, new, number) in permissions {
            #expect(old.rawValue == number)
            #expect(new.rawValue == number)
        }
    }

    @Test func formats() {
        let table: [(AudioFormatID, String)] = [
            (kAudioFormatLinearPCM, "lpcm"), (kAudioFormatMPEG4AAC, "aac "), (kAudioFormatAppleLossless, "alac"),
            (kAudioFormatFLAC, "flac"), (kAudioFormatOpus, "opus"), (kAudioFormatAppleIMA4, "ima4"),
            (kAudioFormatULaw, "ulaw"), (kAudioFormatALaw, "alaw"), (kAudioFormatMPEGLayer3, ".mp3"),
        ]
        for (value, characters) in table {
            let number = characters.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(value == number)
        }
    }

    /// This file does not import AudioToolbox.
    @Test func systemSounds() { #expect(kSystemSoundID_Vibrate == 4_095 && noErr == 0) }

    @Test func otherNumbers() {
        let policies: [(AVAudioSession.RouteSharingPolicy, UInt)] = [
            (.default, 0), (.longFormAudio, 1), (.longForm, 1), (.independent, 2), (.longFormVideo, 3),
        ]
        for (value, number) in policies { #expect(value.rawValue == number) }
        #expect(AVAudioSession.IOType.notSpecified.rawValue == 0)
        #expect(AVAudioSession.IOType.aggregated.rawValue == 1)
        let orientations: [(AVAudioSession.StereoOrientation, Int)] = [
            (.none, 0), (.portrait, 1), (.portraitUpsideDown, 2), (.landscapeRight, 3), (.landscapeLeft, 4),
        ]
        for (value, number) in orientations { #expect(value.rawValue == number) }
        let renderings: [(AVAudioSession.RenderingMode, Int)] = [
            (.notApplicable, 0), (.monoStereo, 1), (.surround, 2), (.spatialAudio, 3), (.dolbyAudio, 4),
            (.dolbyAtmos, 5),
        ]
        for (value, number) in renderings { #expect(value.rawValue == number) }
    }

    @Test func errors() {
        let table: [(AVAudioSession.ErrorCode, Int)] = [
            (.none, 0), (.mediaServicesFailed, 1_836_282_486), (.isBusy, 560_030_580),
            (.incompatibleCategory, 560_161_140), (.cannotInterruptOthers, 560_557_684),
            (.missingEntitlement, 1_701_737_535), (.siriIsRecording, 1_936_290_409),
            (.cannotStartPlaying, 561_015_905), (.cannotStartRecording, 561_145_187), (.badParam, -50),
            (.insufficientPriority, 561_017_449), (.resourceNotAvailable, 561_145_203),
            (.unspecified, 2_003_329_396), (.expiredSession, 561_210_739), (.sessionNotActive, 1_768_841_571),
        ]
        for (value, number) in table { #expect(value.rawValue == number) }
    }

    @Test func notificationsAndKeys() {
        let names: [(Notification.Name, String)] = [
            (AVAudioSession.interruptionNotification, "Interruption"),
            (AVAudioSession.routeChangeNotification, "RouteChange"),
            (AVAudioSession.mediaServicesWereLostNotification, "MediaServicesWereLost"),
            (AVAudioSession.mediaServicesWereResetNotification, "MediaServicesWereReset"),
            (AVAudioSession.silenceSecondaryAudioHintNotification, "SilenceSecondaryAudioHint"),
            (AVAudioSession.availableInputsChangeNotification, "AvailableInputsChange"),
        ]
        for (name, string) in names { #expect(name.rawValue == "AVAudioSession\(string)Notification") }
        let keys = [
            (AVAudioSessionInterruptionTypeKey, "InterruptionType"),
            (AVAudioSessionInterruptionOptionKey, "InterruptionOption"),
            (AVAudioSessionInterruptionReasonKey, "InterruptionReason"),
            (AVAudioSessionInterruptionWasSuspendedKey, "InterruptionWasSuspended"),
            (AVAudioSessionRouteChangeReasonKey, "RouteChangeReason"),
            (AVAudioSessionRouteChangePreviousRouteKey, "RouteChangePreviousRoute"),
            (AVAudioSessionSilenceSecondaryAudioHintTypeKey, "SilenceSecondaryAudioHintType"),
        ]
        for (key, string) in keys { #expect(key == "AVAudioSession\(string)Key") }
    }

    @Test func oldNamesAreTodaysValues() {
        #expect(AVAudioSessionCategoryPlayAndRecord == .playAndRecord)
        #expect(AVAudioSessionModeVideoChat == .videoChat)
        #expect(AVAudioSessionPortHeadphones == .headphones)
        #expect(AVAudioSessionPortBluetoothA2DP == .bluetoothA2DP)
        #expect(AVAudioSessionRouteChangeReason(rawValue: 2) == .oldDeviceUnavailable)
        #expect(Notification.Name.AVAudioSessionRouteChange == AVAudioSession.routeChangeNotification)
        #expect(NSNotification.Name.AVAudioSessionInterruption == AVAudioSession.interruptionNotification)
    }
}
