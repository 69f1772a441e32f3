import AudioSessionTestKit

/// A laptop with a headphone jack, and a headset on USB that ranks above it.
enum FakeMachine {
    static func make() throws -> FakeAudioSystem { try FakeAudioSystem(PipeWireDump(json: Array(dump.utf8))) }

    static let usb = "alsa_card.usb-Acme_Headset-00"
    static let usbNode = "alsa_output.usb-Acme_Headset-00.stereo"
    static let headphones = "analog-output-headphones"

    private static let dump = """
        [
          { "id": 40, "type": "PipeWire:Interface:Device", "info": {
            "props": { "device.name": "alsa_card.pci-0000_00_1f.3", "device.api": "alsa", "device.bus": "pci",
                       "media.class": "Audio/Device", "device.description": "Built-in Audio" },
            "params": {
              "EnumRoute": [
                { "index": 0, "name": "analog-output-speaker", "description": "Speakers", "direction": "Output",
                  "priority": 10000, "available": "unknown", "info": [1, "port.type", "speaker"],
                  "profiles": [1], "devices": [0] },
                { "index": 1, "name": "analog-output-headphones", "description": "Headphones", "direction": "Output",
                  "priority": 9900, "available": "no", "info": [1, "port.type", "headphones"],
                  "profiles": [1], "devices": [0] } ],
              "Route": [
                { "index": 0, "name": "analog-output-speaker", "description": "Speakers", "direction": "Output",
                  "priority": 10000, "available": "unknown", "info": [1, "port.type", "speaker"],
                  "profiles": [1], "devices": [0], "device": 0 } ],
              "Profile": [ { "index": 1, "name": "HiFi" } ] } } },
          { "id": 41, "type": "PipeWire:Interface:Node", "info": { "props": {
            "node.name": "alsa_output.pci-0000_00_1f.3.analog", "media.class": "Audio/Sink", "device.id": 40,
            "card.profile.device": 0, "device.api": "alsa", "priority.session": 1000 } } },
          { "id": 50, "type": "PipeWire:Interface:Device", "info": {
            "props": { "device.name": "alsa_card.usb-Acme_Headset-00", "device.api": "alsa", "device.bus": "usb",
                       "media.class": "Audio/Device", "device.description": "Acme Headset" },
            "params": { "Profile": [ { "index": 1, "name": "stereo" } ] } } },
          { "id": 51, "type": "PipeWire:Interface:Node", "info": { "props": {
            "node.name": "alsa_output.usb-Acme_Headset-00.stereo", "media.class": "Audio/Sink", "device.id": 50,
            "card.profile.device": 0, "device.api": "alsa", "priority.session": 1100 } } },
          { "id": 33, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" }, "metadata": [
            { "subject": 0, "key": "default.audio.sink", "value": { "name": "alsa_output.usb-Acme_Headset-00.stereo" } }
          ] }
        ]
        """
}
