import AudioSessionCore
import Testing

@Suite struct PortTypingOutputTests {
    @Test(arguments: [
        ("speaker", "builtInSpeaker"), ("headphones", "headphones"), ("headset", "headphones"), ("line", "lineOut"),
        ("hdmi", "HDMI?"), ("tv", "HDMI?"), ("earpiece", "builtInReceiver"), ("handset", "builtInReceiver"),
        ("spdif", "lineOut"), ("bluetooth", "bluetoothHFP?"), ("Speaker", "builtInSpeaker"),
        ("car", "unknown?"), ("nothing-known", "unknown?"),
    ])
    func thePortTypeOfTheCardDecides(portType: String, expected: String) {
        #expect(Make.classify(Make.route("some-output", type: portType)).short == expected)
    }

    @Test(arguments: [
        ("analog-output-speaker-always", "builtInSpeaker"), ("analog-output-headphones-2", "headphones"),
        ("analog-output-lineout", "lineOut"), ("hdmi-output-7", "HDMI?"), ("iec958-stereo-output", "lineOut"),
        ("multichannel-output", "lineOut"), ("virtual-surround-7.1", "headphones"),
        ("steelseries-arctis-output-chat-common", "headphones"), ("analog-chat-output", "headphones"),
        ("usb-gaming-headset-output-stereo", "headphones"), ("[Out] Speaker", "builtInSpeaker"),
        ("[Out] Headphones2", "headphones"), ("[Out] HDMI4", "HDMI?"), ("[Out] Earpiece", "builtInReceiver"),
        ("[Out] Handset", "builtInReceiver"), ("[Out] SPDIF", "lineOut"), ("[Out] Line3", "lineOut"),
        ("analog-output-mono", "lineOut?"), ("something-else", "unknown?"),
    ])
    func theRoutesNameDecidesWhereTheCardGivesNoType(name: String, expected: String) {
        #expect(Make.classify(Make.route(name)).short == expected)
    }

    /// Names outside of the use case vocabulary have the type "unknown" and must be parsed.
    @Test(arguments: [
        ("[Out] Headphone", "headphones"), ("[Out] InternalSpeaker", "builtInSpeaker"),
        ("[Out] DisplayPort2", "displayPort"), ("[Out] MainHDMI", "HDMI?"),
        ("[Out] PhoneEarpiece", "builtInReceiver"),
        ("[Out] Lineout", "lineOut"), ("[Out] Direct", "unknown?"), ("[Out] SpeakerHeadphone", "headphones?"),
    ])
    func unknownTypesAreReadFromTheName(name: String, expected: String) {
        #expect(Make.classify(Make.route(name, type: "unknown")).short == expected)
    }

    @Test func theNodesOwnNamesPrecedeThoseOfTheCard() {
        let route = Make.route("analog-output", type: "analog")
        func answer(_ more: [PropertyKey: String], _ name: String = "alsa_output.pci-0000_4b_00.2.x") -> String {
            Make.classify(route, node: Make.sink(name, with: more)).short
        }
        #expect(answer([:], "alsa_output.pci-0000_4b_00.2.iec958-stereo") == "lineOut")
        #expect(answer([.deviceProfileName: "HiFi: Speaker: sink", .alsaCardName: "Big HDMI"]) == "builtInSpeaker")
        #expect(answer([.alsaID: "Headphones"]) == "headphones?")
        #expect(answer([.alsaName: "HDMI 1", .alsaID: "Gfx"]) == "HDMI?")
        #expect(answer([.alsaCardName: "Tiny Speaker Hat"]) == "builtInSpeaker?")
        #expect(answer([.alsaMixerName: "Gfx HDMI/DP"]) == "HDMI?")
        #expect(answer([.alsaMixerName: "Gfx HDMI/DP", .alsaName: "CX2 Analog"]) == "lineOut?")
    }

    /// A graphics card has sockets of both kinds, a small board has one that is labeled.
    @Test func aScreenIsCertainOnlyOnABoard() {
        let board = Make.card([
            .deviceAPI: "alsa", .deviceName: "alsa_card.platform-soc_hdmi", .alsaDriverName: "snd_soc_x",
        ])
        #expect(Make.classify(Make.route("hdmi-output-0", type: "hdmi"), on: board).short == "HDMI")
        #expect(Make.classify(Make.route("hdmi-output-0", type: "hdmi")).short == "HDMI?")
        #expect(Make.classify(Make.route("hdmi-output-0", type: "hdmi"), on: Make.card([:])).short == "HDMI?")
    }

    /// Converter boards of a Raspberry Pi have one uninformative route, or none.
    @Test(arguments: ["snd_rpi_hifiberry_dac", "snd_rpi_iqaudio_dac", "sndrpihifiberry", "RPi DAC", "Allo Boss"])
    func aConverterBoardIsALineOut(name: String) {
        let properties: Properties = [
            .deviceAPI: "alsa", .deviceName: "alsa_card.platform-soc_sound", .alsaCardName: name,
            .deviceFormFactor: "internal",
        ]
        let node = Make.sink("alsa_output.platform-soc_sound.stereo-fallback")
        for route in [Make.route("analog-output", type: "analog"), nil] {
            let card = Make.card(properties, routes: route.map { [$0] } ?? [])
            let evidence = PortEvidence(node: node, device: card, route: route, direction: .output)
            #expect(PortTyping.classify(evidence).short == "lineOut")
        }
        let headset = Make.card([.deviceAPI: "alsa", .deviceBus: "usb", .alsaCardName: name])
        #expect(Make.classify(Make.route("analog-output", type: "analog"), on: headset).short == "usbAudio")
    }

    @Test func proAudioNamesNoConnector() {
        let names = ["alsa_output.pci-0000_4b_00.2.pro-output-0", "alsa_output.other"]
        #expect(Make.classify(Make.sink(names[0]), on: Make.card()).short == "PCI")
        #expect(Make.classify(Make.sink(names[1], with: [.deviceRoutes: "0"]), on: Make.card()).short == "PCI")
        let profile = DeviceProfile(index: 9, name: "pro-audio")
        #expect(Make.classify(Make.sink(names[1]), on: Make.card(profile: profile)).short == "PCI")
        #expect(Make.classify(Make.sink("alsa_output.platform-x.pro-output-0"), on: Make.card([:])).short == "PCI?")
        #expect(Make.classify(Make.sink(names[0], with: [.alsaName: "HDMI 2"]), on: Make.card()).short == "HDMI?")
        #expect(Make.classify(Make.sink("alsa_input.pci-1.pro-input-0"), .input, on: Make.card()).short == "PCI")
    }

    @Test func analogOutputsAreGuessedAndMarkedUncertain() {
        let own: Properties = [.deviceAPI: "alsa", .deviceFormFactor: "internal", .deviceBus: "pci"]
        let route = Make.route("analog-output", type: "analog")
        #expect(Make.classify(route, on: Make.card(own, routes: [route])).short == "builtInSpeaker?")
        let second = Make.route("iec958-stereo-output", type: "spdif", index: 1)
        #expect(Make.classify(route, on: Make.card(own, routes: [route, second])).short == "lineOut?")
        let sensed = Make.route("analog-output", type: "analog", available: .yes)
        #expect(Make.classify(sensed, on: Make.card(own, routes: [sensed])).short == "lineOut?")
        #expect(Make.classify(route).short == "lineOut?")
        #expect(
            Make.classify(Make.sink("alsa_output.0.analog-mono", with: [.alsaDriverName: "snd_soc_simple"])).short
                == "builtInSpeaker?")
    }

    @Test(arguments: [
        ("HiFi: Speaker: sink", "builtInSpeaker"), ("hdmi-stereo-extra1", "HDMI?"),
        ("iec958-ac3-surround-51", "lineOut"),
        ("multichannel-output", "lineOut"), ("HiFi: hw:Card,1: sink", "unknown?"), ("stereo-fallback", "lineOut?"),
    ])
    func theProfileDecidesForANodeWithoutARoute(profile: String, expected: String) {
        #expect(
            Make.classify(Make.sink("alsa_output.pci-1.x", with: [.deviceProfileName: profile])).short == expected)
    }

    @Test(arguments: [
        ("alsa_output.pci-0000_4b_00.2.HiFi__Speaker__sink", "builtInSpeaker"),
        ("alsa_output.pci-0000_4b_00.2.HiFi__Headphones__sink.2", "headphones"),
        ("alsa_output.pci-0000_4b_00.2.HiFi__hw_Card_1__sink", "unknown?"), ("alsa_output.pci-1", "unknown?"),
    ])
    func theNodesNameContainsTheProfile(name: String, expected: String) {
        #expect(Make.classify(Make.sink(name)).short == expected)
    }

    @Test func anOutputWithoutEvidenceIsUnknown() {
        let answer = Make.classify(Make.sink("strange"))
        #expect(answer.short == "unknown?")
        #expect(!answer.why.isEmpty)
    }
}
