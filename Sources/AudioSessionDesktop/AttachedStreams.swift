public import AudioSessions
import Glibc
import PipeWireGraph

/// Lets sound that other libraries of this program render follow a session.
///
///     let session = try AudioSession(manager: manager, configuration: .init(.playback))
///     let attached = try AttachedStreams(session: session)
///     try await session.activate()
///     // Play with SDL, GStreamer, Qt, libpulse, or a stream of PipeWire's own API.
///
/// All playback streams of this process are attached, including those that begin later. Streams of
/// `AudioPlayer` and `AudioOutput` are not, because they follow their own sessions.
///
/// - While the session is ducked, the streams are ducked to `AudioSession.gain`.
/// - While the session is interrupted, they are muted.
/// - If the session's output is lost while one of them plays, they are muted from the first sign of
///   the loss on. Sessions that mix, calls, and sessions without
///   `AudioSession.Configuration.pausesOnRouteLoss` continue, as they do with an `AudioPlayer`.
/// - While the session is inactive, they are unchanged. That includes the time after a refused
///   activation, and after an interruption that ended without advice.
///
/// A mute for a lost output outlasts the end of an interruption, because nothing starts by itself
/// on another output. It ends when one of these happens:
///
/// - The output is in use again.
/// - The program activates or deactivates the session, whatever state the session has.
/// - The user changes the volume or mute of one of the streams, or of the output in use.
/// - A stream is stopped and started again.
///
/// Mixers show the user's own volume of a ducked or muted stream, and no session manager stores the
/// reduced one. Streams with the roles Accessibility, Notification and Production are ducked, and
/// never muted.
///
/// The program still receives the session's events, and pauses its own playback, because a muted
/// stream plays on in silence. The route of the session is that of the attached streams that play.
/// While none plays, the session's silence reasons contain `paused`.
///
/// **Limits.**
///
/// - The gain changes in one step.
/// - Unlike an `AudioOutput`, a stream has no gate. It may be heard on the next output, or at its
///   beginning during an interruption, until it is muted.
/// - If the session manager itself ducks streams by their roles, attached streams are not ducked,
///   but still muted.
/// - In a sandbox this object has no effect, because programs there may not set volumes. Neither
///   has it in a container with process IDs of its own, because the ID in PipeWire is another one.
///
/// All streams follow one session. A program with several sessions attaches its streams to the one
/// whose sound they are, and plays the sound of the others with `AudioPlayer` or `AudioOutput`.
/// Keep the object for as long as the program plays. It works on a thread of its own. Apple needs
/// no counterpart, because iOS silences all sound of a program with its session.
public final class AttachedStreams: Sendable {
    private let engine: UnmanagedAudio
    private let claim: Locked<Claim?>

    /// Attaches the streams of this process to a session, which may be active already.
    ///
    /// - Parameter session: The session that the streams follow.
    /// - Throws: `badParam` if another object has attached the streams of this process on the same
    ///   PipeWire; `resourcesExhausted` if the system has no thread or file left.
    public convenience init(session: AudioSession) throws(AudioSessionError) {
        try self.init(session: session, in: UnmanagedAudio.Environment(session.manager))
    }

    /// Attaches the streams in an environment that tests can replace.
    package init(session: AudioSession, in environment: UnmanagedAudio.Environment) throws(AudioSessionError) {
        claim = Locked(try Claim(on: session.manager.configuration.remote))
        engine = try UnmanagedAudio(session, .attached(process: Int(getpid())), in: environment)
    }

    /// Restores the streams, and ends.
    ///
    /// When it returns, PipeWire has the volumes, and the session's route and silence reasons are
    /// without the streams. If PipeWire does not answer within 2 seconds, a watchdog restores them.
    /// The streams are also restored if the object is released without this call, or the session is
    /// closed.
    public func close() async {
        await engine.detach()
        await engine.close()
        await engine.departure?.value
        claim.withLock { $0 = nil }
    }

    // The watchdog would leave the streams to any program that ducks, and that program would leave
    // them to the sessions of this process.
    deinit {
        guard let held = claim.withLock(\.self) else { return }
        Task { [engine] in
            await engine.detach()
            await engine.close()
            withExtendedLifetime(held) {}
        }
    }
}

/// The right to attach the streams of this process on one PipeWire. It is exclusive, because two
/// sessions would write different volumes.
private final class Claim: Sendable {
    /// The sockets of PipeWire for which the right is taken.
    private static let sockets = Locked<Set<String?>>([])
    private let socket: String?

    init(on remote: String?) throws(AudioSessionError) {
        // The same socket has several names, such as `nil` and `pipewire-0`.
        let socket = SocketWatch.location(of: remote).map { $0.folder + "/" + $0.name } ?? remote
        guard Self.sockets.withLock({ $0.insert(socket).inserted }) else {
            throw AudioSessionError(
                .badParam, rule: "The streams of this process are attached to a session already.",
                fix: "Close that AttachedStreams first, or attach them to one session only.")
        }
        self.socket = socket
    }

    deinit { _ = Self.sockets.withLock { $0.remove(socket) } }
}
