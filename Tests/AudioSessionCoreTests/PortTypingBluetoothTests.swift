import AudioSessionCore
import Testing

@Suite struct PortTypingBluetoothTests {
    private static let headset: Properties = [
        .deviceAPI: "bluez5", .deviceBus: "bluetooth", .deviceFormFactor: "headset",
        .deviceName: "bluez_card.0A_1B_2C_3D_4E_5F", .deviceDescription: "Earcups",
    ]

    private func node(_ more: [PropertyKey: String], _ name: String = "bluez_output.0A_1B_2C_3D_4E_5F.1") -> Node {
        var properties = Properties(more)
        properties[.nodeName] = name
        return Make.node(properties)
    }

    @Test(arguments: [
        ("a2dp-sink", "bluetoothA2DP"), ("a2dp-source", "bluetoothA2DP"), ("headset-head-unit", "bluetoothHFP"),
        ("headset-audio-gateway", "bluetoothHFP"), ("bap-sink", "bluetoothLE"), ("asha-sink", "bluetoothLE"),
        ("handsfree_head_unit", "bluetoothHFP"), ("a2dp_sink", "bluetoothA2DP"),
    ])
    func theNodesProfileDecides(profile: String, expected: String) {
        #expect(Make.classify(node([.bluezProfile: profile])).short == expected)
    }

    @Test(arguments: [
        ("a2dp-sink-ldac", "bluetoothA2DP"), ("headset-head-unit-msbc", "bluetoothHFP"),
        ("bap-duplex", "bluetoothLE"),
    ])
    func otherwiseTheActiveProfileDecides(profile: String, expected: String) {
        let active = DeviceProfile(index: 261, name: profile)
        let card = Make.card(Self.headset, profile: active)
        #expect(Make.classify(Make.route("headset-output", type: "headset"), on: card).short == expected)
    }

    /// The profile of an active Bluetooth route has another number than the profile's index.
    @Test func aRouteThatIsNotPartOfTheActiveProfileHasTheProfilesOfItsOwn() {
        let profiles = [
            DeviceProfile(index: 0, name: "off"), DeviceProfile(index: 5, name: "headset-head-unit"),
            DeviceProfile(index: 6, name: "headset-head-unit-cvsd"), DeviceProfile(index: 261, name: "a2dp-sink-aac"),
        ]
        let card = Make.card(Self.headset, profiles: profiles, profile: profiles[3])
        let microphone = Make.route("headset-input", .input, type: "headset", profiles: [5, 6])
        #expect(Make.classify(microphone, on: card).short == "bluetoothHFP")
        let mixed = Make.route("headset-output", type: "headset", profiles: [5, 260])
        #expect(Make.classify(mixed, on: card).short == "bluetoothHFP")
        let either = Make.route("headset-input", .input, type: "headset", profiles: [0, 5])
        #expect(Make.classify(either, on: card).short == "bluetoothHFP?")
    }

    @Test func voiceLinksAreHandsFree() {
        #expect(Make.classify(node([.factoryName: "api.bluez5.sco.sink"])).short == "bluetoothHFP")
        #expect(
            Make.classify(Make.route("car-hf-output", type: "car"), on: Make.card(Self.headset)).short
                == "bluetoothHFP")
        #expect(Make.classify(node([:], "bluez_output.0A_1B.headset-head-unit")).short == "bluetoothHFP")
        #expect(Make.classify(node([:], "bluez_sink.0A_1B.a2dp_sink")).short == "bluetoothA2DP")
    }

    /// The session manager keeps a microphone there while A2DP runs; using it ends A2DP.
    @Test func theMicrophoneThatSwitchesTheProfileIsHandsFree() {
        let node = Make.node([.nodeName: "bluez_input.0A:1B", .bluezLoopback: "true", .deviceID: "31"])
        let card = Make.card(Self.headset, profile: DeviceProfile(index: 261, name: "a2dp-sink"))
        #expect(Make.classify(node, .input, on: card).short == "bluetoothHFP")
    }

    @Test func aCarIsHandsFreeOnlyInACall() {
        var car = Self.headset
        car[.deviceFormFactor] = "car"
        let playing = Make.card(car, profile: DeviceProfile(index: 2, name: "a2dp-sink"))
        let calling = Make.card(car, profile: DeviceProfile(index: 3, name: "headset-head-unit"))
        let route = Make.route("car-output", type: "car")
        #expect(Make.classify(route, on: playing).short == "carAudio")
        #expect(Make.classify(route, on: calling).short == "bluetoothHFP")
        #expect(Make.classify(route, on: Make.card([.deviceAPI: "bluez5"])).short == "carAudio")
    }

    @Test func coordinatedSetsAreLowEnergy() {
        #expect(Make.classify(node([.bluezSet: "17"])).short == "bluetoothLE")
        let card = Make.card(Self.headset)
        let member = Make.sink("bluez_output.AA.1", with: [.bluezInternal: "true"])
        #expect(Make.graph([member], [card]).availablePorts(.output).isEmpty, "programs play to the set")
        #expect(Make.classify(Make.route("headset-set-output", type: "headset"), on: card).short == "bluetoothLE")
    }

    @Test(arguments: [
        ("cvsd", "bluetoothHFP"), ("lc3", "bluetoothLE"), ("g722", "bluetoothLE"), ("aac", "bluetoothA2DP"),
    ])
    func theCodecDecidesWhereNoProfileIsKnown(codec: String, expected: String) {
        #expect(Make.classify(node([.bluezCodec: codec])).short == expected)
    }

    @Test func theFormFactorMarksDevicesWithoutAMicrophone() {
        func answer(_ formFactor: String?, _ route: String) -> String {
            var properties: Properties = [.deviceBus: "bluetooth"]
            properties[.deviceFormFactor] = formFactor
            let direction: PortDirection = route.hasSuffix("input") ? .input : .output
            return Make.classify(Make.route(route, direction, type: "x"), on: Make.card(properties)).short
        }
        #expect(answer("speaker", "speaker-output") == "bluetoothA2DP")
        #expect(answer(nil, "headphone-output") == "bluetoothA2DP")
        #expect(answer("headset", "headset-output") == "bluetoothA2DP?")
        #expect(answer("headset", "headset-input") == "bluetoothHFP?")
        #expect(Make.classify(node([:])).short == "bluetoothA2DP?")
    }

    /// A loudspeaker's route has the port type of a laptop's speaker.
    @Test func bluetoothIsRecognizedByAnyOfItsProperties() {
        let route = Make.route("speaker-output", type: "speaker")
        for properties: Properties in [
            [.deviceAPI: "bluez5"], [.deviceBus: "bluetooth"], [.deviceName: "bluez_card.0A"], [:],
        ] {
            #expect(Make.classify(route, on: Make.card(properties)).type == .bluetoothA2DP)
        }
        #expect(Make.classify(Make.node([.nodeName: "n", .bluezAddress: "0A:1B"])).type == .bluetoothA2DP)
        #expect(
            Make.classify(Make.node([.nodeName: "n", .factoryName: "api.bluez5.media.sink"])).type == .bluetoothA2DP)
        #expect(Make.classify(Make.route("speaker", type: "speaker"), on: Make.card([:])).type == .builtInSpeaker)
    }
}
