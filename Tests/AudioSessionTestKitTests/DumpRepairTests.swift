import AudioSessionCore
import AudioSessionTestKit
import Testing

/// Excerpts omit properties that a running PipeWire reports for every object.
@Suite struct DumpRepairTests {
    private func port(_ properties: String, _ more: String = "") throws -> String? {
        try Fixture.short(read(#"[{"type":"Node","info":{"props":{\#(properties)}}\#(more)}]"#)).first
    }

    @Test(arguments: [
        (#""node.name":"n","pactl.object":"Sink""#, "*output"),
        (#""node.name":"n","pactl.object":"source""#, "*input"),
        (#""node.name":"n","factory.name":"api.alsa.pcm.sink""#, "*output"),
        (#""node.name":"n","factory.name":"api.bluez5.sco.source""#, "*input"),
        (#""node.name":"n","factory.name":"support.null-audio-sink""#, "*output"),
        (#""node.name":"alsa_input.usb-a-00.mono""#, "*input"), (#""node.name":"bluez_sink.00_11""#, "*output"),
        (#""node.name":"bluez_source.00_11""#, "*input"), (#""node.name":"raop-sink-1-2""#, "*output"),
        (#""node.name":"noise.source""#, "*input"), (#""node.name":"n","api.alsa.pcm.stream":"playback""#, "*output"),
        (#""node.name":"n","object.path":"alsa:acp:X:0:capture""#, "*input"),
        (#""alsa.id":"HDMI 0""#, "*output HDMI?"),
        (#""node.name":"n","media.class":"""#, ""), (#""node.name":"n","media.class":"Stream/Input/Audio""#, ""),
    ])
    func classesAreDeduced(properties: String, expected: String) throws {
        let found = try port(properties)
        #expect(expected.isEmpty ? found == nil : found?.hasPrefix(expected) ?? false)
    }

    @Test func theMarkedDefaultWithoutAClassIsTheMissingOne() throws {
        let marked = #"{"type":"Node","info":{"props":{"node.name":"eq","media.class":""}},"wpctl.default":true}"#
        let alone = try read("[\(marked)]")
        #expect(alone.graph.defaultSinkName == "eq")
        let sink =
            #"{"type":"Node","info":{"props":{"node.name":"s","media.class":"Audio/Sink"}},"wpctl.default":true}"#
        let both = try read("[\(sink),\(marked)]")
        #expect(both.graph.defaultSinkName == "s")
        #expect(both.graph.defaultSourceName == "eq")
    }

    @Test func defaultsAreReadFromMetadataInBothSpellings() throws {
        let dump = try read(
            #"[{"metadata":[{"key":"default.audio.sink","value":"{ \"name\": \"here\" }"},"#
                + #"{"key":"default.audio.source","value":{"name":"there"}}]}]"#)
        #expect(dump.graph.defaultSinkName == "here")
        #expect(dump.graph.defaultSourceName == "there")
    }

    @Test func objectsWithoutATypeAreRecognizedByTheirContent() throws {
        let dump = try read(
            #"[{"info":{"props":{"node.name":"a_sink"}}},{"info":{"params":{"EnumRoute":[{"name":"[Out] Speaker"}]}}},"#
                + #"{"info":{"props":{"device.name":"alsa_card.usb-x-00"}}}]"#)
        #expect(dump.graph.nodes.count == 1)
        #expect(dump.graph.devices.count == 2)
    }

    /// A monitor is PulseAudio's view of a sink.
    @Test func monitorsStandForTheirSinks() throws {
        let monitor =
            #"{"type":"Node","info":{"props":{"node.name":"a.monitor","node.description":"Monitor of A","pactl.object":"Source"}}}"#
        let alone = try #require(try read("[\(monitor)]").ports.first)
        #expect(alone.node == "a")
        #expect(alone.name == "A")
        #expect(alone.direction == .output)
        let sink = #"{"type":"Node","info":{"props":{"node.name":"a","pactl.object":"Sink"}}}"#
        #expect(try read("[\(monitor),\(sink)]").ports.count == 1)
        let nameless = #"{"type":"Node","info":{"props":{"device.class":"monitor","pactl.object":"Source"}}}"#
        #expect(try read("[\(nameless)]").ports.isEmpty)
    }

    @Test(arguments: [
        (#""device.id":"12""#, #""id":12"#), (#""device.id":12"#, #""id":"12""#), (#""device.id":12"#, #""id":3"#),
        (#""node.name":"alsa_output.a-b.x""#, #""id":9"#), (#""alsa.card":"4""#, #""id":9"#),
    ])
    func nodesFindTheirDevice(node: String, device: String) throws {
        let dump = try read(
            #"[{"type":"Node","id":1,"info":{"props":{\#(node),"media.class":"Audio/Sink"}}},"#
                + #"{"type":"Device",\#(device),"info":{"props":{"device.name":"alsa_card.a-b","object.id":12,"#
                + #""api.alsa.card":4,"device.bus":"usb"}}}]"#)
        #expect(dump.ports.first?.device == "alsa_card.a-b")
        #expect(dump.ports.first?.type == .usbAudio)
    }

    @Test func descriptionsLinkNodesToDevicesAsTheLastResort() throws {
        func ports(_ node: String) throws -> [String] {
            let devices = ["Acme", "Acme Deluxe"].map {
                #"{"type":"Device","info":{"props":{"device.description":"\#($0)","device.api":"alsa"}}}"#
            }
            let text = #"{"type":"Node","info":{"props":{"node.description":"\#(node)","media.class":"Audio/Sink"}}}"#
            return try Fixture.short(read("[\(text),\(devices.joined(separator: ","))]"))
        }
        #expect(try ports("Acme Deluxe Headphones") == ["*output headphones"])
        #expect(try ports("Acme Analog Stereo") == ["*output unknown?"])
        #expect(try ports("Other Thing") == ["*output virtual?"])
    }

    @Test func cardPropertiesShownWithTheNodeAreMovedToTheCard() throws {
        let dump = try read(
            #"[{"type":"Node","id":5,"info":{"props":{"node.name":"x","pactl.object":"Sink","device.bus":"usb"}}},"#
                + #"{"type":"Device","id":"card-of-5","info":{"params":{"EnumRoute":[{"name":"[In] Mic"},{"name":"[Out] Line"}],"#
                + #""Route":[{"name":"[Out] Line"}]}}}]"#)
        #expect(Fixture.short(dump) == ["*output usbAudio [Out] Line", "input usbAudio [In] Mic"])
    }

    @Test func activeRoutesWithoutANodeAreActive() throws {
        let dump = try read(
            #"[{"type":"Device","info":{"params":{"Route":[{"name":"[Out] Speaker"}],"#
                + #""EnumRoute":[{"name":"[Out] Speaker","info":[2,"port.type","speaker","cut off"]}]}}}]"#)
        #expect(Fixture.short(dump) == ["*output builtInSpeaker [Out] Speaker"])
        #expect(dump.ports.first?.node == nil)
    }

    /// Graphics cards number routes as their connectors.
    @Test func aRouteWithoutANameHasItsNeighborsKind() throws {
        func routes(_ first: String) throws -> [String?] {
            try read(
                #"[{"type":"Device","info":{"params":{"EnumRoute":[{"index":0,"name":"\#(first)","priority":9},"#
                    + #"{"index":2,"info":[1,"port.type","hdmi"],"available":"yes"}]}}}]"#
            ).ports.map(\.route)
        }
        #expect(try routes("hdmi-output-0") == ["hdmi-output-0", "hdmi-output-2"])
        #expect(try routes("other-output") == ["other-output", nil])
    }

    @Test(arguments: [
        (#""direction":"Input""#, PortDirection.input), (#""direction":0"#, .input), (#""direction":1"#, .output),
        (#""name":"analog-input""#, .input), (#""info":[1,"port.type","mic"]"#, .input), (#""name":"x""#, .output),
    ])
    func routesHaveTheirDirection(route: String, expected: PortDirection) throws {
        let dump = try read(#"[{"type":"Device","info":{"params":{"EnumRoute":[{\#(route)}]}}}]"#)
        #expect(dump.ports.first?.direction == expected)
    }

    @Test func availabilityIsReadInEverySpelling() throws {
        func available(_ text: String) throws -> Int {
            try read(
                #"[{"type":"Node","info":{"props":{"node.name":"alsa_output.pci-1.x","device.id":7}}},{"type":"Device","id":7,"#
                    + #""info":{"params":{"Route":[{"name":"[Out] Line","available":\#(text)}]}}}]"#
            ).graph.availablePorts(.output).count
        }
        for text in ["\"no\"", "\"not available\"", "1"] { #expect(try available(text) == 0) }
        for text in ["\"yes\"", "\"unknown\"", "2", "null", "[]"] { #expect(try available(text) == 1) }
    }

    /// A card of its own has ports even if the excerpt shows none.
    @Test(arguments: [
        (#""device.bus":"usb""#, #""EnumProfile":[{"name":"output:x"},{"name":"input:y"}]"#, 2),
        (#""device.bus":"usb""#, #""EnumProfile":[{"name":"off"},{"name":"output:x"}]"#, 1),
        (#""device.bus":"usb""#, #""Profile":[{"name":"off"}]"#, 2), (#""device.bus":"pci""#, "", 0),
        (#""device.api":"bluez5""#, #""Profile":[{"name":"off"}]"#, 0), (#""device.api":"bluez5""#, "", 0),
        (#""device.api":"bluez5""#, #""Profile":[{"name":"a2dp-sink-aac"}]"#, 1),
        (#""device.api":"bluez5""#, #""Profile":[{"name":"headset-head-unit"}]"#, 2),
        (#""device.api":"v4l2""#, "", 0),
    ])
    func cardsWithoutRoutesHaveTheirPorts(properties: String, parameters: String, count: Int) throws {
        let dump = try read(#"[{"type":"Device","info":{"props":{\#(properties)},"params":{\#(parameters)}}}]"#)
        #expect(dump.ports.count == count)
        #expect(dump.ports.allSatisfy { !$0.active && $0.node == nil && !$0.uid.isEmpty })
    }
}
