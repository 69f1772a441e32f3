import AudioSessions
import Foundation

extension SessionImplementation {
    func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions) throws {
        if active {
            try perform { try await $0.session.activate() }
        } else {
            guard (try? backend() as Backend) != nil else { return }
            let options = AudioSessions.DeactivationOptions(rawValue: options.rawValue)
            try perform { _ = try await $0.session.deactivate(options) }
        }
    }

    func activate(options: AVAudioSession.ActivationOptions) async throws -> Bool {
        do {
            guard options.isEmpty else { throw NSError(status: -50, "Activating has no options. Pass none.") }
            try await backend().session.activate()
            return true
        } catch {
            throw NSError(error)
        }
    }

    func deactivate(options: AVAudioSession.DeactivationOptions) async throws -> Bool {
        guard let backend = try? await backend() else { return true }
        do {
            try await backend.session.deactivate(.init(rawValue: options.rawValue))
            return true
        } catch {
            throw NSError(error)
        }
    }

    // MARK: Other audio

    var isOtherAudioPlaying: Bool { (try? backend())?.session.isOtherAudioPlaying ?? false }

    var secondaryAudioShouldBeSilencedHint: Bool {
        (try? backend())?.session.secondaryAudioShouldBeSilencedHint ?? false
    }
}
