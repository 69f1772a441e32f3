import Testing

@testable import AudioSessionCore

/// Streams of one player, and a state machine that ducks them, on a simulated PipeWire.
protocol UnmanagedStreamsFixtures {}

extension UnmanagedStreamsFixtures {
    var mark: DuckingMark { DuckingMark(name: "own") }
    var stream: ObjectID { ObjectID(40) }
    var mpv: Properties {
        [.mediaClass: "Stream/Output/Audio", .clientID: "20", .objectSerial: "400", .applicationName: "mpv"]
    }

    /// A state machine that is in effect, after these events.
    func standing(_ events: [GraphEvent]) -> (machine: UnmanagedStreams, actions: [UnmanagedStreams.Action]) {
        var machine = UnmanagedStreams()
        #expect(machine.receive(.turnBegan(mark)) == [.open, .graph(.barrier(.question(1)))])
        for event in events { _ = machine.receive(.graph(event)) }
        #expect(machine.receive(.graph(.barrier(.question(1)))) == [.graph(.barrier(.question(2)))])
        let actions = machine.receive(.graph(.barrier(.question(2))))
        return (machine, actions)
    }

    func appearance(
        _ id: ObjectID, _ properties: Properties, volumes: [Float] = [1, 0.5], isMuted: Bool = false
    ) -> [GraphEvent] {
        [
            .clientAppeared(Client(id: ObjectID(20), applicationName: "mpv", processID: 200)),
            .nodeAppeared(Node(id: id, properties: properties)), .nodeProperties(id, properties),
            .nodeMuted(id, isMuted), .nodeVolumes(id, volumes),
        ]
    }

    var player: UnmanagedStream { UnmanagedStream(name: "mpv", processID: 200, id: stream) }

    func device(_ id: UInt32, _ mark: DuckingMark, client: UInt32 = 90) -> GraphEvent {
        var properties = mark.announcement.properties()
        properties[.clientID] = String(client)
        return .deviceAppeared(ObjectID(id), properties)
    }

    /// The events of a sink by which a session manager ducks streams by their roles.
    func roles(_ key: PropertyKey = .roleTarget) -> [GraphEvent] {
        [
            .nodeAppeared(Node(id: ObjectID(70), properties: [.mediaClass: "Audio/Sink"])),
            .nodeProperties(ObjectID(70), [.mediaClass: "Audio/Sink", key: "true"]),
        ]
    }

    /// The events of a program's streams. Through pipewire-pulse, each stream claims a process.
    func crowd(_ ids: Range<UInt32>, client: UInt32, process: Int, isOfPulse: Bool = false) -> [GraphEvent] {
        var properties = mpv
        properties[.clientID] = String(client)
        if isOfPulse { properties[.clientAPI] = "pipewire-pulse" }
        var events: [GraphEvent] = [.clientAppeared(Client(id: ObjectID(client), processID: process))]
        for id in ids {
            if isOfPulse { properties[.applicationProcessID] = String(id) }
            events += appearance(ObjectID(id), properties)
        }
        return events
    }
}
