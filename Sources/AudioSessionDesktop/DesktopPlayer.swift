public import AudioSessions
import DesktopBus
import PipeWireGraph

/// Shows what a program plays by its own means on the user's desktop (MPRIS), and receives the
/// desktop's commands.
///
/// It is for the package in `Compatibility`. Programs use ``NowPlaying``, which shows an
/// `AudioPlayer`. Without a session bus nothing is shown, and ``unavailability`` gives the reason.
@_spi(Compatibility)
public actor DesktopPlayer {
    private let executor: LoopExecutor
    private let position: @Sendable () -> Duration
    private let receive: @Sendable (Command) -> Void
    private let manager: @Sendable () -> AudioSessionManager?
    private nonisolated let failure = Locked<String?>(nil)
    private var state: State
    private var bus: DesktopBus?
    private var object: PlayerObject?
    private var isClosed = false
    /// The number of commands that wait until the bus answers which process sent them.
    private var questionCount = 0

    /// The state that the desktop shows.
    public struct State: Sendable, Hashable {
        /// The status of playback.
        @frozen public enum Status: String, Sendable {
            case playing = "Playing", paused = "Paused", stopped = "Stopped"
        }

        /// The name that the desktop shows to users. It cannot be changed later.
        public var name: String
        public var status = Status.stopped
        public var title = ""
        public var artist = ""
        public var url = ""
        public var duration = Duration.zero
        public var canPlay = false
        public var canPause = false
        public var canSeek = false
        public var canGoNext = false
        public var canGoPrevious = false

        public init(name: String) { self.name = name }
    }

    /// A command of the user that the desktop sends.
    @nonexhaustive
    public enum Command: Sendable, Hashable {
        case play, pause, playPause, stop, next, previous
        case seek(by: Duration)
        case setPosition(Duration)
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Shows a player on the desktop.
    ///
    /// - Parameters:
    ///   - state: What is shown first.
    ///   - address: The address of the bus; `nil` for the user's session bus.
    ///   - position: Returns the position of playback. It is called on a thread of the library's.
    ///   - manager: Returns the program's manager without waiting; `nil` if it has none yet. A
    ///     *Pause* of the session manager that this manager knows is ignored. It is called on a
    ///     thread of the library's.
    ///   - receive: Called with each command, on a thread of the library's.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    @_semantics("optimize.no.crossmodule")
    public init(
        _ state: State, at address: String? = nil, position: @escaping @Sendable () -> Duration,
        manager: @escaping @Sendable () -> AudioSessionManager? = { nil },
        receive: @escaping @Sendable (Command) -> Void
    ) throws(AudioSessionError) {
        executor = try LoopExecutor.make(for: "Showing a player on the desktop")
        self.state = state
        self.position = position
        self.receive = receive
        self.manager = manager
        Task { [weak self] in await self?.show(at: address) }
    }

    isolated deinit { close() }

    /// The reason why the player is not shown; `nil` if it is shown or is about to be.
    public nonisolated var unavailability: String? { failure.withLock(\.self) }

    /// Shows another state of the player.
    ///
    /// - Parameter state: What is shown from now on.
    /// - Parameter hasJumped: Whether the position has changed by more than playback.
    public func update(_ state: State, hasJumped: Bool = false) {
        self.state = state
        object?.update(shown)
        if hasJumped { object?.sought(to: position().microseconds) }
    }

    /// Removes the player from the desktop.
    public func close() {
        isClosed = true
        object = nil
        bus = nil
    }

    private func show(at address: String?) {
        guard !isClosed else { return }
        do {
            let bus = try DesktopBus(
                address: try address ?? DesktopBus.sessionAddress(), on: executor, receive: { _ in },
                failed: { [weak self] error in self?.assumeIsolated { $0.lost("\(error)") } })
            self.bus = bus
            object = try PlayerObject(
                on: bus, shown, position: { [position] in position().microseconds },
                receive: { [weak self] command, sender in
                    guard let command = Command(command) else { return }
                    self?.assumeIsolated { $0.pass(command, from: sender) }
                })
            bus.request(playerName: NowPlaying.busName(state.name)) { [weak self] isOwner in
                if !isOwner { self?.assumeIsolated { $0.lost("The bus refused the name of the player") } }
            }
        } catch {
            lost("\(error)")
        }
    }

    /// Passes a command to the program, unless it is a *Pause* of the session manager.
    ///
    /// WirePlumber 0.5.11 and later sends one to each player whose sink was removed. The bus is
    /// asked which process sent a *Pause* once there is a manager to compare it with, and which
    /// sent the commands that follow meanwhile, which keeps their order. Commands above the limit
    /// are ignored while the bus does not answer.
    private func pass(_ command: Command, from sender: String) {
        guard let bus, questionCount > 0 || (command == .pause && manager() != nil) else {
            return receive(command)
        }
        guard questionCount < NowPlaying.commandLimit else { return }
        questionCount += 1
        bus.processID(of: sender) { [weak self] process in
            self?.assumeIsolated {
                $0.questionCount -= 1
                let isForRemoval = command == .pause && $0.manager()?.isSessionManager(process) == true
                if !isForRemoval { $0.receive(command) }
            }
        }
    }

    private func lost(_ why: String) {
        failure.withLock { $0 = why }
        close()
    }

    private var shown: PlayerObject.State {
        var shown = PlayerObject.State(identity: state.name)
        shown.status = state.status.rawValue
        shown.track = "/org/AudioSessions/track/0"
        shown.title = state.title
        shown.artist = state.artist
        shown.url = state.url
        shown.length = state.duration.microseconds
        shown.canGoNext = state.canGoNext
        shown.canGoPrevious = state.canGoPrevious
        shown.canPlay = state.canPlay
        shown.canPause = state.canPause
        shown.canSeek = state.canSeek
        return shown
    }
}

extension DesktopPlayer.Command {
    /// Makes a command; `nil` if it needs a window or a volume, which this player does not have.
    init?(_ command: PlayerObject.Command) {
        switch command {
        case .play: self = .play
        case .pause: self = .pause
        case .playPause: self = .playPause
        case .stop: self = .stop
        case .next: self = .next
        case .previous: self = .previous
        case .seek(let offset): self = .seek(by: .microseconds(offset))
        case .setPosition(let time, _): self = .setPosition(.microseconds(time))
        case .setVolume, .raise, .quit: return nil
        }
    }
}
