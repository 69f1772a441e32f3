import AudioSessionCore
import AudioSessionTestKit
import Testing

/// The state that a dump contains besides the ports.
@Suite struct DumpStateTests {
    private static let computer = #"""
        [ { "id": 30, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "settings" }, "metadata": [
            { "subject": 0, "key": "clock.rate", "type": "", "value": 44100 },
            { "subject": 0, "key": "clock.allowed-rates", "type": "", "value": "[ 44100, 48000 ]" },
            { "subject": 0, "key": "clock.force-quantum", "type": "", "value": "256" },
            { "subject": 0, "key": "audio-session.silent", "type": "Spa:String:JSON", "value": true } ] },
          { "id": 31, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" }, "metadata": [
            { "subject": 0, "key": "default.configured.audio.sink", "value": { "name": "usb" } },
            { "subject": 0, "key": "default.configured.audio.source", "value": { "name": "mic" } },
            { "subject": 7, "key": "default.audio.sink", "value": { "name": "not this" } } ] },
          { "id": 40, "type": "PipeWire:Interface:Device", "info": {
            "props": { "device.name": "card" }, "params": {
              "EnumProfile": [ { "index": 1, "name": "a", "available": "yes" },
                               { "index": 2, "name": "b", "available": "no" } ],
              "Route": [ { "index": 0, "name": "[Out] Speaker", "device": 0,
                           "props": { "mute": true, "channelVolumes": [ 0.125, 0.064 ] } },
                         { "index": 1, "name": "[In] Mic", "device": 1,
                           "props": { "mute": false, "channelVolumes": [ 1, "x" ] } } ] } } },
          { "id": 50, "type": "PipeWire:Interface:Node", "info": { "state": "running",
            "props": { "node.name": "browser", "media.class": "Stream/Output/Audio" },
            "params": { "Props": [ { "params": [] }, { "mute": true, "channelVolumes": [ 0.5, 0.25 ] } ] } } },
          { "id": 51, "type": "PipeWire:Interface:Node", "info": { "state": "suspended",
            "props": { "node.name": "usb", "media.class": "Audio/Sink" },
            "params": { "Props": [ { "mute": false, "channelVolumes": [ -1 ] } ] } } } ]
        """#

    @Test func settingsAndChosenDefaultsAreRead() throws {
        let graph = try read(Self.computer).graph
        #expect(graph.clock.rate == 44100 && graph.clock.allowedRates == [44100, 48000])
        #expect(graph.clock.forcedQuantum == 256 && graph.clock.forcedRate == 0)
        #expect(graph.isSilentMode)
        #expect(graph.configuredSinkName == "usb" && graph.configuredSourceName == "mic")
        #expect(graph.defaultSinkName == nil)
    }

    @Test func mixersAndRunningStreamsAreRead() throws {
        let graph = try read(Self.computer).graph
        #expect(graph.runningNodes == [ObjectID(50)])
        #expect(graph.mutedNodes == [ObjectID(50)])
        #expect(graph.volumes == [ObjectID(50): [0.5, 0.25]], "-1 is no volume")
        let card = try #require(graph.device(named: "card"))
        #expect(card.activeRoutes.map(\.volumes) == [[0.125, 0.064], []])
        #expect(card.activeRoutes.map(\.isMuted) == [true, false])
        #expect(card.profiles.map(\.availability) == [.yes, .no])
    }

    /// An excerpt numbers sinks and cards separately, and some objects not at all.
    @Test func allObjectsShareOneNumbering() throws {
        let graph = try read(
            #"""
            [ { "type": "Device", "info": { "props": { "device.name": "a" } } },
              { "type": "Device", "info": { "props": { "device.name": "b" } } },
              { "type": "Device", "id": 1, "info": { "props": { "device.name": "c" } } },
              { "type": "Device", "id": 4294967294, "info": { "props": { "device.name": "d" } } },
              { "type": "Node", "id": 0, "info": { "props": { "node.name": "zero_sink" } } },
              { "type": "Node", "id": 1, "info": { "props": {
                "node.name": "one", "media.class": "Stream/Output/Audio", "device.id": 4294967294 } } },
              { "type": "Node", "info": { "props": { "node.name": "x_sink" } } },
              { "type": "Link", "info": { "output-node-id": 1, "input-node-id": 0 } } ]
            """#
        ).graph
        let ids = graph.devices.values.map(\.id) + graph.nodes.values.map(\.id) + graph.links.values.map(\.id)
        #expect(Set(ids).count == 8 && ids.count == 8)
        #expect(ids.allSatisfy { $0.rawValue < 100_000 }, "a fake system numbers its own objects from there on")
        let one = try #require(graph.nodes.known(as: "one").first)
        let zero = try #require(graph.nodes[ObjectID(0)])
        let link = try #require(graph.links.values.first)
        #expect(link.outputNode == one.id && link.inputNode == zero.id)
        #expect(graph.device(of: one)?.name == "d")
    }

    /// Routes name profiles, too, so the limit must hold for all lists together.
    @Test func theNumberOfProfilesIsLimited() throws {
        let routes = (0..<3).map { route in
            let names = (0..<900).map { "\"p\(route)-\($0)\"" }.joined(separator: ",")
            return #"{"name":"[Out] \#(route)","profiles":[\#(names)]}"#
        }.joined(separator: ",")
        let dump = try read(
            #"[{"type":"Device","info":{"props":{"device.name":"card"},"params":{"EnumRoute":[\#(routes)]}}}]"#)
        #expect(dump.graph.device(named: "card")?.profiles.count == 1_000)
    }

    @Test func indexesOfProfilesHave32Bits() throws {
        let dump = try read(
            #"[{"type":"Device","info":{"props":{"device.name":"card"},"params":{"EnumProfile":["#
                + #"{"index":-9223372036854775808,"name":"a"},{"index":2147483647,"name":"b"},{"name":"c"},"#
                + #"{"index":3,"name":"d"}]}}}]"#)
        #expect(dump.graph.device(named: "card")?.profiles.map(\.name) == ["b", "d"])
    }

    @Test func anyIndexOfAProfileCanBeCompared() {
        var graph = AudioGraph()
        let profiles = [Int.min, 0, 5].map { DeviceProfile(index: $0, name: "profile \($0)") }
        let route = DeviceRoute(
            index: 0, direction: .output, name: "hdmi-output-0", availability: .yes, portType: "hdmi",
            profiles: [.min, 5])
        graph.devices[ObjectID(1)] = Device(
            id: ObjectID(1), properties: [.deviceName: "card"], routes: [route], profiles: profiles,
            activeProfile: profiles[1])
        #expect(graph.availablePorts(.output).map(\.needsProfileChange) == [true])
    }
}
