@_spi(Compatibility) import AudioSessionDesktop
import AudioSessions
import CompatibilityTestSupport
import Dispatch
import MediaPlayer
import Testing

@testable import AudioSessionTestKit

/// What a program shows on the desktop, and what it does at the desktop's commands.
@Suite(.timeLimit(.minutes(10))) struct MediaPlayerTests {
    /// A desktop that remembers what is shown.
    private final class Desktop: MPNowPlayingInfoCenter.Shown {
        let shown = EventLog<DesktopPlayer.State?>()
        let jumps = EventLog<Bool>()

        func show(_ state: DesktopPlayer.State, hasJumped: Bool) {
            shown.append(state)
            jumps.append(hasJumped)
        }
        func end() { shown.append(nil) }
    }

    private struct Stage {
        let desktop = Desktop()
        let commands = MPRemoteCommandCenter()
        let clock = EventLog<TimeInterval>()
        let receive = EventLog<@Sendable (DesktopPlayer.Command) -> Void>()
        let playback = ProgramPlayback()
        let center: MPNowPlayingInfoCenter

        init() {
            clock.append(100)
            center = MPNowPlayingInfoCenter(
                commands, playback: playback, clock: { [clock] in clock.events.last ?? 0 }
            ) { [desktop, receive] state, _, perform in
                desktop.show(state, hasJumped: false)
                receive.append(perform)
                return desktop
            }
        }

        var now: DesktopPlayer.State? { desktop.shown.events.last ?? nil }

        func command(_ command: DesktopPlayer.Command) { receive.events.last?(command) }
    }

    private let stage = Stage()

    private func play(_ received: EventLog<String>) {
        stage.commands.playCommand.addTarget { _ in
            received.append("play")
            return .success
        }
        stage.center.nowPlayingInfo = [
            MPMediaItemPropertyTitle: "News", MPMediaItemPropertyArtist: "Radio",
            MPMediaItemPropertyPlaybackDuration: 60, MPNowPlayingInfoPropertyElapsedPlaybackTime: 10.0,
            MPNowPlayingInfoPropertyPlaybackRate: Float(1),
            MPNowPlayingInfoPropertyAssetURL: URL(fileURLWithPath: "/news.wav"),
        ]
    }

    /// This file does not import AVFAudio.
    @Test func theModuleExportsTheSession() {
        #expect(AVAudioSession.Category.playback.rawValue == "AVAudioSessionCategoryPlayback")
    }

    @Test func informationIsShown() throws {
        play(EventLog())
        let shown = try #require(stage.now)
        #expect(shown.title == "News" && shown.artist == "Radio" && shown.url == "file:///news.wav")
        #expect(shown.status == .playing && shown.duration == .seconds(60))
        #expect(shown.canPlay && !shown.canPause && !shown.canSeek && !shown.canGoNext && !shown.canGoPrevious)
        #expect(shown.name == ProcessInfo.processInfo.processName)
        stage.center.nowPlayingInfo = nil
        #expect(stage.desktop.shown.events.last == .some(nil))
    }

    @Test func thePositionAdvancesWithTheRate() {
        play(EventLog())
        #expect(stage.center.position == 10)
        stage.clock.append(105)
        #expect(stage.center.position == 15)
        stage.center.playbackState = .paused
        stage.clock.append(109)
        #expect(stage.center.position == 15 && stage.now?.status == .paused)
        stage.center.playbackState = .playing
        stage.clock.append(1_000)
        #expect(stage.center.position == 60, "not beyond the end")
        stage.center.nowPlayingInfo?[MPNowPlayingInfoPropertyPlaybackRate] = 0
        stage.center.playbackState = .unknown
        #expect(stage.now?.status == .paused)
        stage.center.nowPlayingInfo?[MPNowPlayingInfoPropertyElapsedPlaybackTime] = Double.nan
        #expect(stage.center.position == 0)
    }

    /// Most programs set the information once, when they begin.
    @Test func aProgramThatStatesNoRateIsShownAsItsPlayer() {
        let player = ObjectIdentifier(stage.desktop)
        stage.center.nowPlayingInfo = [
            MPMediaItemPropertyTitle: "News", MPNowPlayingInfoPropertyElapsedPlaybackTime: 10,
        ]
        #expect(stage.now?.status == .playing)
        stage.playback.note(player, .playing)
        stage.clock.append(105)
        stage.playback.note(player, .paused)
        stage.clock.append(200)
        #expect(stage.now?.status == .paused && stage.center.position == 15)
        stage.playback.note(player, .playing)
        stage.clock.append(203)
        #expect(stage.now?.status == .playing && stage.center.position == 18)
        stage.playback.note(player, .ended)
        stage.clock.append(300)
        #expect(stage.now?.status == .paused && stage.center.position == 18)
        stage.center.playbackState = .playing
        #expect(stage.now?.status == .playing, "what the program sets takes precedence")
    }

    /// A stated rate may be that of a player that is not an `AVAudioPlayer`.
    @Test func aRateIsOfNoPlayerThatHasEnded() {
        let (music, effect) = (ObjectIdentifier(stage.desktop), ObjectIdentifier(stage.commands))
        play(EventLog())
        stage.playback.note(effect, .playing)
        stage.playback.note(effect, .ended)
        #expect(stage.now?.status == .playing)
        stage.playback.note(music, .playing)
        stage.playback.note(music, .paused)
        #expect(stage.now?.status == .paused, "programs state the rate of an AVAudioPlayer also while it is paused")
        stage.playback.note(effect, .playing)
        stage.playback.note(effect, .ended)
        #expect(stage.now?.status == .paused)
        stage.playback.remove(music)
        #expect(stage.now?.status == .playing)
        stage.center.nowPlayingInfo?[MPNowPlayingInfoPropertyPlaybackRate] = 0
        stage.playback.note(effect, .playing)
        #expect(stage.now?.status == .paused, "a rate of 0 is always that of the item")
    }

    @Test func aSessionThatIsNotActiveAnyMoreIsShownAsPaused() {
        play(EventLog())
        stage.playback.setActive(true)
        stage.clock.append(101)
        #expect(stage.now?.status == .playing && stage.center.position == 11)
        stage.playback.setActive(false)
        stage.clock.append(200)
        #expect(stage.now?.status == .paused && stage.center.position == 11)
        stage.playback.setActive(true)
        #expect(stage.now?.status == .playing)
    }

    /// A program that shows one voice message after the other, and states only the end of each.
    @Test func anItemThatFollowsAStopIsPlayed() {
        play(EventLog())
        stage.center.nowPlayingInfo = nil
        stage.center.playbackState = .stopped
        stage.center.nowPlayingInfo = [MPMediaItemPropertyTitle: "Weather"]
        #expect(stage.now?.title == "Weather" && stage.now?.status == .playing)
        stage.center.playbackState = .stopped
        stage.center.nowPlayingInfo = [MPMediaItemPropertyTitle: "Traffic"]
        #expect(stage.now?.title == "Traffic" && stage.now?.status == .stopped, "this one was not removed")
    }

    @Test func commandsThatHaveHandlersAreOffered() {
        play(EventLog())
        stage.commands.pauseCommand.addTarget { _ in .success }
        let next = stage.commands.nextTrackCommand.addTarget { _ in .success }
        stage.commands.previousTrackCommand.addTarget { _ in .success }
        stage.commands.changePlaybackPositionCommand.addTarget { _ in .success }
        #expect(stage.now.map { $0.canPause && $0.canGoNext && $0.canGoPrevious && $0.canSeek } == true)
        stage.commands.previousTrackCommand.isEnabled = false
        stage.commands.nextTrackCommand.removeTarget(next)
        #expect(stage.now.map { !$0.canGoNext && !$0.canGoPrevious } == true)
    }

    @Test func commandsReachTheirHandlersOnTheMainQueue() async throws {
        let received = EventLog<String>()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        play(received)
        stage.commands.pauseCommand.addTarget { _ in
            received.append("pause \(DispatchQueue.getSpecific(key: key) == true)")
            return .success
        }
        stage.commands.skipForwardCommand.addTarget { event in
            received.append("skip \((event as? MPSkipIntervalCommandEvent)?.interval ?? 0)")
            return .success
        }
        stage.commands.changePlaybackPositionCommand.addTarget { event in
            received.append("to \((event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? 0)")
            return .success
        }
        for command: DesktopPlayer.Command in [
            .playPause, .stop, .play, .next, .seek(by: .seconds(5)), .seek(by: .seconds(-4)),
            .setPosition(.seconds(30)),
        ] {
            stage.command(command)
        }
        let expected = ["pause true", "pause true", "play", "skip 5.0", "to 6.0", "to 30.0"]
        try await received.wait(for: "all commands") { $0.count == expected.count }
        #expect(received.events == expected)
    }

    @Test func methodsAreHandlersInPlaceOfSelectors() async throws {
        let target = Target()
        stage.commands.togglePlayPauseCommand.addTarget(target, action: Target.toggle)
        stage.center.nowPlayingInfo = [:]
        for command: DesktopPlayer.Command in [.play, .pause, .playPause] { stage.command(command) }
        try await target.received.wait(for: "two toggles") { $0.count == 2 }
        stage.commands.togglePlayPauseCommand.removeTarget(target)
        stage.command(.playPause)
        let last = EventLog<String>()
        DispatchQueue.main.async { last.append("after it") }
        try await last.wait(for: "the main queue") { !$0.isEmpty }
        #expect(target.received.events.count == 2, "what plays is not played again, and after its removal nothing")
        #expect(stage.now?.canPlay == false)
    }

    /// On iOS, the class of a target needs no superclass, and its method no parameter.
    @Test func methodsWithoutParametersAreHandlersToo() async throws {
        let received = EventLog<String>()
        stage.center.nowPlayingInfo = [:]
        do {
            let target = PlainTarget(received)
            stage.commands.nextTrackCommand.addTarget(target, action: PlainTarget.next)
            stage.command(.next)
            try await received.wait(for: "the next track") { $0 == ["next"] }
            withExtendedLifetime(target) {}
        }
        stage.command(.next)
        let last = EventLog<String>()
        DispatchQueue.main.async { last.append("after it") }
        try await last.wait(for: "the main queue") { !$0.isEmpty }
        #expect(received.events == ["next"], "the target is referenced weakly")
    }

    /// On iOS, most methods have the event of their command as their parameter.
    @Test func methodsMayTakeTheEventOfTheirCommand() async throws {
        let target = Target()
        stage.commands.skipForwardCommand.addTarget(target, action: Target.skip)
        stage.commands.changePlaybackPositionCommand.addTarget(target, action: Target.jump)
        // The event of this command is another one.
        stage.commands.nextTrackCommand.addTarget(target, action: Target.skip)
        stage.center.nowPlayingInfo = [:]
        for command: DesktopPlayer.Command in [.next, .seek(by: .seconds(5)), .setPosition(.seconds(30))] {
            stage.command(command)
        }
        try await target.received.wait(for: "both commands") { $0.count == 2 }
        #expect(target.received.events == ["skip 5.0", "to 30.0"])
    }

    /// Lines of programs for iOS, whose handlers are never called here.
    @Test func commandsThatTheDesktopNeverGivesAreNotOffered() {
        stage.commands.changePlaybackRateCommand.supportedPlaybackRates = [1, 1.5, 2]
        stage.commands.changePlaybackRateCommand.addTarget { event in
            guard let event = event as? MPChangePlaybackRateCommandEvent else { return .commandFailed }
            return event.playbackRate > 0 ? .success : .commandFailed
        }
        stage.commands.seekForwardCommand.addTarget { event in
            (event as? MPSeekCommandEvent)?.type == .beginSeeking ? .success : .commandFailed
        }
        stage.center.nowPlayingInfo = [
            MPNowPlayingInfoPropertyMediaType: MPNowPlayingInfoMediaType.audio.rawValue
        ]
        #expect(stage.now.map { $0.canSeek || $0.canPlay || $0.canPause } == false)
        #expect(MPSeekCommandEventType.beginSeeking.rawValue == 0 && MPNowPlayingInfoMediaType.video.rawValue == 2)
    }

    /// A program that lists all commands of iOS, enables some, and disables the others.
    @Test func opinionsAndModesAreKeptAndNotOffered() {
        let commands = stage.commands
        commands.likeCommand.localizedTitle = "Favorite"
        commands.likeCommand.localizedShortTitle = "Fav"
        commands.likeCommand.isActive = true
        commands.likeCommand.addTarget { event in
            (event as? MPFeedbackCommandEvent)?.isNegative == true ? .success : .commandFailed
        }
        commands.ratingCommand.maximumRating = 5
        commands.changeRepeatModeCommand.currentRepeatType = .all
        commands.changeShuffleModeCommand.currentShuffleType = .items
        let others: [MPRemoteCommand] = [
            commands.dislikeCommand, commands.bookmarkCommand, commands.enableLanguageOptionCommand,
            commands.disableLanguageOptionCommand,
        ]
        for command in others { command.isEnabled = false }
        stage.center.nowPlayingInfo = [
            MPMediaItemPropertyTitle: "News", MPMediaItemPropertyMediaType: MPMediaType.podcast.rawValue,
            MPMediaItemPropertyAlbumTrackNumber: 3, MPNowPlayingInfoPropertyPlaybackProgress: Float(0.5),
        ]
        #expect(commands.likeCommand.localizedTitle == "Favorite")
        #expect(commands.likeCommand.localizedShortTitle == "Fav")
        #expect(commands.likeCommand.isActive && !commands.dislikeCommand.isActive)
        #expect(commands.ratingCommand.minimumRating == 0 && commands.ratingCommand.maximumRating == 5)
        #expect(commands.changeRepeatModeCommand.currentRepeatType.rawValue == 2)
        #expect(commands.changeShuffleModeCommand.currentShuffleType.rawValue == 1)
        #expect(stage.now?.title == "News")
        #expect(stage.now.map { $0.canPlay || $0.canPause || $0.canGoNext || $0.canSeek } == false)
    }

    @Test func aHandlerMayOwnAnObjectThatRemovesHandlers() {
        let command = stage.commands.playCommand
        let received = EventLog<String>()
        do {
            let last = LastAction {
                command.removeTarget(nil)
                received.append("removed")
            }
            command.addTarget { _ in
                withExtendedLifetime(last) {}
                return .success
            }
        }
        #expect(received.events.isEmpty)
        command.removeTarget(nil)
        #expect(received.events == ["removed"])
    }

    @Test func informationMayOwnAnObjectThatReadsIt() {
        let received = EventLog<String>()
        stage.center.nowPlayingInfo = [
            "own": LastAction { [center = stage.center] in received.append("\(center.nowPlayingInfo?.count ?? 0)") }
        ]
        stage.center.nowPlayingInfo = [MPMediaItemPropertyTitle: "News", MPMediaItemPropertyArtist: "Radio"]
        #expect(received.events == ["2"])
        #expect(stage.now?.title == "News")
    }

    /// Performs an action when it is released.
    private final class LastAction {
        private let action: () -> Void

        init(_ action: @escaping () -> Void) { self.action = action }

        deinit { action() }
    }

    @Test func aQueuedJobBeginsAfterTheOneBefore() async throws {
        let queue = WorkQueue()
        let received = EventLog<Int>()
        for number in 0..<100 {
            queue.add {
                received.append(2 * number)
                await Task.yield()
                received.append(2 * number + 1)
            }
        }
        try await received.wait(for: "all jobs") { $0.count == 200 }
        #expect(received.events == Array(0..<200))
    }

    private final class PlainTarget {
        private let received: EventLog<String>

        init(_ received: EventLog<String>) { self.received = received }

        func next() -> MPRemoteCommandHandlerStatus {
            received.append("next")
            return .success
        }
    }

    private final class Target: NSObject {
        let received = EventLog<String>()

        func toggle(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus {
            received.append("toggle")
            return .success
        }

        func skip(_ event: MPSkipIntervalCommandEvent) -> MPRemoteCommandHandlerStatus {
            received.append("skip \(event.interval)")
            return .success
        }

        func jump(_ event: MPChangePlaybackPositionCommandEvent) -> MPRemoteCommandHandlerStatus {
            received.append("to \(event.positionTime)")
            return .success
        }
    }
}
