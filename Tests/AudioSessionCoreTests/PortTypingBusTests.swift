import AudioSessionCore
import Testing

@Suite struct PortTypingBusTests {
    private func hint(_ formFactor: String?, _ type: String, _ direction: PortDirection = .output) -> PortType? {
        var properties: Properties = [.deviceAPI: "alsa", .deviceBus: "usb"]
        properties[.deviceFormFactor] = formFactor
        return Make.classify(Make.route("r", direction, type: type), on: Make.card(properties)).hint
    }

    /// A converter whose mixer has a speaker is no built-in speaker.
    @Test(arguments: ["speaker", "headphones", "hdmi", "spdif", "analog", "unknown"])
    func theUSBBusDecidesBeforeTheRoute(type: String) {
        let card = Make.card([.deviceAPI: "alsa", .deviceBus: "usb"])
        #expect(Make.classify(Make.route("r", type: type), on: card).short == "usbAudio")
        #expect(Make.classify(Make.route("r", .input, type: type), on: card).short == "usbAudio")
    }

    @Test func usbIsRecognizedByDriverAndByName() {
        #expect(Make.classify(Make.route("r"), on: Make.card([.alsaDriverName: "snd_usb_audio"])).short == "usbAudio")
        #expect(Make.classify(Make.sink("alsa_output.usb-Acme_Bar-00.analog-stereo")).short == "usbAudio")
        #expect(
            Make.classify(Make.route("r"), on: Make.card([.deviceName: "alsa_card.usb-Acme_Bar-00"])).short
                == "usbAudio")
        let described = Make.node([.nodeDescription: "Acme USB Audio Headphones", .mediaClass: "Audio/Sink"])
        #expect(Make.classify(described).short == "usbAudio?")
    }

    @Test func theFormFactorDecidesBeforeTheRoute() {
        #expect(hint("headphone", "speaker") == .headphones)
        #expect(hint(nil, "headset") == .headphones)
        #expect(hint("webcam", "mic", .input) == .headsetMic)
        #expect(hint("speaker", "line") == .lineOut)
        #expect(hint(nil, "line", .input) == .lineIn)
        #expect(hint(nil, "hdmi") == .hdmi)
        #expect(hint(nil, "speaker") == nil)
    }

    @Test func fireWireIsABusAndADriver() {
        let route = Make.route("multichannel-output", type: "line")
        #expect(Make.classify(route, on: Make.card([.deviceBus: "firewire"])).short == "fireWire")
        #expect(Make.classify(route, on: Make.card([.alsaDriverName: "snd_dice"])).short == "fireWire")
        #expect(Make.classify(Make.node([.nodeName: "ffado_sink", .nodeVirtual: "true"])).short == "fireWire")
        #expect(Make.classify(route, on: Make.card([.alsaDriverName: "snd_hda_intel"])).short == "lineOut")
    }

    @Test func loopbackCardsOfTheKernelAreVirtual() {
        let route = Make.route("analog-output", type: "analog")
        for properties: Properties in [
            [.alsaDriverName: "snd_aloop", .deviceFormFactor: "internal"], [.alsaDriverName: "snd_dummy"],
            [.alsaCardID: "Loopback"], [.alsaCardName: "Dummy"], [.deviceName: "alsa_card.platform-snd_aloop.0"],
        ] {
            #expect(Make.classify(route, on: Make.card(properties)).short == "virtual")
        }
        #expect(Make.classify(Make.sink("alsa_output.platform-snd_dummy.0.analog-stereo")).short == "virtual")
    }

    @Test func pathsInNamesAreWeakerThanTheBus() {
        let card = Make.card([.deviceBus: "pci", .deviceName: "alsa_card.usb-odd"])
        #expect(Make.classify(Make.route("r", type: "speaker"), on: card).short == "builtInSpeaker")
    }
}
