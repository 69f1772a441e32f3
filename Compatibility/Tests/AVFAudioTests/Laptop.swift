import AVFAudio
import AudioSessions

@testable import AudioSessionTestKit

/// A simulated laptop with headphones in its jack, for the shared session.
struct Laptop {
    let system: FakeAudioSystem

    /// Shares a session on a new laptop while `body` runs.
    static func with(_ body: (Laptop) async throws -> Void) async throws {
        try await with(FakeLaptop.system(with: [.headphones, .microphone]), body)
    }

    /// Shares a session on another computer while `body` runs.
    static func with(_ system: FakeAudioSystem, _ body: (Laptop) async throws -> Void) async throws {
        let laptop = Laptop(system: system)
        AVAudioSession.share(
            AVAudioSession { [system = laptop.system] _ in
                try await system.connect(.init(applicationName: "Program"))
            })
        defer { AVAudioSession.share(nil) }
        try await body(laptop)
    }

    /// Creates a session of another program.
    func another(
        _ name: String, _ configuration: AudioSession.Configuration = .init(.playback)
    ) async throws -> AudioSession {
        try AudioSession(
            manager: await system.connect(.init(applicationName: name)), configuration: configuration)
    }

    func pullHeadphones() { system.setAvailable(false, route: FakeLaptop.headphones) }
}
