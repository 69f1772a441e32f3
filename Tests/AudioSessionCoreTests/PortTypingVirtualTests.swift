import AudioSessionCore
import Testing

@Suite struct PortTypingVirtualTests {
    @Test(arguments: ["raop_sink.Kitchen.local.10.0.0.9.7000", "raop-sink-812-3", "raop_output.kitchen"])
    func airPlayIsRecognizedByName(name: String) {
        #expect(Make.classify(Make.node([.nodeName: name, .nodeVirtual: "true"])).short == "airPlay")
    }

    @Test func airPlayIsRecognizedByItsSession() {
        #expect(
            Make.classify(Make.node([.nodeName: "mine", .sessMedia: "raop", .nodeNetwork: "true"])).short == "airPlay"
        )
    }

    @Test(arguments: [
        "rtp_session.den", "rtp-sink", "vban_session.x", "roc-source", "tunnel.attic.local", "netjack2_driver_send",
    ])
    func networkIsRecognizedByName(name: String) {
        #expect(Make.classify(Make.node([.nodeName: name, .nodeVirtual: "true"])).short == "network")
        #expect(Make.classify(Make.sink(name)).short != "network")
    }

    @Test func networkIsRecognizedByTheNode() {
        #expect(Make.classify(Make.node([.nodeName: "any", .nodeNetwork: "true"])).short == "network")
        #expect(Make.classify(Make.node([.nodeName: "avb.sink"])).short == "AVB")
    }

    @Test(
        arguments: [
            [.nodeVirtual: "true"], [.factoryName: "support.null-audio-sink"], [.clientID: "40"],
            [.nodeLinkGroup: "filter-chain-9-1"], [.nodeDescription: "Some Virtual Cable"],
        ] as [Properties])
    func aNodeWithoutADeviceIsVirtual(properties: Properties) {
        var properties = properties
        properties[.nodeName] = "cable"
        #expect(Make.classify(Make.node(properties)).short == "virtual")
    }

    @Test func aNodeWithFewPropertiesIsUncertainlyVirtual() {
        #expect(Make.classify(Make.node([.nodeName: "mystery"])).short == "virtual?")
    }

    @Test func aNodeOfAnUnknownDeviceIsNotVirtual() {
        #expect(Make.classify(Make.node([.nodeName: "mystery", .deviceID: "8"])).short == "unknown?")
    }

    /// Some tools give a node only a description.
    @Test(arguments: [
        ("Acme Headphones", "headphones"), ("Acme Speaker", "builtInSpeaker"),
        ("Acme HDMI / DisplayPort 2 Output", "HDMI?"),
        ("Acme Speaker + Headphones", "headphones?"), ("Best Virtual Headphones", "virtual"), ("Acme", "virtual?"),
    ])
    func descriptionsAreTheLastResort(text: String, expected: String) {
        let node = Make.node([.nodeDescription: text, .mediaClass: "Audio/Sink"])
        #expect(Make.classify(node).short == expected)
        var named = node
        named.properties[.nodeName] = "acme"
        #expect(Make.classify(named).type == .virtual)
    }

    @Test func theCardsDescriptionIsNotTheNodes() {
        let card = Make.card([.deviceAPI: "alsa", .deviceDescription: "HDMI Hub Deluxe"])
        let node = Make.node([.nodeDescription: "HDMI Hub Deluxe Speaker"])
        #expect(Make.classify(node, on: card).short == "builtInSpeaker")
    }
}
