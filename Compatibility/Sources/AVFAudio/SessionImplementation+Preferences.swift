@_spi(Compatibility) import AudioSessions
import Foundation

/// The program's preferences for sample rate, buffer duration and channels. 0 states no preference.
extension SessionImplementation {
    func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard let rate = Int(exactly: sampleRate.rounded()) else { throw Self.isNoNumber("sample rate") }
        let preferred = rate == 0 ? nil : rate
        do { try AudioSession.checkPreferred(sampleRate: preferred) } catch { throw NSError(error) }
        try prefer(\.sampleRate, preferred) { try await $0.setPreferredSampleRate(preferred) }
    }
    var preferredSampleRate: Double { Double(preferences.sampleRate ?? 0) }

    func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        // A value outside of the range of `Duration`, or NaN, would trap.
        guard (-1e9...1e9).contains(duration) else { throw Self.isNoNumber("I/O buffer duration") }
        let preferred = duration == 0 ? nil : Duration.seconds(duration)
        do { try AudioSession.checkPreferred(ioBufferDuration: preferred) } catch { throw NSError(error) }
        try prefer(\.ioBufferDuration, preferred) { try await $0.setPreferredIOBufferDuration(preferred) }
    }
    var preferredIOBufferDuration: TimeInterval {
        preferences.ioBufferDuration.map { $0 / .seconds(1) } ?? 0
    }

    func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try perform { try await $0.session.setPreferredInputNumberOfChannels(count == 0 ? nil : count) }
    }
    var preferredInputNumberOfChannels: Int { preferences.inputChannels ?? 0 }

    func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try perform { try await $0.session.setPreferredOutputNumberOfChannels(count == 0 ? nil : count) }
    }
    var preferredOutputNumberOfChannels: Int { preferences.outputChannels ?? 0 }

    /// The preferences of the session, or of a session that is created later.
    struct Preferences: Sendable {
        var sampleRate: Int?
        var ioBufferDuration: Duration?
        var inputChannels: Int?
        var outputChannels: Int?
    }

    private var preferences: Preferences {
        guard let session = (try? backend())?.session else { return state.withLock(\.preferences) }
        return Preferences(
            sampleRate: session.preferredSampleRate, ioBufferDuration: session.preferredIOBufferDuration,
            inputChannels: session.preferredInputNumberOfChannels,
            outputChannels: session.preferredOutputNumberOfChannels)
    }

    /// Sets a preference of the session, or stores it until there is a session.
    private func prefer<Value>(
        _ path: WritableKeyPath<Preferences, Value>, _ value: Value,
        _ ask: @escaping @Sendable (AudioSession) async throws -> Void
    ) throws {
        let isKept = state.withLock { state in
            if case .made = state.connection { return false }
            state.preferences[keyPath: path] = value
            return true
        }
        if !isKept { try perform { try await ask($0.session) } }
    }

    private static func isNoNumber(_ what: String) -> NSError {
        NSError(.badParam, "That is no \(what). Use 0 to prefer none.")
    }
}
