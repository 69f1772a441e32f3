import AudioSessionPlayback
import AudioSessions

/// Connects the library's events, the user's commands and the window's state.
@MainActor
final class Presenter {
    private let player: Player
    private let loop: GtkLoop
    private let window: PlayerWindow
    private var shown = WindowState()
    /// The output that was in use when it was lost.
    private var lost: PortDescription?
    private var trouble: String?
    /// The reason why a file was skipped, or why the output failed.
    private var failure: String?
    private var ticks: Task<Void, Never>?
    private var console: WindowConsole?

    init(_ player: Player, in loop: GtkLoop) {
        self.player = player
        self.loop = loop
        window = PlayerWindow()
    }

    func start() {
        window.onCommand = { [weak self] in self?.perform($0) }
        window.onClose = { [weak self] in self?.close() }
        loop.onTermination { [weak self] in self?.close() }
        let (audio, manager) = (player.audio, player.manager)
        let (playerEvents, sessionEvents, managerEvents) =
            (audio.events(), audio.session.events(), manager.events())
        Task { for await event in playerEvents { receive(event) } }
        Task { for await _ in sessionEvents { refresh() } }
        Task { for await _ in managerEvents { refresh() } }
        showItem()
        refresh()
        window.present()
        perform(.playOrPause)
    }

    private func receive(_ event: AudioPlayer.Event) {
        switch event {
        case .becameNoisy(let port, _): lost = port
        case .itemChanged: showItem()
        case .failed(let error, _): failure = error.message
        case .stateChanged(.playing, _): (lost, trouble, failure) = (nil, nil, nil)
        case .stateChanged, .positionChanged, .finished, .routeChanged: break
        @unknown default: break
        }
        refresh()
    }

    private func perform(_ command: Player.Command) {
        failure = nil
        Task {
            trouble = await player.perform(command)
            refresh()
        }
    }

    private func showItem() { window.showCover(of: player.audio.currentItem) }

    private func refresh() {
        let state = WindowState(player, lost: lost, trouble: trouble, failure: failure)
        // Ordinary progress has no event.
        keepTicking(state.isPlaying)
        guard state != shown else { return }
        shown = state
        window.show(state)
        console?.print(state)
    }

    /// A timer: the shown position advances by itself during playback.
    private func keepTicking(_ ticking: Bool) {
        guard ticking != (ticks != nil) else { return }
        ticks?.cancel()
        ticks =
            !ticking
            ? nil
            : Task {
                while (try? await Task.sleep(for: .milliseconds(250))) != nil { refresh() }
            }
    }

    private func close() {
        ticks?.cancel()
        window.close()
        Task {
            await player.close()
            loop.quit()
        }
    }

    // MARK: For tests

    func openConsole() {
        let console = WindowConsole()
        self.console = console
        Task { for await line in console.lines { window.execute(line) } }
    }
}
