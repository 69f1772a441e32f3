public import AudioSessionPlayback
public import AudioSessions
import DesktopBus
import Glibc
import PipeWireGraph

/// Shows a player on the user's desktop (MPRIS), so that media keys, widgets and headset buttons
/// control it.
///
///     let nowPlaying = try NowPlaying(player: player, name: "Tunes")
///
/// Keep the object for as long as the player is to be shown. It runs on a thread of its own.
///
/// Commands have the effect of the program's own calls of `AudioPlayer.play()`,
/// `AudioPlayer.pause()` and so on. A *Play* during an interruption is kept, and is performed when
/// the session becomes active again. The player sends no event for a change of its volume, so the
/// desktop shows the volume as of the player's last event. At most 64 commands are performed at a
/// time, and further ones are ignored.
///
/// Without a session bus nothing is shown, and ``unavailability`` gives the reason.
///
/// Counterpart of `MPNowPlayingInfoCenter` and `MPRemoteCommandCenter`.
public actor NowPlaying {
    /// The player that is shown and that performs the desktop's commands.
    public nonisolated let player: AudioPlayer
    private let executor: LoopExecutor
    private let configuration: Configuration
    private nonisolated let failure = Locked<String?>(nil)
    /// The tasks that receive the player's events; `nil` after this object has ended.
    nonisolated let tasks = Locked<[Task<Void, Never>]?>([])
    private var bus: DesktopBus?
    private var object: PlayerObject?
    private var isClosed = false
    /// The number of commands that are being performed.
    private var commandCount = 0
    /// The number of commands that wait until the bus answers which process sent them.
    private var questionCount = 0
    /// The limit of commands that are performed at a time, because the desktop may send them at any
    /// rate.
    static let commandLimit = 64

    /// The description of the player on the desktop.
    public struct Configuration: Sendable {
        /// The name that the desktop shows to users.
        public var name: String
        /// The name of the program's `.desktop` file without the extension. The desktop shows the
        /// icon of this file. `nil` if the program has no such file.
        public var desktopEntry: String?
        /// Brings the program's window to the front. `nil` if the program has no window.
        public var raise: (@Sendable () -> Void)?
        /// Ends the program. `nil` if the desktop may not end it.
        public var quit: (@Sendable () -> Void)?

        /// Makes a description of which only the name is required.
        ///
        /// - Parameters:
        ///   - name: The name that the desktop shows to users.
        ///   - desktopEntry: The name of the program's `.desktop` file without the extension.
        ///   - raise: The handler that brings the program's window to the front.
        ///   - quit: The handler that ends the program.
        public init(
            name: String, desktopEntry: String? = nil, raise: (@Sendable () -> Void)? = nil,
            quit: (@Sendable () -> Void)? = nil
        ) {
            self.name = name
            self.desktopEntry = desktopEntry
            self.raise = raise
            self.quit = quit
        }
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Shows a player by a name, without an icon or a window.
    ///
    /// - Parameters:
    ///   - player: The player that is shown and that performs commands.
    ///   - name: The program's name for users.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    // Initializers are hidden from the optimizer for the reason given at AudioSession.
    @_semantics("optimize.no.crossmodule")
    public init(player: AudioPlayer, name: String) throws(AudioSessionError) {
        try self.init(player: player, configuration: Configuration(name: name))
    }

    /// Shows a player with the given description.
    ///
    /// - Parameters:
    ///   - player: The player that is shown and that performs commands.
    ///   - configuration: The description of the player on the desktop.
    /// - Throws: `resourcesExhausted` if the system has no thread or file left.
    @_semantics("optimize.no.crossmodule")
    public init(player: AudioPlayer, configuration: Configuration) throws(AudioSessionError) {
        try self.init(player, configuration) { try DesktopBus.sessionAddress() }
    }

    @_semantics("optimize.no.crossmodule")
    package init(
        _ player: AudioPlayer, _ configuration: Configuration, at address: @escaping @Sendable () throws -> String
    ) throws(AudioSessionError) {
        executor = try LoopExecutor.make(for: "Showing a player on the desktop")
        self.player = player
        self.configuration = configuration
        let events = player.events()
        let following = Task { [weak self] in
            await self?.show(at: address)
            for await event in events { await self?.handle(event) }
            await self?.playerClosed()
        }
        let queueChanges = player.queueChanges.events(bufferingNewest: 1)
        let updating = Task { [weak self] in for await _ in queueChanges { await self?.update() } }
        keep([following, updating])
    }

    /// Stores the tasks of this object, or cancels them if it has ended, because the bus may fail
    /// before the initializer returns.
    nonisolated func keep(_ new: [Task<Void, Never>]) {
        let hasEnded = tasks.withLock { tasks in
            if tasks != nil { tasks = new }
            return tasks == nil
        }
        if hasEnded { for task in new { task.cancel() } }
    }

    isolated deinit { shutDown() }

    /// Whether the environment names a session bus. The bus may still be unreachable.
    package static var hasDesktop: Bool { (try? DesktopBus.sessionAddress()) != nil }

    /// The reason why the player is not shown; `nil` if it is shown or is about to be.
    public nonisolated var unavailability: String? { failure.withLock(\.self) }

    /// Removes the player from the desktop. The player continues to play.
    public func close() { shutDown() }

    private func shutDown() {
        isClosed = true
        for task in tasks.withLock({ $0.take() }) ?? [] { task.cancel() }
        object = nil
        bus = nil
    }
}

// MARK: - What is shown

extension NowPlaying {
    private func show(at address: @Sendable () throws -> String) {
        guard !isClosed else { return }
        do {
            let bus = try DesktopBus(
                address: try address(), on: executor, receive: { _ in },
                failed: { [weak self] error in self?.assumeIsolated { $0.lost("\(error)") } })
            self.bus = bus
            object = try PlayerObject(
                on: bus, state,
                position: { [player] in player.position.microseconds },
                receive: { [weak self] command, sender in
                    self?.assumeIsolated { $0.receive(command, from: sender) }
                })
            bus.request(playerName: Self.busName(configuration.name)) { [weak self] isOwner in
                if !isOwner { self?.assumeIsolated { $0.lost("The bus refused the name of the player") } }
            }
        } catch {
            lost("\(error)")
        }
    }

    private func lost(_ why: String) {
        failure.withLock { $0 = why }
        shutDown()
    }

    private func playerClosed() {
        // Keeps an earlier reason.
        if !isClosed { lost("The player was closed. Show another one.") }
    }

    private func handle(_ event: AudioPlayer.Event) {
        update()
        if case .positionChanged(let position, _) = event { object?.sought(to: position.microseconds) }
    }

    private func update() { object?.update(state) }

    private var state: PlayerObject.State {
        var state = PlayerObject.State(identity: configuration.name)
        state.desktopEntry = configuration.desktopEntry ?? ""
        state.canRaise = configuration.raise != nil
        state.canQuit = configuration.quit != nil
        state.status =
            switch player.state {
            case .playing: "Playing"
            case .paused: "Paused"
            case .stopped, .finished: "Stopped"
            }
        state.volume = Double(player.volume)
        guard let index = player.currentIndex, let item = player.currentItem else { return state }
        state.track = Self.track(index)
        state.title = item.title ?? item.fileName
        state.artist = item.artist ?? ""
        state.url = SoundFileName.url(item.location)
        state.length = item.duration.microseconds
        state.canGoNext = index + 1 < player.queue.count
        state.canGoPrevious = index > 0
        (state.canPlay, state.canPause, state.canSeek) = (true, true, true)
        return state
    }

    private static let tracks = "/org/AudioSessions/track/"

    private static func track(_ index: Int) -> String { "\(tracks)\(index)" }

    private static func index(ofTrack track: String) -> Int? {
        guard track.hasPrefix(tracks), let index = Int(track.dropFirst(tracks.count)) else { return nil }
        return track == Self.track(index) ? index : nil
    }

    /// Returns the player's preferred name on the bus, where names allow letters, digits and little
    /// else.
    static func busName(_ name: String) -> String {
        var characters = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        // An element of a name must not begin with a digit.
        if characters.first?.isNumber ?? true { characters.insert("_", at: 0) }
        return "\(DesktopBus.playerPrefix)\(String(characters.prefix(100))).instance\(getpid())"
    }
}

// MARK: - What is commanded

extension NowPlaying {
    /// Begins to perform a command. Commands begin in the order in which they arrive. A *Play* that
    /// waits for PipeWire delays no later command.
    ///
    /// A *Pause* begins when the bus has answered which process sent it, because one of the session
    /// manager is not the user's. Until then, the senders of other commands are queried as well,
    /// which keeps the order.
    ///
    /// Commands above the limit are ignored. The desktop receives the same reply for them, because
    /// each reply only confirms the receipt of a command.
    private func receive(_ command: PlayerObject.Command, from sender: String) {
        switch command {
        case .raise: configuration.raise?()
        case .quit: configuration.quit?()
        default:
            guard commandCount < Self.commandLimit else { return }
            commandCount += 1
            guard let bus, command == .pause || questionCount > 0 else { return begin(command, by: nil) }
            questionCount += 1
            bus.processID(of: sender) { [weak self] process in
                self?.assumeIsolated {
                    $0.questionCount -= 1
                    $0.begin(command, by: process)
                }
            }
        }
    }

    private func begin(_ command: PlayerObject.Command, by process: Int?) {
        // The strong capture makes the task isolated to this actor, which keeps the order.
        Task {
            await perform(command, by: process)
            commandCount -= 1
        }
    }

    /// Performs a command. Errors are ignored, because media keys have no way to report them.
    private func perform(_ command: PlayerObject.Command, by process: Int?) async {
        switch command {
        case .play: try? await player.play()
        case .pause: await player.pauseFromDesktop(by: process)
        case .playPause: try? await player.playOrPause()
        case .stop: await player.stop()
        case .next: try? await player.skipToNext()
        case .previous: try? await player.skipToPrevious()
        case .seek(let offset): try? await player.seek(by: .microseconds(offset))
        case .setPosition(let time, let track):
            guard let index = Self.index(ofTrack: track) else { break }
            try? await player.seek(to: .microseconds(time), inItem: index)
        case .setVolume(let volume): try? await player.setVolume(Float(volume))
        case .raise, .quit: break
        }
        update()
    }
}

extension Duration {
    /// The duration in whole microseconds, bounded because a file's header may state any length.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, -Int64.max / 2_000_000), Int64.max / 2_000_000)
        return bounded * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
