import AudioSessionCore

/// Configurations and computers for the suites of chosen routes.
protocol RouteChoiceFixtures {}

extension RouteChoiceFixtures {
    static var playback: AudioSessionConfiguration { AudioSessionConfiguration(.playback) }
    static var both: AudioSessionConfiguration {
        AudioSessionConfiguration(.playAndRecord, options: .allowBluetoothA2DP)
    }
    static var call: AudioSessionConfiguration { AudioSessionConfiguration(.playAndRecord, mode: .voiceChat) }

    /// The output of the laptop's card, which has a speaker and headphones.
    var analog: CardPort { CardPort(device: "alsa_card.pci", number: 0, direction: .output) }

    func graph(_ events: [GraphEvent]) -> AudioGraph { RouteScene(events).registry.graph }

    var listening: [GraphEvent] {
        Laptop.events + [
            .deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .yes)),
            .deviceActiveRoutes(ObjectID(Laptop.device), Laptop.listening),
        ]
    }
}
