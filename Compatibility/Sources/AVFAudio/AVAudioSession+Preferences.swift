@_spi(Compatibility) import AudioSessions
public import Foundation

/// How the program wants its sound carried. 0 asks for nothing.
extension AVAudioSession {
    /// Asks that PipeWire's graph run at this rate, in whole frames per second.
    /// - Throws: `badParam` if it is no rate.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard let rate = Int(exactly: sampleRate.rounded()) else { throw Self.isNoNumber("sample rate") }
        let wish = rate == 0 ? nil : rate
        do { try AudioSession.checkPreferred(sampleRate: wish) } catch { throw NSError(error) }
        try prefer(\.sampleRate, wish) { try await $0.setPreferredSampleRate(wish) }
    }
    public var preferredSampleRate: Double { Double(preferences.sampleRate ?? 0) }

    /// Asks for cycles of PipeWire's graph that are no longer than this, in seconds.
    /// - Throws: `badParam` if it is negative or longer than a second.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        // More than `Duration` takes, and no number, would end the program.
        guard (-1e9...1e9).contains(duration) else { throw Self.isNoNumber("I/O buffer duration") }
        let wish = duration == 0 ? nil : Duration.seconds(duration)
        do { try AudioSession.checkPreferred(ioBufferDuration: wish) } catch { throw NSError(error) }
        try prefer(\.ioBufferDuration, wish) { try await $0.setPreferredIOBufferDuration(wish) }
    }
    public var preferredIOBufferDuration: TimeInterval {
        preferences.ioBufferDuration.map { $0 / .seconds(1) } ?? 0
    }

    /// Asks for so many channels of the input in use.
    /// - Throws: `badParam` if it has fewer, `incompatibleCategory`.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try perform { try await $0.session.setPreferredInputNumberOfChannels(count == 0 ? nil : count) }
    }
    public var preferredInputNumberOfChannels: Int { preferences.inputChannels ?? 0 }

    /// The same for the output.
    /// - Throws: `badParam` if it has fewer, `incompatibleCategory`.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try perform { try await $0.session.setPreferredOutputNumberOfChannels(count == 0 ? nil : count) }
    }
    public var preferredOutputNumberOfChannels: Int { preferences.outputChannels ?? 0 }

    /// What a session prefers, or one that is created later will prefer.
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

    /// Until there is a session it is kept for it.
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
