import AudioSessionCore

/// A laptop's card: speaker and headphones at one sink, two microphones at one source.
enum Card {
    static let id = ObjectID(20)

    static var events: [GraphEvent] {
        let properties: Properties = [
            .mediaClass: "Audio/Device", .deviceName: "alsa_card.pci-0000_00_1f.3", .deviceAPI: "alsa",
            .deviceBus: "pci", .deviceFormFactor: "internal", .deviceDescription: "Built-in Audio",
            .alsaDriverName: "snd_hda_intel", .alsaCardName: "HDA Intel PCH",
        ]
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties),
            .deviceProfiles(id, [profile]), .deviceActiveProfile(id, profile),
            .deviceRoutes(id, pulledRoutes),
            .deviceActiveRoutes(id, [speaker(number: 1), microphone(number: 0)]), .barrier(.device(id)),
        ] + node(21, "output", "Audio/Sink", number: 1) + node(22, "input", "Audio/Source", number: 0)
    }

    static let pluggedRoutes = routes(headphones: .yes)
    static let pulledRoutes = routes(headphones: .no)

    private static func routes(headphones availability: Availability) -> [DeviceRoute] {
        [
            microphone(), route(1, .input, "headset-mic", "Headset Microphone", "headset", 8800, availability),
            // The jack of the headphones detects it.
            speaker(availability == .yes ? .no : .unknown),
            route(3, .output, "headphones", "Headphones", "headphones", 9900, availability),
        ]
    }

    private static let profile = DeviceProfile(
        index: 1, name: "output:analog-stereo+input:analog-stereo", availability: .yes)

    private static func speaker(_ availability: Availability = .unknown, number: Int? = nil) -> DeviceRoute {
        route(2, .output, "speaker", "Speaker", "speaker", 10000, availability, number: number)
    }

    private static func microphone(number: Int? = nil) -> DeviceRoute {
        route(0, .input, "internal-mic", "Internal Microphone", "mic", 8900, .unknown, number: number)
    }

    private static func route(
        _ index: Int, _ direction: PortDirection, _ name: String, _ description: String, _ type: String,
        _ priority: Int, _ availability: Availability, number: Int? = nil
    ) -> DeviceRoute {
        DeviceRoute(
            index: index, direction: direction, name: "analog-\(direction)-\(name)", description: description,
            priority: priority, availability: availability, portType: type, profiles: [1],
            devices: [direction == .output ? 1 : 0], device: number)
    }

    private static func node(_ id: UInt32, _ kind: String, _ mediaClass: String, number: Int) -> [GraphEvent] {
        let properties: Properties = [
            .nodeName: "alsa_\(kind).pci-0000_00_1f.3.analog-stereo",
            .nodeDescription: "Built-in Audio Analog Stereo",
            .mediaClass: mediaClass, .deviceID: "\(Self.id.rawValue)", .cardProfileDevice: "\(number)",
            .deviceProfileName: "analog-stereo", .audioPosition: "FL,FR", .deviceAPI: "alsa",
        ]
        let id = ObjectID(id)
        return [.nodeProperties(id, properties)]
    }
}
