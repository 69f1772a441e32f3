package import AudioSessionText

/// A laptop as a ``FakeAudioSystem``, whose speaker and headphone jack are one sink.
package enum FakeLaptop {
    package static let sink = "alsa_output.pci-0000_00_1f.3.analog"
    package static let headphones = "analog-output-headphones"
    package static let headset = "alsa_card.usb-Acme_Headset-00"
    package static let headsetSink = "alsa_output.usb-Acme_Headset-00.stereo"
    package static let microphone = "mic"

    /// The accessories that are plugged in.
    package struct Accessories: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let headphones = Self(rawValue: 1)
        package static let microphone = Self(rawValue: 2)
        /// A USB headset, which is the default.
        package static let headset = Self(rawValue: 4)
    }

    package static func system(with accessories: Accessories = []) throws(PipeWireDumpError) -> FakeAudioSystem {
        FakeAudioSystem(try PipeWireDump(json: dump(accessories).utf8))
    }

    private static func dump(_ accessories: Accessories) -> String {
        var objects = [card(hasHeadphones: accessories.contains(.headphones)), node]
        if accessories.contains(.microphone) { objects.append(microphoneNode) }
        if accessories.contains(.headset) { objects.append(headsetObjects) }
        objects.append(defaults(accessories))
        return "[" + objects.joined(separator: ", ") + "]"
    }

    private static func card(hasHeadphones: Bool) -> String {
        let speaker = route(0, "analog-output-speaker", "Speakers", "speaker", 10000, "unknown")
        let phones = route(1, headphones, "Headphones", "headphones", 9900, hasHeadphones ? "yes" : "no")
        return """
            { "id": 40, "type": "PipeWire:Interface:Device", "info": {
              "props": { "device.name": "alsa_card.pci-0000_00_1f.3", "device.api": "alsa", "device.bus": "pci",
                         "media.class": "Audio/Device", "device.description": "Built-in Audio" },
              "params": {
                "EnumRoute": [ { \(speaker) }, { \(phones) } ],
                "Route": [ { \(hasHeadphones ? phones : speaker), "device": 0 } ],
                "Profile": [ { "index": 1, "name": "HiFi" } ] } } }
            """
    }

    private static func route(
        _ index: Int, _ name: String, _ description: String, _ type: String, _ priority: Int, _ available: String
    ) -> String {
        """
        "index": \(index), "name": "\(name)", "description": "\(description)", "direction": "Output",
        "priority": \(priority), "available": "\(available)", "info": [1, "port.type", "\(type)"],
        "profiles": [1], "devices": [0]
        """
    }

    private static let node = """
        { "id": 41, "type": "PipeWire:Interface:Node", "info": { "props": {
          "node.name": "\(sink)", "media.class": "Audio/Sink", "device.id": 40, "card.profile.device": 0,
          "device.api": "alsa", "priority.session": 1000, "audio.position": "FL,FR" } } }
        """

    private static let microphoneNode = """
        { "id": 42, "type": "PipeWire:Interface:Node", "info": { "props": {
          "node.name": "\(microphone)", "node.description": "Microphone", "media.class": "Audio/Source" } } }
        """

    private static let headsetObjects = """
        { "id": 50, "type": "PipeWire:Interface:Device", "info": {
          "props": { "device.name": "\(headset)", "device.api": "alsa", "device.bus": "usb",
                     "media.class": "Audio/Device", "device.description": "Acme Headset" },
          "params": { "Profile": [ { "index": 1, "name": "stereo" } ] } } },
        { "id": 51, "type": "PipeWire:Interface:Node", "info": { "props": {
          "node.name": "\(headsetSink)", "media.class": "Audio/Sink", "device.id": 50, "card.profile.device": 0,
          "device.api": "alsa", "priority.session": 1100 } } }
        """

    private static func defaults(_ accessories: Accessories) -> String {
        let output = accessories.contains(.headset) ? headsetSink : sink
        var values = [#"{ "subject": 0, "key": "default.audio.sink", "value": { "name": "\#(output)" } }"#]
        if accessories.contains(.microphone) {
            values.append(#"{ "subject": 0, "key": "default.audio.source", "value": { "name": "\#(microphone)" } }"#)
        }
        return """
            { "id": 33, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" },
              "metadata": [ \(values.joined(separator: ", ")) ] }
            """
    }
}
