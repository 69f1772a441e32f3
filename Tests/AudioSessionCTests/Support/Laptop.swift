import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import Testing

@testable import AudioSessionC

/// A laptop with headphones in its jack, and a manager of C on it.
struct Laptop {
    let system: FakeAudioSystem
    let manager: OpaquePointer

    /// Makes the laptop, and opens the manager.
    /// - Parameter dispatcher: what calls handlers, instead of the thread of the library.
    init(calledBy dispatcher: Dispatcher? = nil) async throws {
        system = try FakeAudioSystem(PipeWireDump(json: Array(Self.dump.utf8)))
        #expect(HandlerQueue.thread.start())
        manager = Manager(
            try await system.connect(.init(applicationName: "Program")), calledBy: dispatcher
        ).handle()
    }

    func session() throws -> OpaquePointer {
        var (configuration, error, session) = (as_configuration.playback, as_error.new, nil as OpaquePointer?)
        #expect(as_session_create(manager, &configuration, &session, &error) == AS_OK, "\(error.text)")
        return try #require(session)
    }

    func close() { #expect(as_manager_close(manager) == AS_OK) }

    /// Opens a session of another program.
    func another(
        _ name: String, _ configuration: AudioSession.Configuration = .init(.playback)
    ) async throws -> AudioSession {
        try AudioSession(
            manager: await system.connect(.init(applicationName: name)), configuration: configuration)
    }

    func pullHeadphones() { system.setAvailable(false, route: "analog-output-headphones") }

    private static let dump = """
        [
          { "id": 40, "type": "PipeWire:Interface:Device", "info": {
            "props": { "device.name": "card", "device.api": "alsa", "device.bus": "pci",
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
            "node.name": "sink", "media.class": "Audio/Sink", "device.id": 40,
            "card.profile.device": 0, "device.api": "alsa", "priority.session": 1000, "audio.position": "FL,FR" } } },
          { "id": 33, "type": "PipeWire:Interface:Metadata", "props": { "metadata.name": "default" }, "metadata": [
            { "subject": 0, "key": "default.audio.sink", "value": { "name": "sink" } } ] }
        ]
        """
}

extension as_error {
    static var new: Self {
        var error = Self()
        error.size = UInt32(MemoryLayout<Self>.size)
        return error
    }

    var text: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension as_configuration {
    static var playback: Self {
        var configuration = Self()
        configuration.size = UInt32(MemoryLayout<Self>.size)
        configuration.category = AS_CATEGORY_PLAYBACK
        return configuration
    }
}

/// The notifications on any thread, in order, and a way to wait for more.
final class ReceivedLines: Sendable {
    private let received = EventLog<String>()
    private let statuses = EventLog<as_status>()

    var lines: [String] { received.events }

    func append(_ line: String) { received.append(line) }

    func append(_ status: as_status) { statuses.append(status) }

    func wait(for line: String) async throws { try await received.wait(for: line) { $0.contains(line) } }

    func wait(for count: Int) async throws -> [as_status] {
        try await statuses.wait(for: "\(count) statuses") { $0.count >= count }
        return statuses.events
    }
}

/// Blocks callers until it is opened.
final class Gate: Sendable {
    private let semaphore = Semaphore()

    func open() { semaphore.signal() }

    func wait() {
        semaphore.wait()
        semaphore.signal()
    }
}

final class Pair: Sendable {
    let received: ReceivedLines
    let gate: Gate

    init(received: ReceivedLines, gate: Gate) {
        self.received = received
        self.gate = gate
    }
}
