import AudioSessions
import Foundation

extension AVAudioSession {
    /// Activates or deactivates the session, and returns after this is done.
    ///
    /// Deactivation stops the players and recorders that still run. As on iOS 26, it never fails
    /// with `isBusy`. Without PipeWire it succeeds.
    ///
    /// - Parameters:
    ///   - active: whether the session is activated.
    ///   - options: whether deactivation notifies interrupted sessions that they may resume.
    /// - Throws: `insufficientPriority`, `cannotInterruptOthers`, `mediaServicesFailed`.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        if active {
            try perform { try await $0.session.activate() }
        } else {
            guard (try? backend() as Backend) != nil else { return }
            let options = AudioSessions.DeactivationOptions(rawValue: options.rawValue)
            try perform { _ = try await $0.session.deactivate(options) }
        }
    }

    /// Activates the session like ``setActive(_:options:)``, without blocking.
    ///
    /// - Returns: `true`.
    @discardableResult
    public func activate(options: ActivationOptions = []) async throws -> Bool {
        do {
            guard options.isEmpty else { throw NSError(status: -50, "There are no options for activating.") }
            try await backend().session.activate()
            return true
        } catch {
            throw NSError(error)
        }
    }

    /// Deactivates the session like ``setActive(_:options:)``, without blocking.
    ///
    /// - Returns: `true`.
    @discardableResult
    public func deactivate(options: DeactivationOptions = []) async throws -> Bool {
        guard let backend = try? await backend() else { return true }
        do {
            try await backend.session.deactivate(.init(rawValue: options.rawValue))
            return true
        } catch {
            throw NSError(error)
        }
    }

    // MARK: Other audio

    /// Whether another program plays audio.
    public var isOtherAudioPlaying: Bool { (try? backend())?.session.isOtherAudioPlaying ?? false }

    /// Whether another program plays audio that does not mix.
    public var secondaryAudioShouldBeSilencedHint: Bool {
        (try? backend())?.session.secondaryAudioShouldBeSilencedHint ?? false
    }

    // MARK: Permission

    /// Always `granted`, because Linux has no permission dialog. PipeWire enforces the rules of a
    /// sandbox.
    public var recordPermission: RecordPermission { .granted }

    /// Calls `response` with `true`, on any thread.
    ///
    /// - Parameter response: the completion handler.
    public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        AVAudioApplication.requestRecordPermission(completionHandler: response)
    }
}
