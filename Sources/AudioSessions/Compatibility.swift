public import AudioSessionCore
import PipeWireGraph

// What the package in Compatibility needs beyond the public API, because `package` access ends at
// this package.

/// Calls that block until asynchronous work has ended, as those of AVAudioSession do.
@_spi(Compatibility)
@frozen
public enum BlockingCalls {
    /// Whether the caller runs on the thread of the work, where a blocking call would wait for
    /// itself.
    public static var isOnOwnThread: Bool { BridgeThread.isCurrent }

    /// Begins work that no caller waits for. Work begins in the order of these calls.
    public static func begin(_ work: @escaping @Sendable () async -> Void) { BridgeThread.begin(work) }

    /// Does the work on a thread of the library's own, and returns when it has ended.
    ///
    /// It needs neither the main thread nor Swift's thread pool.
    /// - Throws: `unspecified` on that thread; `forked` in a child of a process that used the
    ///   library; what the work throws.
    public static func wait<Value: Sendable>(
        for work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try BridgeThread.wait(for: work)
    }
}

extension AudioSessionManager {
    /// Whether the caller runs on the thread of PipeWire's loop, where a blocking call would wait
    /// for itself.
    @_spi(Compatibility) public nonisolated var isOnOwnThread: Bool {
        environment.executor.isIsolatingCurrentContext() == true
    }
}

extension AudioSession {
    /// A session that prefers this rate and this I/O buffer from its beginning.
    /// - Throws: `badParam` if the configuration is illegal, or one of the two cannot be preferred.
    @_semantics("optimize.no.crossmodule")
    @_spi(Compatibility) public init(
        manager: AudioSessionManager, configuration: Configuration, preferredSampleRate: Int?,
        preferredIOBufferDuration: Duration?
    ) throws(AudioSessionError) {
        try Self.checkPreferred(sampleRate: preferredSampleRate, ioBufferDuration: preferredIOBufferDuration)
        var preferences = SoundPreferences()
        preferences.sampleRate = preferredSampleRate
        preferences.ioBufferDuration = preferredIOBufferDuration
        try self.init(manager: manager, configuration: configuration, preferring: preferences)
    }

    /// Returns when the session knows the present state, which it reads soon after it was made.
    @_spi(Compatibility) public func readState() { open() }

    /// Whether a session could prefer these, for a program that has no session yet.
    /// - Throws: `badParam` with the rule that they break.
    @_spi(Compatibility) public static func checkPreferred(
        sampleRate: Int? = nil, ioBufferDuration: Duration? = nil
    ) throws(AudioSessionError) {
        try SoundPreferences.check(sampleRate: sampleRate)
        try SoundPreferences.check(ioBufferDuration: ioBufferDuration)
    }
}
