import AudioSessions

@testable import AudioSessionTool

extension PortDescription {
    static let speakers = sample(.builtInSpeaker, "Speakers", "card/speaker")
    static let headphones = sample(.headphones, "Headphones", "card/headphones")
    static let screen = sample(.hdmi, "DELL U2720Q", "card/hdmi-output-0", isUncertain: true)
    static let headset = sample(.bluetoothA2DP, "Galaxy Buds", "AA:BB:CC:DD:EE:FF/A2DP")
    static let interface = sample(.usbAudio, "Scarlett", "usb/out")
    static let microphone = sample(.builtInMic, "Internal Microphone", "card/mic", .input)
    static let headsetMicrophone = sample(.headsetMic, "Headset Microphone", "card/headset-mic", .input)

    static func sample(
        _ type: PortType, _ name: String, _ uid: String, _ direction: PortDirection = .output,
        isUncertain: Bool = false
    ) -> PortDescription {
        PortDescription(type: type, name: name, uid: uid, direction: direction, isUncertain: isUncertain)
    }
}

extension RouteDescription {
    static func to(_ outputs: PortDescription..., from inputs: [PortDescription] = [.microphone]) -> RouteDescription
    {
        RouteDescription(inputs: inputs, outputs: outputs)
    }
}

extension MonotonicTime {
    static func milliseconds(_ count: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: count * 1_000_000) }
}

extension RouteChange {
    static func because(
        _ reason: RouteChangeReason, _ previous: RouteDescription, _ current: RouteDescription,
        at time: MonotonicTime = .milliseconds(2_500)
    ) -> RouteChange {
        RouteChange(reason: reason, previous: previous, current: current, time: time)
    }
}

extension Status {
    static var sample: Status {
        var status = Status(
            time: .milliseconds(1_000), route: .to(.speakers), inputs: [.microphone], outputs: [.speakers, .screen],
            libraryVersion: "0.3.65")
        status.board = BoardCounts(sessions: 2, malformed: 3)
        return status
    }

    static func sample(volume: OutputVolume) -> Status {
        var status = sample
        status.volume = volume
        return status
    }
}
