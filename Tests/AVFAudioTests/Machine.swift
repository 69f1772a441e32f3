import AVFAudio
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Testing

/// A laptop with headphones in its jack, on which the shared session is.
struct Machine {
    let system: FakeAudioSystem

    /// Shares a session on a new machine for as long as `body` runs.
    static func with(_ body: (Machine) async throws -> Void) async throws {
        let machine = Machine(system: try FakeAudioSystem(PipeWireDump(json: Array(dump.utf8))))
        AVAudioSession.share(
            AVAudioSession { [system = machine.system] _ throws(AudioSessionError) in
                try await system.connect(.init(applicationName: "Program"))
            })
        defer { AVAudioSession.share(nil) }
        try await body(machine)
    }

    /// Another program's session.
    func another(
        _ name: String, _ configuration: AudioSession.Configuration = .init(.playback)
    ) async throws -> AudioSession {
        try AudioSession(
            manager: await system.connect(.init(applicationName: name)), configuration: configuration)
    }

    func pullHeadphones() { system.setAvailable(false, route: Self.headphones) }

    private static let headphones = "analog-output-headphones"
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
                  "priority": 11000, "available": "yes", "info": [1, "port.type", "headphones"],
                  "profiles": [1], "devices": [0] } ],
              "Route": [
                { "index": 1, "name": "analog-output-headphones", "description": "Headphones", "direction": "Output",
                  "priority": 11000, "available": "yes", "info": [1, "port.type", "headphones"],
                  "profiles": [1], "devices": [0], "device": 0 } ],
              "Profile": [ { "index": 1, "name": "HiFi" } ] } } },
          { "id": 41, "type": "PipeWire:Interface:Node", "info": { "props": {
            "node.name": "alsa_output.pci-0000_00_1f.3.analog", "media.class": "Audio/Sink", "device.id": 40,
            "card.profile.device": 0, "device.api": "alsa", "priority.session": 1000, "audio.position": "FL,FR" } } },
          { "id": 42, "type": "PipeWire:Interface:Node", "info": { "props": {
            "node.name": "mic", "node.description": "Microphone", "media.class": "Audio/Source" } } },
          { "id": 33, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" }, "metadata": [
            { "subject": 0, "key": "default.audio.sink", "value": { "name": "alsa_output.pci-0000_00_1f.3.analog" } },
            { "subject": 0, "key": "default.audio.source", "value": { "name": "mic" } }
          ] }
        ]
        """
}

/// What was told on any thread, in order, and a way to wait for more.
final class Told<Value: Sendable>: Sendable {
    private let list = Locked<[Value]>([])

    var values: [Value] { list.withLock(\.self) }

    func append(_ value: Value) { list.withLock { $0.append(value) } }

    func wait(
        for what: Comment, within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation,
        until isMet: ([Value]) -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while !isMet(values) {
            try #require(
                ContinuousClock.now < end, "\(what) was not told, but \(values)", sourceLocation: sourceLocation)
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
