package import AVFAudio
@_spi(Compatibility) package import AudioSessionDesktop
import Foundation

/// The state of playback that a program sets for the desktop.
public enum MPNowPlayingPlaybackState: UInt, Sendable {
    case unknown = 0
    case playing = 1
    case paused = 2
    case stopped = 3
    case interrupted = 4
}

/// Shows on the desktop what the program plays, with the interface of Apple's
/// `MPNowPlayingInfoCenter`.
///
/// The program is on the desktop (MPRIS) for as long as ``nowPlayingInfo`` is not `nil`, whether or
/// not it plays. Programs with an `AudioPlayer` should use `NowPlaying` of `AudioSessionDesktop`.
public final class MPNowPlayingInfoCenter: Sendable {
    private static let shared = MPNowPlayingInfoCenter(.shared(), playback: AVAudioSession.playback)
    private let commands: MPRemoteCommandCenter
    private let playback: ProgramPlayback
    private let state = Locked(State())
    /// Where the program is shown. Its lock is held while a state is read and shown, so that states
    /// of several threads are shown in their order.
    private let shown = Locked<(any Shown)?>(nil)
    private let clock: @Sendable () -> TimeInterval
    private let connect: Connect

    /// Shows a first state on the desktop, and passes on commands. It is replaced in tests.
    package typealias Connect =
        @Sendable (
            DesktopPlayer.State, @escaping @Sendable () -> Duration,
            @escaping @Sendable (DesktopPlayer.Command) -> Void
        ) -> (any Shown)?

    /// The state that the desktop shows. Its functions must not use the center.
    package protocol Shown: Sendable {
        func show(_ state: DesktopPlayer.State, hasJumped: Bool)
        func end()
    }

    private struct State {
        var info: [String: Any]?
        var playbackState = MPNowPlayingPlaybackState.unknown
        /// What the session and the players report, as the desktop shows it.
        var playback = ProgramPlayback.Status.unknown
        /// Whether there is no information, but there was.
        var wasRemoved = false
        /// When the information was set, which its elapsed time belongs to.
        var since: TimeInterval = 0
    }

    /// The information of this program.
    public static func `default`() -> MPNowPlayingInfoCenter { shared }

    package init(
        _ commands: MPRemoteCommandCenter, playback: ProgramPlayback = ProgramPlayback(),
        clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime },
        connect: @escaping Connect = { DesktopConnection($0, $1, $2) }
    ) {
        self.commands = commands
        self.playback = playback
        self.clock = clock
        self.connect = connect
        commands.observe { [weak self] in self?.show(hasJumped: false) }
        playback.observe { [weak self] in self?.updatePlayback() }
        updatePlayback()
    }

    /// The item that is played, by the keys that begin with `MPMediaItemProperty` and
    /// `MPNowPlayingInfoProperty`; `nil` removes the program from the desktop.
    public var nowPlayingInfo: [String: Any]? {
        get { state.withLock(\.info) }
        set {
            change { state in
                // On iOS the state has no effect, so programs leave it `stopped` after they have
                // removed the information, and set only the next.
                if state.wasRemoved, newValue != nil, state.playbackState == .stopped {
                    state.playbackState = .unknown
                }
                state.wasRemoved = newValue == nil && (state.wasRemoved || state.info != nil)
                state.info = newValue
                state.since = clock()
            }
            show(hasJumped: true)
        }
    }

    /// The state of playback.
    ///
    /// Unless it is set, the program is shown as paused in these cases:
    /// - The rate in ``nowPlayingInfo`` is 0.
    /// - The session was active, and is inactive or interrupted now.
    /// - An `AVAudioPlayer` is paused, and none plays.
    /// - All `AVAudioPlayer`s have ended, and no rate is stated.
    ///
    /// After the information was removed, the next information ends the state
    /// ``MPNowPlayingPlaybackState/stopped``.
    public var playbackState: MPNowPlayingPlaybackState {
        get { state.withLock(\.playbackState) }
        set { changeStatus { $0.playbackState = newValue } }
    }

    /// Reads what the session and the players report. On iOS, the system does this as well.
    private func updatePlayback() { changeStatus { $0.playback = playback.status } }

    /// Changes what the status follows from, and shows it.
    private func changeStatus(_ body: (inout State) -> Void) {
        change { state in
            // The position stops or begins to advance now. Read under the lock, because otherwise
            // another thread's new information could get the position of the former.
            let now = position(of: state)
            body(&state)
            state.since = clock()
            state.info?[MPNowPlayingInfoPropertyElapsedPlaybackTime] = now
        }
        show(hasJumped: false)
    }

    /// Changes the state, and releases the former dictionary without the lock, because
    /// deinitializers of its objects may use this center.
    private func change(_ change: (inout State) -> Void) {
        let former = state.withLock { state in
            let former = state.info
            change(&state)
            return former
        }
        withExtendedLifetime(former) {}
    }

    // MARK: Position

    /// The position of playback in seconds, as the information leads to it.
    package var position: TimeInterval { state.withLock { position(of: $0) } }

    private func position(of state: State) -> TimeInterval {
        let info = state.info ?? [:]
        let elapsed = Self.number(info[MPNowPlayingInfoPropertyElapsedPlaybackTime]) ?? 0
        let isPlaying = Self.status(state) == .playing
        let rate = isPlaying ? Self.number(info[MPNowPlayingInfoPropertyPlaybackRate]) ?? 1 : 0
        let duration = Self.number(info[MPMediaItemPropertyPlaybackDuration]) ?? .infinity
        return max(0, min(elapsed + rate * (clock() - state.since), duration))
    }

    private static func status(_ state: State) -> DesktopPlayer.State.Status {
        switch state.playbackState {
        case .playing: .playing
        case .paused, .interrupted: .paused
        case .stopped: .stopped
        case .unknown: isPaused(state) ? .paused : .playing
        }
    }

    private static func isPaused(_ state: State) -> Bool {
        let rate = number(state.info?[MPNowPlayingInfoPropertyPlaybackRate])
        return switch state.playback {
        case .paused: true
        // The stated rate may be that of a player that this module does not know.
        case .ended: rate == nil || rate == 0
        case .unknown, .playing: rate == 0
        }
    }

    /// Converts a number of any type. `nil` for what is no number, or not finite.
    private static func number(_ value: Any?) -> Double? {
        let number: Double? =
            switch value {
            case let value as NSNumber: value.doubleValue
            case let value as any BinaryInteger: Double(value)
            case let value as any BinaryFloatingPoint: Double(value)
            default: nil
            }
        return number.flatMap { $0.isFinite ? min(max($0, -1e9), 1e9) : nil }
    }

    // MARK: The desktop

    private func show(hasJumped: Bool) {
        shown.withLock { shown in
            let new = state.withLock { state in state.info.map { shownState(of: $0, Self.status(state)) } }
            guard let new else {
                shown?.end()
                shown = nil
                return
            }
            if let shown {
                shown.show(new, hasJumped: hasJumped)
            } else {
                shown = connect(
                    new, { [weak self] in .seconds(self?.position ?? 0) }, { [weak self] in self?.receive($0) })
            }
        }
    }

    private func shownState(
        of info: [String: Any], _ status: DesktopPlayer.State.Status
    ) -> DesktopPlayer.State {
        var shown = DesktopPlayer.State(name: ProcessInfo.processInfo.processName)
        shown.status = status
        shown.title = info[MPMediaItemPropertyTitle] as? String ?? ""
        shown.artist = info[MPMediaItemPropertyArtist] as? String ?? ""
        shown.url = (info[MPNowPlayingInfoPropertyAssetURL] as? URL)?.absoluteString ?? ""
        shown.duration = .seconds(max(0, Self.number(info[MPMediaItemPropertyPlaybackDuration]) ?? 0))
        commands.describe(in: &shown)
        return shown
    }

    /// Passes a command on, on the main queue as on iOS.
    private func receive(_ command: DesktopPlayer.Command) {
        DispatchQueue.main.async { [self] in
            let isPlaying = state.withLock { Self.status($0) } == .playing
            commands.perform(command, isPlaying: isPlaying, position: position)
        }
    }
}

/// A player on the user's session bus.
private final class DesktopConnection: MPNowPlayingInfoCenter.Shown {
    /// One queue for all connections, because the name of a player is taken until the former one is
    /// closed.
    private static let queue = WorkQueue()
    private let player = Locked<DesktopPlayer?>(nil)
    private let position: @Sendable () -> Duration
    private let receive: @Sendable (DesktopPlayer.Command) -> Void

    init(
        _ state: DesktopPlayer.State, _ position: @escaping @Sendable () -> Duration,
        _ receive: @escaping @Sendable (DesktopPlayer.Command) -> Void
    ) {
        self.position = position
        self.receive = receive
        show(state, hasJumped: false)
    }

    func show(_ state: DesktopPlayer.State, hasJumped: Bool) {
        Self.queue.add { [self] in
            if let player = player.withLock(\.self) {
                await player.update(state, hasJumped: hasJumped)
            } else {
                // Without resources for a player, the next state tries again.
                let made = try? DesktopPlayer(
                    state, position: position, manager: { AVAudioSession.connectedManager }, receive: receive)
                player.withLock { $0 = made }
            }
        }
    }

    func end() {
        Self.queue.add { [self] in
            let former = player.withLock { player in
                defer { player = nil }
                return player
            }
            await former?.close()
        }
    }
}
