@_spi(Compatibility) import AudioSessionDesktop
public import Foundation

/// The commands that the user can give on the desktop, with the interface of Apple's
/// `MPRemoteCommandCenter`.
///
/// The desktop offers a command if it is enabled and has a handler, and knows of the program once
/// ``MPNowPlayingInfoCenter/nowPlayingInfo`` is set.
public final class MPRemoteCommandCenter: NSObject, Sendable {
    private static let instance = MPRemoteCommandCenter()

    /// The command to play.
    public let playCommand = MPRemoteCommand()
    /// The command to pause.
    public let pauseCommand = MPRemoteCommand()
    /// Plays if paused, and pauses if playing.
    public let togglePlayPauseCommand = MPRemoteCommand()
    /// Stops. Without a handler, the desktop's *Stop* is a *Pause*.
    public let stopCommand = MPRemoteCommand()
    /// Plays the next track.
    public let nextTrackCommand = MPRemoteCommand()
    /// Plays the previous track.
    public let previousTrackCommand = MPRemoteCommand()
    /// Jumps forward by an interval.
    public let skipForwardCommand = MPSkipIntervalCommand()
    /// Jumps backward by an interval.
    public let skipBackwardCommand = MPSkipIntervalCommand()
    /// Jumps to a position.
    public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
    /// A command that the desktop never gives.
    public let seekForwardCommand = MPRemoteCommand()
    /// A command that the desktop never gives.
    public let seekBackwardCommand = MPRemoteCommand()
    /// A command that the desktop never gives.
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
    /// A command that the desktop never gives.
    public let likeCommand = MPFeedbackCommand()
    /// A command that the desktop never gives.
    public let dislikeCommand = MPFeedbackCommand()
    /// A command that the desktop never gives.
    public let bookmarkCommand = MPFeedbackCommand()
    /// A command that the desktop never gives.
    public let ratingCommand = MPRatingCommand()
    /// A command that the desktop never gives.
    public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
    /// A command that the desktop never gives.
    public let changeShuffleModeCommand = MPChangeShuffleModeCommand()
    /// A command that the desktop never gives.
    public let enableLanguageOptionCommand = MPRemoteCommand()
    /// A command that the desktop never gives.
    public let disableLanguageOptionCommand = MPRemoteCommand()

    /// The commands of this program.
    public static func shared() -> MPRemoteCommandCenter { instance }

    package override init() {}

    private var all: [MPRemoteCommand] {
        [
            playCommand, pauseCommand, togglePlayPauseCommand, stopCommand, nextTrackCommand, previousTrackCommand,
            skipForwardCommand, skipBackwardCommand, changePlaybackPositionCommand,
        ]
    }

    /// Calls `changed` whenever the desktop may have to offer other commands.
    func observe(_ changed: @escaping @Sendable () -> Void) {
        for command in all { command.observe(changed) }
    }

    /// Sets what the desktop offers.
    func describe(in state: inout DesktopPlayer.State) {
        state.canPlay = playCommand.isOffered || togglePlayPauseCommand.isOffered
        state.canPause = pauseCommand.isOffered || togglePlayPauseCommand.isOffered
        state.canGoNext = nextTrackCommand.isOffered
        state.canGoPrevious = previousTrackCommand.isOffered
        state.canSeek =
            changePlaybackPositionCommand.isOffered || skipForwardCommand.isOffered || skipBackwardCommand.isOffered
    }

    /// Performs a command of the desktop.
    func perform(_ command: DesktopPlayer.Command, isPlaying: Bool, position: TimeInterval) {
        switch command {
        case .play: perform(playCommand, orIf: !isPlaying, togglePlayPauseCommand)
        case .pause: perform(pauseCommand, orIf: isPlaying, togglePlayPauseCommand)
        case .playPause: perform(togglePlayPauseCommand, orIf: true, isPlaying ? pauseCommand : playCommand)
        case .stop: perform(stopCommand, orIf: true, pauseCommand)
        case .next: nextTrackCommand.perform(MPRemoteCommandEvent(nextTrackCommand))
        case .previous: previousTrackCommand.perform(MPRemoteCommandEvent(previousTrackCommand))
        case .seek(let offset): seek(by: offset / .seconds(1), from: position)
        case .setPosition(let time): jump(to: time / .seconds(1))
        @unknown default: break
        }
    }

    private func perform(_ command: MPRemoteCommand, orIf isAllowed: Bool, _ other: MPRemoteCommand) {
        if command.isOffered {
            command.perform(MPRemoteCommandEvent(command))
        } else if isAllowed {
            other.perform(MPRemoteCommandEvent(other))
        }
    }

    private func seek(by offset: TimeInterval, from position: TimeInterval) {
        let skip = offset < 0 ? skipBackwardCommand : skipForwardCommand
        if skip.isOffered {
            skip.perform(MPSkipIntervalCommandEvent(skip, interval: abs(offset)))
        } else {
            jump(to: max(0, position + offset))
        }
    }

    private func jump(to time: TimeInterval) {
        let command = changePlaybackPositionCommand
        command.perform(MPChangePlaybackPositionCommandEvent(command, positionTime: time))
    }
}
