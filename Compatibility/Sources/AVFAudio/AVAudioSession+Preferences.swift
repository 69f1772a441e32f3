@_spi(Compatibility) import AudioSessions
public import Foundation

/// The program's preferences for sample rate, buffer duration and channels. 0 states no preference.
extension AVAudioSession {
    /// Prefers a rate of PipeWire's graph.
    ///
    /// - Parameter sampleRate: whole frames per second.
    /// - Throws: `badParam` if the value is not a valid rate.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard let rate = Int(exactly: sampleRate.rounded()) else { throw Self.isNoNumber("sample rate") }
        let wish = rate == 0 ? nil : rate
        do { try AudioSession.checkPreferred(sampleRate: wish) } catch { throw NSError(error) }
        try prefer(\.sampleRate, wish) { try await $0.setPreferredSampleRate(wish) }
    }
    public var preferredSampleRate: Double { Double(preferences.sampleRate ?? 0) }

    /// Prefers a maximum duration of the cycles of PipeWire's graph.
    ///
    /// - Parameter duration: the duration in seconds.
    /// - Throws: `badParam` if the duration is negative or longer than a second.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        // A value outside of the range of `Duration`, or NaN, would trap.
        guard (-1e9...1e9).contains(duration) else { throw Self.isNoNumber("I/O buffer duration") }
        let wish = duration == 0 ? nil : Duration.seconds(duration)
        do { try AudioSession.checkPreferred(ioBufferDuration: wish) } catch { throw NSError(error) }
        try prefer(\.ioBufferDuration, wish) { try await $0.setPreferredIOBufferDuration(wish) }
    }
    public var preferredIOBufferDuration: TimeInterval {
        preferences.ioBufferDuration.map { $0 / .seconds(1) } ?? 0
    }

    /// Prefers a number of channels of the input in use.
    ///
    /// - Parameter count: the number of channels.
    /// - Throws: `badParam` if the input has fewer channels, `incompatibleCategory`.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try perform { try await $0.session.setPreferredInputNumberOfChannels(count == 0 ? nil : count) }
    }
    public var preferredInputNumberOfChannels: Int { preferences.inputChannels ?? 0 }

    /// Prefers a number of channels of the output in use.
    ///
    /// - Parameter count: the number of channels.
    /// - Throws: `badParam` if the output has fewer channels, `incompatibleCategory`.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try perform { try await $0.session.setPreferredOutputNumberOfChannels(count == 0 ? nil : count) }
    }
    public var preferredOutputNumberOfChannels: Int { preferences.outputChannels ?? 0 }

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
