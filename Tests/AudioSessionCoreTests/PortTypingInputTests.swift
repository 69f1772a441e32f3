import AudioSessionCore
import Testing

@Suite struct PortTypingInputTests {
    private static let laptop = Make.card([.deviceAPI: "alsa", .deviceBus: "pci", .deviceFormFactor: "internal"])

    @Test(arguments: [
        ("analog-input-headset-mic", "headset", "headsetMic"), ("[In] Headset", "headset", "headsetMic"),
        ("[In] HeadsetMic", "unknown", "headsetMic"), ("analog-input-linein", "line", "lineIn"),
        ("[In] LineIn", "unknown", "lineIn"), ("iec958-stereo-input", "spdif", "lineIn"),
        ("analog-input-fm", "radio", "lineIn"), ("analog-input-tvtuner", "video", "lineIn"), ("x", "tv", "lineIn"),
        ("[In] HDMI", "hdmi", "HDMI?"), ("[In] Bluetooth", "bluetooth", "bluetoothHFP?"),
        ("analog-input-internal-mic", "mic", "builtInMic"), ("[In] Mic1", "mic", "builtInMic"),
        ("[In] Digital", "unknown", "builtInMic"), ("[In] Internal Mic", "unknown", "builtInMic"),
        ("[In] DMIC0", "unknown", "builtInMic"), ("[In] Mic", "mic", "builtInMic"),
        ("[In] Mic2", "mic", "builtInMic?"),
        ("analog-input-front-mic", "mic", "headsetMic"), ("analog-input-rear-mic", "mic", "headsetMic"),
        ("analog-input-dock-mic", "mic", "headsetMic"), ("analog-input-headphone-mic", "mic", "headsetMic"),
        ("analog-input-mic", "mic", "builtInMic?"), ("[In] Mic Array", "unknown", "builtInMic"),
        ("analog-input", "analog", "builtInMic?"), ("analog-input-aux", "aux", "builtInMic?"),
        ("[In] Direct", "unknown", "unknown?"), ("[In] Modem", "phone", "unknown?"),
    ])
    func theRouteDecides(name: String, type: String, expected: String) {
        #expect(Make.classify(Make.route(name, .input, type: type)).short == expected)
    }

    @Test(arguments: [
        ("analog-input-headset-mic", "headsetMic"), ("analog-input-linein", "lineIn"),
        ("analog-input-mic", "builtInMic?"),
        ("analog-input-mic-line", "builtInMic?"), ("analog-input-fm", "lineIn"), ("analog-input-video", "lineIn"),
        ("analog-input-radio", "lineIn"), ("usb-gaming-headset-input", "headsetMic"),
        ("multichannel-input", "lineIn"),
        ("analog-chat-input", "headsetMic"),
    ])
    func theRoutesNameDecidesWhereTheCardGivesNoType(name: String, expected: String) {
        #expect(Make.classify(Make.route(name, .input)).short == expected)
    }

    /// Jack detection is no proof, because some computers wire a built-in microphone to a jack's
    /// switch.
    @Test func aJackMakesAMicrophoneExternal() {
        func answer(_ available: Availability, _ group: String?) -> String {
            Make.classify(Make.route("analog-input-mic", .input, type: "mic", available: available, group: group))
                .short
        }
        #expect(answer(.unknown, "Legacy 2") == "builtInMic?")
        #expect(answer(.no, "Legacy 2") == "headsetMic?")
        #expect(answer(.yes, nil) == "headsetMic?")
        #expect(answer(.unknown, "Mic Jack") == "headsetMic")
    }

    @Test func anInternalCardHasABuiltInMicrophone() {
        #expect(
            Make.classify(Make.route("analog-input-mic", .input, type: "mic"), on: Self.laptop).short == "builtInMic")
    }

    @Test func anAnalogInputWithJackDetectionIsALine() {
        let route = Make.route("analog-input", .input, type: "analog", available: .yes)
        #expect(Make.classify(route).short == "lineIn?")
    }

    @Test func theNodeDecidesWhereTheRouteDoesNot() {
        let route = Make.route("[In] Direct", .input, type: "unknown")
        let node = Make.sink("alsa_input.pci-1.x", with: [.alsaID: "DMIC (*)"])
        #expect(Make.classify(route, node: node).short == "builtInMic?")
        let analog = Make.route("analog-input", .input, type: "analog")
        #expect(Make.classify(analog, node: node).short == "builtInMic")
        let named = Make.sink("alsa_input.platform-snd.HiFi__Mic1__source")
        #expect(Make.classify(named, .input).short == "builtInMic")
        #expect(Make.classify(Make.sink("alsa_input.platform-snd.HiFi__Mic__source"), .input).short == "builtInMic")
    }
}
