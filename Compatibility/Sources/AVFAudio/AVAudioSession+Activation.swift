import AudioSessions
import Foundation

extension AVAudioSession {
    /// Asks for the turn, or gives it up, and returns when that is done.
    ///
    /// Deactivating stops the players and recorders that still run, and never fails with `isBusy`, as on iOS 26. Without
    /// PipeWire it succeeds.
    /// - Parameters:
    ///   - active: whether the turn is asked for.
    ///   - options: for deactivating: whether those whom the session interrupted are told that they may resume.
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

    /// As ``setActive(_:options:)``, without blocking.
    /// - Returns: `true`.
    @discardableResult
    public func activate(options: ActivationOptions = []) async throws -> Bool {
        do {
            try await backend().session.activate(.init(rawValue: options.rawValue))
            return true
        } catch {
            throw NSError(error)
        }
    }

    /// As ``setActive(_:options:)``, without blocking.
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

    // MARK: Others

    /// Whether another program plays.
    public var isOtherAudioPlaying: Bool { (try? backend())?.session.isOtherAudioPlaying ?? false }

    /// Whether another program plays that does not mix.
    public var secondaryAudioShouldBeSilencedHint: Bool {
        (try? backend())?.session.secondaryAudioShouldBeSilencedHint ?? false
    }

    // MARK: Permission

    /// Granted: nobody is asked on Linux. What a sandbox denies, PipeWire denies.
    public var recordPermission: RecordPermission { .granted }

    /// Calls `response` with `true`, on any thread.
    public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        AVAudioApplication.requestRecordPermission(completionHandler: response)
    }
}
