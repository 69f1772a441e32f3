import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import DesktopBus
import Glibc
import MediaPlayers
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// A fake computer with players on a private bus, and programs with sessions that act on them.
struct UnmanagedStage {
    let bus: PrivateBus
    let system = FakeAudioSystem(graph: AudioGraph())
    let streams = FakeStreams()
    /// Whether the streams of this process run.
    let isStreaming = Locked(true)
    /// Called at the beginning of each survey.
    let willSurvey = Locked<(@Sendable () async -> Void)?>(nil)
    /// The programs that play, if they are not this process.
    let programs = Locked<PlayingPrograms?>(nil)
    var sandboxFile: (@Sendable (Int) -> String)?
    /// The time until the second survey.
    var repetition: Duration?

    init() async throws { bus = try await PrivateBus() }

    /// A program with a session, which sees that this process plays.
    func program(
        _ configuration: AudioSession.Configuration = .init(.playAndRecord, mode: .voiceChat),
        _ policy: AudioSessionConfiguration.UnmanagedAudioPolicy? = nil, scope: UnmanagedScope = .allOthers
    ) async throws -> Program {
        var configuration = configuration
        configuration.unmanagedAudioPolicy = policy
        let session = try AudioSession(manager: try await system.connect(), configuration: configuration)
        var environment = UnmanagedAudio.Environment(
            address: { [bus] in bus.address },
            programs: { [isStreaming, programs, willSurvey] in
                await willSurvey.withLock(\.self)?()
                guard let programs = programs.withLock(\.self) else {
                    let process = StreamProcess(id: Int(getpid()), isVerified: true)
                    return PlayingPrograms(processes: [process: .init(isRunning: isStreaming.withLock(\.self))])
                }
                return programs
            })
        environment.repetition = repetition
        environment.returnLimit = .seconds(600)
        environment.headsetLimit = .seconds(600)
        environment.connect = { [streams] executor, receive, _ in streams.connect(executor, receive) }
        if let sandboxFile { environment.sandboxFile = sandboxFile }
        let unmanaged = try UnmanagedAudio(session, scope, in: environment)
        return Program(session: session, unmanaged: unmanaged)
    }

    final class Program {
        let session: AudioSession
        let unmanaged: UnmanagedAudio
        private var events: EventSequence<UnmanagedAudio.Event>.Iterator

        init(session: AudioSession, unmanaged: UnmanagedAudio) {
            self.session = session
            self.unmanaged = unmanaged
            events = unmanaged.events().makeAsyncIterator()
        }

        /// The next event, in short.
        func event() async -> String? {
            switch await events.next(isolation: #isolation) {
            case .paused(let player, _): "paused \(player.name)"
            case .muted(let player, _): "muted \(player.name)"
            case .resumed(let player, _): "resumed \(player.name)"
            case .released(let player, _): "released \(player.name)"
            case .ducked(let stream, _, _): "ducked \(stream.name)"
            case .restored(let stream, _): "restored \(stream.name)"
            case .leftToRolePolicy: "left to role policy"
            case .unavailable: "unavailable"
            case nil: nil
            }
        }

        /// Waits until the program has surveyed the players, and this one could have received
        /// *Pause*.
        func waitForSurvey(of player: FakePlayer) async throws {
            try await waitUntil("the survey") { await unmanaged.hasSurveyed }
            let owner = await player.owner
            for _ in 0..<10 { _ = await player.status(of: owner) }
        }
    }
}

extension UnmanagedAudio {
    /// Whether all names on the bus are resolved, and their players are identified.
    fileprivate var hasSurveyed: Bool { bus != nil && names.isComplete && !names.isEmpty }
}
