public import AudioSessions
import Glibc

/// Lets a program that knows nothing of sessions, and that this process starts, follow a session of this process.
///
///     let session = try AudioSession(manager: manager, configuration: .init(.playback))
///     let hosted = try HostedProgram(session: session)
///     try await session.activate()
///     // Start the program.
///
/// While the session is interrupted, the program's media players (MPRIS) are paused, and the streams of its other processes
/// are muted; so are those of players that still sound after 100 ms. When the interruption ends the streams are heard
/// again, and paused players play again if the session may resume. While the session is ducked its streams are lowered to
/// `AudioSession.gain`. Nothing of that is remembered by mixers or session managers, and all of it is undone
/// by a watchdog if this process is killed.
///
/// As long as it exists, ``ForeignAudio`` of other programs leaves these streams alone: they follow this session. Streams of
/// processes that have sessions themselves are left alone here, too. Keep it for as long as the program runs. Apple has no
/// counterpart.
public final class HostedProgram: Sendable {
    private let engine: ForeignAudio

    /// Hosts all descendants of this process, including those that start later.
    ///
    /// - Parameter session: the session that they follow.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    public init(session: AudioSession) throws(AudioSessionError) {
        engine = try ForeignAudio(
            session, .silence, .hosted(process: Int(getpid())), in: ForeignAudio.World(session.manager))
    }

    /// Puts back what the session's state has changed of the program, and ends.
    public func close() async { await engine.close() }
}
