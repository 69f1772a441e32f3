import AudioSessionCore

extension VirtualCardDescription {
    /// Describes the card of a laptop.
    ///
    /// Speaker and headphones share one sink, and a screen has another. The internal microphone and
    /// the headset's microphone share one source.
    ///
    /// Ports: `speaker`, `headphones`, `hdmi`, `mic`, `headset-mic`.
    ///
    /// - Parameter id: distinguishes several such cards.
    /// - Returns: the description.
    public static func builtIn(id: String = "0") -> VirtualCardDescription {
        let path = "pci-virtual_\(id)"
        let card = alsa(path: path, cardName: "Virtual HDA", driver: "snd_hda_intel")
        return VirtualCardDescription(
            name: "alsa_card.\(path)",
            properties: card.merging([
                "device.description": "Built-in Audio", "device.nick": "Virtual HDA", "device.bus": "pci",
                "device.form-factor": "internal", "device.icon-name": "audio-card-analog-pci",
                "device.product.name": "Virtual High Definition Audio Controller",
            ]) { $1 },
            profiles: [
                Profile(name: "off", description: "Off", nodes: [], availability: .yes),
                Profile(
                    name: "HiFi", description: "Play HiFi quality Music", priority: 8000,
                    nodes: ["analog", "hdmi", "mic"]),
                Profile(
                    name: "output:analog-stereo", description: "Analog Stereo Output", priority: 6500,
                    nodes: ["analog"]),
                Profile(
                    name: "output:hdmi-stereo", description: "Digital Stereo (HDMI) Output", priority: 5900,
                    nodes: ["hdmi"]),
            ],
            routes: [
                Route(
                    port: "speaker", name: "analog-output-speaker", description: "Speakers", direction: .output,
                    portType: "speaker", availabilityGroup: "Legacy 1", priority: 10000, nodes: ["analog"]),
                Route(
                    port: "headphones", name: "analog-output-headphones", description: "Headphones",
                    direction: .output, portType: "headphones", availabilityGroup: "Legacy 2", priority: 9900,
                    availability: .no, nodes: ["analog"]),
                Route(
                    port: "hdmi", name: "hdmi-output-0", description: "HDMI / DisplayPort", direction: .output,
                    portType: "hdmi", availabilityGroup: "Legacy 3", productName: "Virtual Screen", priority: 5900,
                    availability: .no, nodes: ["hdmi"]),
                Route(
                    port: "mic", name: "analog-input-internal-mic", description: "Internal Microphone",
                    direction: .input, portType: "mic", availabilityGroup: "Legacy 4", priority: 8900,
                    nodes: ["mic"]),
                Route(
                    port: "headset-mic", name: "analog-input-headset-mic", description: "Headset Microphone",
                    direction: .input, portType: "headset", availabilityGroup: "Legacy 2", priority: 8800,
                    availability: .no, nodes: ["mic"]),
            ],
            nodes: [
                alsaNode(
                    "analog", 8, "alsa_output.\(path).analog-stereo", "Built-in Audio Analog Stereo", .output, 1009,
                    ["alsa.id": "ALC Virtual Analog", "alsa.name": "ALC Virtual Analog", "api.alsa.path": "front:0"],
                    of: card, profile: "analog-stereo"),
                // This priority is above that of the analog node, so that sound moves to a
                // connected screen.
                alsaNode(
                    "hdmi", 9, "alsa_output.\(path).hdmi-stereo", "Built-in Audio Digital Stereo (HDMI)", .output,
                    1109, ["alsa.id": "HDMI 0", "alsa.name": "HDMI 0", "api.alsa.path": "hdmi:0"], of: card,
                    profile: "hdmi-stereo"),
                alsaNode(
                    "mic", 0, "alsa_input.\(path).analog-stereo", "Built-in Audio Analog Stereo", .input, 2009,
                    ["alsa.id": "ALC Virtual Analog", "alsa.name": "ALC Virtual Analog", "api.alsa.path": "front:0"],
                    of: card, profile: "analog-stereo"),
            ])
    }

    /// Describes a USB headset. Like most of them, it has no jack detection and is plugged as a
    /// whole.
    ///
    /// Ports: `headset`, `headset-mic`.
    ///
    /// - Parameter id: distinguishes several such cards.
    /// - Returns: the description.
    public static func usb(id: String = "0") -> VirtualCardDescription {
        let path = "usb-Virtual_USB_Headset_\(id)-00"
        let card = alsa(path: path, cardName: "Virtual USB Headset", driver: "snd_usb_audio")
        let duplex = "output:analog-stereo+input:mono-fallback"
        return VirtualCardDescription(
            name: "alsa_card.\(path)",
            properties: card.merging([
                "device.description": "Virtual USB Headset", "device.nick": "Virtual USB Headset",
                "device.bus": "usb", "device.form-factor": "headset",
                "device.icon-name": "audio-headset-analog-usb", "device.product.name": "Virtual USB Headset",
                "device.serial": "Virtual_USB_Headset_\(id)",
            ]) { $1 },
            profiles: [
                Profile(name: "off", description: "Off", nodes: [], availability: .yes),
                Profile(
                    name: duplex, description: "Analog Stereo Output + Mono Input", priority: 6501,
                    nodes: ["output", "input"]),
                Profile(
                    name: "output:analog-stereo", description: "Analog Stereo Output", priority: 6500,
                    nodes: ["output"]),
                Profile(name: "input:mono-fallback", description: "Mono Input", priority: 1, nodes: ["input"]),
            ],
            routes: [
                Route(
                    port: "headset-mic", name: "analog-input-headset-mic", description: "Headset Microphone",
                    direction: .input, portType: "headset", priority: 8800, nodes: ["input"]),
                Route(
                    port: "headset", name: "analog-output", description: "Analog Output", direction: .output,
                    portType: "analog", priority: 9900, nodes: ["output"]),
            ],
            nodes: [
                alsaNode(
                    "output", 1, "alsa_output.\(path).analog-stereo", "Virtual USB Headset Analog Stereo", .output,
                    1209, ["alsa.id": "USB Audio", "alsa.name": "USB Audio", "api.alsa.path": "front:1"], of: card,
                    profile: "analog-stereo"),
                alsaNode(
                    "input", 0, "alsa_input.\(path).mono-fallback", "Virtual USB Headset Mono", .input, 2109,
                    ["alsa.id": "USB Audio", "alsa.name": "USB Audio", "api.alsa.path": "hw:1"], of: card,
                    profile: "mono-fallback", channels: 1),
            ])
    }

    /// Describes a Bluetooth headset with two profiles.
    ///
    /// A2DP has high fidelity and no microphone. HFP has a microphone and the quality of a call. As
    /// with real headsets, both outputs have the same `node.name`; `api.bluez5.profile`
    /// distinguishes them.
    ///
    /// Ports: `headset`, `hands-free`, `headset-mic`.
    ///
    /// - Parameters:
    ///   - address: the Bluetooth address. The default is never the address of a real device.
    ///   - name: the product name.
    /// - Returns: the description.
    public static func bluetooth(
        address: String = "02:00:00:00:00:01", name: String = "Virtual Headset"
    ) -> VirtualCardDescription {
        let path = address.replacing(":", with: "_")
        func node(
            _ id: String, _ number: Int, _ direction: PortDirection, profile: String, codec: String, factory: String,
            channels: Int, _ more: [String: String] = [:]
        ) -> Node {
            let prefix = direction == .output ? "bluez_output" : "bluez_input"
            let properties = [
                "device.api": "bluez5", "api.bluez5.address": address, "api.bluez5.profile": profile,
                "api.bluez5.codec": codec, "api.bluez5.transport": "", "device.routes": "1",
                "api.bluez5.factory": factory,
            ]
            return Node(
                id: id, number: number, name: "\(prefix).\(path).\(number)", description: name,
                direction: direction, channels: channels, priority: direction == .output ? 1510 : 2210,
                properties: properties.merging(more) { $1 })
        }
        return VirtualCardDescription(
            name: "bluez_card.\(path)",
            properties: [
                "device.api": "bluez5", "device.bus": "bluetooth", "device.description": name, "device.alias": name,
                "device.form-factor": "headset", "device.icon-name": "audio-headset-bluetooth",
                "device.string": address, "api.bluez5.address": address, "api.bluez5.class": "0x240404",
                "api.bluez5.icon": "audio-headset", "api.bluez5.connection": "connected",
                "api.bluez5.path": "/org/bluez/hci0/dev_\(path)", "bluez5.profile": "off",
            ],
            profiles: [
                Profile(name: "off", description: "Off", nodes: [], availability: .yes),
                Profile(
                    name: "a2dp-sink", description: "High Fidelity Playback (A2DP Sink, codec SBC)", priority: 16,
                    nodes: ["a2dp-output"]),
                Profile(
                    name: "headset-head-unit", description: "Headset Head Unit (HSP/HFP, codec mSBC)", priority: 1,
                    nodes: ["hfp-output", "hfp-input"]),
            ],
            routes: [
                Route(
                    port: "headset-mic", name: "headset-input", description: "Headset", direction: .input,
                    portType: "headset", availability: .yes, nodes: ["hfp-input"]),
                Route(
                    port: "headset", name: "headset-output", description: "Headset", direction: .output,
                    portType: "headset", availability: .yes, nodes: ["a2dp-output"]),
                Route(
                    port: "hands-free", name: "headset-hf-output", description: "Handsfree", direction: .output,
                    portType: "headset", availability: .yes, nodes: ["hfp-output"]),
            ],
            nodes: [
                node(
                    "a2dp-output", 1, .output, profile: "a2dp-sink", codec: "sbc", factory: "api.bluez5.a2dp.sink",
                    channels: 2),
                node(
                    "hfp-output", 1, .output, profile: "headset-head-unit", codec: "msbc",
                    factory: "api.bluez5.sco.sink", channels: 1, ["device.intended-roles": "Communication"]),
                node(
                    "hfp-input", 0, .input, profile: "headset-head-unit", codec: "msbc",
                    factory: "api.bluez5.sco.source", channels: 1, ["device.intended-roles": "Communication"]),
            ])
    }

    /// The properties that WirePlumber copies from an ALSA card to its nodes.
    private static func alsa(path: String, cardName: String, driver: String) -> [String: String] {
        [
            "device.api": "alsa", "device.bus-path": path, "device.class": "sound", "alsa.card_name": cardName,
            "alsa.long_card_name": "\(cardName) at virtual", "alsa.driver_name": driver,
            "api.alsa.card.name": cardName, "api.alsa.use-acp": "true", "api.acp.auto-port": "false",
            "api.acp.auto-profile": "false",
        ]
    }

    private static func alsaNode(
        _ id: String, _ number: Int, _ name: String, _ description: String, _ direction: PortDirection,
        _ priority: Int, _ properties: [String: String], of card: [String: String], profile: String, channels: Int = 2
    ) -> Node {
        let copied = card.filter { $0.key.hasPrefix("alsa.") || $0.key.hasPrefix("api.alsa.card.") }
        let own = ["device.api": "alsa", "device.class": "sound", "device.profile.name": profile]
        return Node(
            id: id, number: number, name: name, description: description, direction: direction, channels: channels,
            priority: priority, properties: copied.merging(own) { $1 }.merging(properties) { $1 })
    }
}
