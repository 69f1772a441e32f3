public import AudioSessions
import Glibc

/// Lets a program without a session, which this process starts, follow a session of this process.
///
///     let session = try AudioSession(manager: manager, configuration: .init(.playback))
///     let hosted = try HostedProgram(session: session)
///     try await session.activate()
///     // Start the program.
///
/// While the session is interrupted:
///
/// - The program's media players (MPRIS) are paused. Streams of players that still run after 100 ms
///   are muted.
/// - The streams of the program's other processes are muted.
///
/// When the interruption ends, the streams are unmuted. Paused players are resumed if the session
/// may resume. While the session is ducked, the program's streams are ducked to
/// `AudioSession.gain`. No mixer or session manager stores any of these changes. If this process is
/// killed, a watchdog undoes them.
///
/// The session's route is that of the program's audible streams or, while none is audible, of those
/// that were audible last. If their output is lost while the program plays, all streams of the
/// program are muted and its players are paused, even if the session mixes. A call and a session
/// without `AudioSession.Configuration.pausesOnRouteLoss` continue. The mutes end when that output
/// is in use again, when the session is activated again after a deactivation, or when the user
/// intervenes: by the volume or mute of a stream of the program or of the output, by playing a
/// player of the program, or by starting a stream again. An intervention does not count within a
/// second after a route change, or before the loss is certain, which takes up to five seconds. The
/// players stay paused even then. The end of this process undoes neither mutes nor pauses.
///
/// As long as this object exists, ``UnmanagedAudio`` of other programs leaves these streams
/// unchanged, because they follow this session. Streams of processes that have sessions of their
/// own are left unchanged here. Keep the object for as long as the program runs. Apple has no
/// counterpart.
public final class HostedProgram: Sendable {
    private let engine: UnmanagedAudio

    /// Hosts all descendants of this process, including those that start later.
    ///
    /// Call it before the session is activated, because only later changes of its state count.
    ///
    /// - Parameter session: The session that the processes follow.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    public init(session: AudioSession) throws(AudioSessionError) {
        engine = try UnmanagedAudio(
            session, .hosted(process: Int(getpid())), in: UnmanagedAudio.Environment(session.manager))
    }

    /// Silences the program because the session was refused, until the session is active or the
    /// user plays the program. After the user has played it, further calls have no effect.
    package func activationRefused() async { await engine.receiveHosted(.refused) }

    /// Restores the program's players and streams, unless a lost output silenced them, and ends.
    ///
    /// When it returns, the session's route and silence reasons are without the program's streams.
    public func close() async {
        await engine.close()
        await engine.departure?.value
    }
}
