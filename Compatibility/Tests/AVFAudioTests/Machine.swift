import AVFAudio
import AudioSessions

@testable import AudioSessionTestKit

/// A laptop with headphones in its jack, on which the shared session is.
struct Machine {
    let system: FakeAudioSystem

    /// Shares a session on a new machine for as long as `body` runs.
    static func with(_ body: (Machine) async throws -> Void) async throws {
        let machine = Machine(system: try FakeLaptop.system(with: [.headphones, .microphone]))
        AVAudioSession.share(
            AVAudioSession { [system = machine.system] _ in
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

    func pullHeadphones() { system.setAvailable(false, route: FakeLaptop.headphones) }
}
