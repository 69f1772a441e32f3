import AudioSessionCore

/// A laptop's card: speaker and headphones on one sink, a screen on another, two microphones.
enum Laptop {
    static let manager: UInt32 = 30
    static let device: UInt32 = 40
    static let analog: UInt32 = 41
    static let screen: UInt32 = 42
    static let microphone: UInt32 = 43

    static func routes(
        headphones: Availability = .no, hdmi: Availability = .no, speaker: Availability = .unknown,
        headset: Availability = .no
    ) -> [DeviceRoute] {
        [
            route(0, .output, "analog-output-speaker", "speaker", 10_000, speaker, device: 0),
            route(1, .output, "analog-output-headphones", "headphones", 9_900, headphones, device: 0),
            route(2, .output, "hdmi-output-0", "hdmi", 5_900, hdmi, device: 1),
            route(3, .input, "analog-input-internal-mic", "mic", 8_900, .unknown, device: 2),
            route(4, .input, "analog-input-headset-mic", "headset", 8_800, headset, device: 2),
        ]
    }

    static func active(_ names: String..., in routes: [DeviceRoute] = routes()) -> [DeviceRoute] {
        names.compactMap { name in
            guard var route = routes.first(where: { $0.name == name }) else { return nil }
            route.device = route.devices.first
            return route
        }
    }

    static let speaking = active("analog-output-speaker", "hdmi-output-0", "analog-input-internal-mic")
    static let listening = active("analog-output-headphones", "hdmi-output-0", "analog-input-internal-mic")

    static var events: [GraphEvent] {
        [
            .clientAppeared(Client(id: ObjectID(manager), applicationName: "WirePlumber")),
            .metadataAppeared(ObjectID(31), [.metadataName: "default", .clientID: "30"]),
        ] + card() + [
            .defaultChanged(.output, "alsa_output.pci.analog"), .defaultChanged(.input, "alsa_input.pci.mic"),
        ]
    }

    /// The events of the card, with these numbers of its first sink and of the device.
    static func card(analog: UInt32 = analog, device: UInt32 = device) -> [GraphEvent] {
        let id = ObjectID(device)
        let properties: Properties = [
            .deviceName: "alsa_card.pci", .deviceAPI: "alsa", .mediaClass: "Audio/Device", .deviceBus: "pci",
            .deviceDescription: "Built-in Audio",
        ]
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, routes()),
            .deviceActiveRoutes(id, speaking), .deviceActiveProfile(id, DeviceProfile(index: 1, name: "HiFi")),
        ] + node(analog, "alsa_output.pci.analog", "Audio/Sink", device: device, number: 0)
            + node(screen, "alsa_output.pci.hdmi", "Audio/Sink", device: device, number: 1)
            + node(microphone, "alsa_input.pci.mic", "Audio/Source", device: device, number: 2)
    }

    static func node(
        _ id: UInt32, _ name: String, _ mediaClass: String, device: UInt32?, number: Int = 0
    ) -> [GraphEvent] {
        var properties: Properties = [
            .nodeName: name, .mediaClass: mediaClass, .cardProfileDevice: String(number), .deviceAPI: "alsa",
            .nodeDescription: name,
        ]
        if let device {
            properties[.deviceID] = String(device)
        } else {
            properties[.deviceAPI] = nil
            properties[.cardProfileDevice] = nil
        }
        return [
            .nodeProperties(ObjectID(id), properties)
        ]
    }

    private static func route(
        _ index: Int, _ direction: PortDirection, _ name: String, _ type: String, _ priority: Int,
        _ availability: Availability, device: Int
    ) -> DeviceRoute {
        DeviceRoute(
            index: index, direction: direction, name: name, description: name, priority: priority,
            availability: availability, portType: type, availabilityGroup: name, profiles: [1], devices: [device])
    }
}

/// A USB headset without a microphone.
enum Headset {
    static let device: UInt32 = 60
    static let sink: UInt32 = 61
    static let sinkName = "alsa_output.usb-Acme-00.analog"

    static var events: [GraphEvent] { card() }

    /// The events of the headset, with these numbers of its first device and sink.
    static func card(device: UInt32 = device, sink: UInt32 = sink) -> [GraphEvent] {
        let id = ObjectID(device)
        let properties: Properties = [
            .deviceName: "alsa_card.usb-Acme-00", .deviceAPI: "alsa", .mediaClass: "Audio/Device",
            .deviceBus: "usb", .deviceDescription: "Acme Headset",
        ]
        let route = DeviceRoute(
            index: 0, direction: .output, name: "analog-output", description: "Analog Output", priority: 9_900,
            portType: "analog", profiles: [1], devices: [0], device: 0)
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, [route]),
            .deviceActiveRoutes(id, [route]), .deviceActiveProfile(id, DeviceProfile(index: 1, name: "stereo")),
        ] + Laptop.node(sink, sinkName, "Audio/Sink", device: device)
    }
}

/// A microphone on USB.
enum DeskMicrophone {
    static let device: UInt32 = 63
    static let source: UInt32 = 64
    static let sourceName = "alsa_input.usb-Desk-00.mono"

    static var events: [GraphEvent] { card() }

    static func card(device: UInt32 = device, source: UInt32 = source) -> [GraphEvent] {
        let id = ObjectID(device)
        let properties: Properties = [
            .deviceName: "alsa_card.usb-Desk-00", .deviceAPI: "alsa", .mediaClass: "Audio/Device",
            .deviceBus: "usb", .deviceDescription: "Desk Microphone",
        ]
        let route = DeviceRoute(
            index: 0, direction: .input, name: "analog-input", description: "Analog Input", priority: 9_900,
            portType: "analog", profiles: [1], devices: [0], device: 0)
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, [route]),
            .deviceActiveRoutes(id, [route]), .deviceActiveProfile(id, DeviceProfile(index: 1, name: "mono")),
        ] + Laptop.node(source, sourceName, "Audio/Source", device: device)
    }
}

/// A Bluetooth headset in one of its profiles, the default of the computer.
enum Bluetooth {
    static let device: UInt32 = 70
    static let source: UInt32 = 72
    static let name = "bluez_card.02_00"

    enum Mode { case a2dp, handsFree }

    /// The events of a headset in this mode; `nil` while the profile is being switched.
    static func events(_ mode: Mode?, isCar: Bool = false) -> [GraphEvent] {
        let id = ObjectID(device)
        var properties: Properties = [
            .deviceName: name, .deviceAPI: "bluez5", .mediaClass: "Audio/Device", .deviceBus: "bluetooth",
            .bluezAddress: "02:00",
        ]
        if isCar { properties[.deviceFormFactor] = "car" }
        let profiles = ["off", "a2dp-sink", "headset-head-unit"].enumerated().map {
            DeviceProfile(index: $0, name: $1, availability: .yes)
        }
        let card: [GraphEvent] = [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, []),
            .deviceActiveRoutes(id, []), .deviceProfiles(id, profiles),
            .deviceActiveProfile(id, profiles[mode == .a2dp ? 1 : 2]),
        ]
        guard let mode else { return card }
        let profile = mode == .a2dp ? "a2dp-sink" : "headset-head-unit"
        return card + node(71, "bluez_output.02_00.1", .sink, profile)
            + (mode == .handsFree ? node(source, "bluez_input.02_00.0", .source, profile) : [])
            + [.defaultChanged(.output, "bluez_output.02_00.1")]
    }

    private static func node(_ id: UInt32, _ name: String, _ kind: MediaClass, _ profile: String) -> [GraphEvent] {
        let properties: Properties = [
            .nodeName: name, .mediaClass: kind.rawValue, .deviceID: String(device), .bluezProfile: profile,
            .bluezAddress: "02:00", .deviceAPI: "bluez5",
        ]
        return [
            .nodeProperties(ObjectID(id), properties)
        ]
    }
}
