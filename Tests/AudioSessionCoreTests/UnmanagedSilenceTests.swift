import Testing

@testable import AudioSessionCore

/// Streams of programs without a media player, which only a mute makes silent.
@Suite struct UnmanagedSilenceTests {
    private static let mpv = UnmanagedPlayer(name: "mpv", processID: 10, owner: ":1.10")
    private let mpv = Self.mpv
    private static let program = ProgramTrace(lineage: [10])

    private static func stream(_ id: UInt32, _ process: Int) -> UnmanagedPlayers.AudibleStream {
        .init(id: ObjectID(id), program: ProgramTrace(lineage: [process]))
    }

    /// A state with mpv paused and a stream of a program without a player muted.
    private func silence() -> UnmanagedPlayers {
        var players = UnmanagedPlayers()
        _ = players.receive(.silenceBegan)
        _ = players.receive(.listed(owner: ":1.10", Self.program))
        _ = players.receive(.found(mpv, Self.program, .playing, isClaimed: false))
        _ = players.receive(.streams([Self.stream(1, 10), Self.stream(2, 20)]))
        return players
    }

    @Test func aStreamIsMutedOnceItIsKnownToHaveNoPlayer() {
        var players = UnmanagedPlayers()
        #expect(players.receive(.silenceBegan) == [.survey, .watchStreams(true)])
        #expect(players.receive(.streams([Self.stream(1, 10), Self.stream(2, 20)])) == [])
        #expect(players.receive(.listed(owner: ":1.10", Self.program)) == [])
        #expect(players.receive(.surveyed) == [.mute([ObjectID(2)])])
        #expect(players.receive(.streams([Self.stream(3, 30)])) == [.mute([ObjectID(3)])], "also what begins later")
        #expect(players.receive(.turnEnded(restores: true)) == [.dismiss, .mute([]), .watchStreams(false)])
        #expect(players.isIdle)
    }

    @Test func aPlayerHasTheUsualTimeToPause() {
        var players = silence()
        #expect(players.receive(.surveyed) == [.mute([ObjectID(2)])])
        #expect(players.receive(.timeOver(owner: ":1.10")).contains(.mute([ObjectID(1), ObjectID(2)])))
        _ = players.receive(.statusChanged(owner: ":1.10", .paused))
        #expect(
            players.receive(.streams([Self.stream(2, 20)])) == [.mute([ObjectID(2)]), .notify(.paused(mpv))],
            "the others are muted to the end")
    }

    /// Streams that the user starts meanwhile are left alone.
    @Test func aPlayerThatItsUserStartsIsNotMuted() {
        var players = silence()
        _ = players.receive(.surveyed)
        _ = players.receive(.statusChanged(owner: ":1.10", .paused))
        _ = players.receive(.streams([Self.stream(2, 20)]))
        _ = players.receive(.statusChanged(owner: ":1.10", .playing))
        #expect(players.receive(.streams([Self.stream(1, 10), Self.stream(2, 20)])) == [], "its user lets it play")
        _ = players.receive(.listed(owner: ":1.30", ProgramTrace(lineage: [30])))
        #expect(
            players.receive(.streams([Self.stream(2, 20), Self.stream(3, 30)])) == [], "a player that was paused")
        #expect(players.receive(.vanished(owner: ":1.30")) == [.mute([ObjectID(2), ObjectID(3)])])
    }

    @Test func aPlayerThatDoesNotAnswerWhetherItPlaysIsOnlyMuted() {
        var players = UnmanagedPlayers()
        _ = players.receive(.turnBegan)
        #expect(players.receive(.found(mpv, Self.program, nil, isClaimed: false)) == [], "it has ended")
        _ = players.receive(.listed(owner: ":1.10", Self.program))
        #expect(players.receive(.found(mpv, Self.program, nil, isClaimed: false)) == [.watchStreams(true)])
        #expect(
            players.receive(.streams([Self.stream(1, 10), Self.stream(2, 20)])) == [
                .mute([ObjectID(1)]), .notify(.muted(mpv)),
            ])
        #expect(
            players.receive(.turnEnded(restores: true)) == [
                .forget(owner: ":1.10"), .notify(.released(mpv)), .dismiss, .mute([]), .watchStreams(false),
            ])
    }

    @Test func withoutABusAllStreamsAreMuted() {
        var players = UnmanagedPlayers()
        _ = players.receive(.silenceBegan)
        _ = players.receive(.streams([Self.stream(1, 10)]))
        #expect(
            players.receive(.busLost(reason: "none")) == [
                .notify(.unavailable(reason: "none")), .mute([ObjectID(1)]),
            ])
    }

    // MARK: The loss of the output

    /// What was paused or muted for a loss stays so, in whatever way this process ends.
    @Test func afterALossNothingIsGivenToTheWatchdog() {
        var players = UnmanagedPlayers()
        #expect(players.receive(.outputLost) == [.survey, .watchStreams(true)])
        #expect(players.findsIdlePlayers)
        _ = players.receive(.listed(owner: ":1.10", Self.program))
        #expect(
            players.receive(.found(mpv, Self.program, .playing, isClaimed: false)) == [
                .claim(owner: ":1.10"), .resumeAtExit([]), .pause(owner: ":1.10"), .allowTime(owner: ":1.10"),
            ])
        _ = players.receive(.turnEnded(restores: false))
        #expect(!players.findsIdlePlayers)
        _ = players.receive(.silenceBegan)
        #expect(
            players.receive(.found(mpv, Self.program, .playing, isClaimed: false)).contains(.resumeAtExit([":1.10"])),
            "in the next turn")
    }

    @Test func aLossDuringAnInterruptionTakesPlayersFromTheWatchdog() {
        var players = silence()
        #expect(players.receive(.outputLost) == [.resumeAtExit([])])
    }

    /// The output returns during an interruption. The mutes are the interruption's from then on.
    @Test func afterALossThatIsOverOnlyStreamsWithoutPlayersAreMuted() {
        var players = silence()
        _ = players.receive(.surveyed)
        _ = players.receive(.statusChanged(owner: ":1.10", .paused))
        _ = players.receive(.outputLost)
        #expect(players.receive(.silenceBegan) == [], "they are muted already")
        #expect(!players.findsIdlePlayers)
        #expect(
            players.receive(.statusChanged(owner: ":1.10", .playing)) == [
                .forget(owner: ":1.10"), .resumeAtExit([]),
            ], "its user lets it play")
    }

    @Test func playersStayPausedAfterALossThatIsOver() {
        var players = UnmanagedPlayers()
        _ = players.receive(.outputLost)
        _ = players.receive(.silenceBegan)
        _ = players.receive(.listed(owner: ":1.10", Self.program))
        #expect(
            players.receive(.found(mpv, Self.program, .playing, isClaimed: false)).contains(.resumeAtExit([])))
    }

    @Test func aPlayerThatItsUserPlaysAfterALossOverrulesIt() {
        for isLost in [false, true] {
            var players = UnmanagedPlayers()
            _ = players.receive(isLost ? .outputLost : .silenceBegan)
            _ = players.receive(.listed(owner: ":1.10", Self.program))
            _ = players.receive(.found(mpv, Self.program, .playing, isClaimed: false))
            let early = players.receive(.statusChanged(owner: ":1.10", .playing))
            #expect(!early.contains(.overruled), "it has not paused yet")
            _ = players.receive(.statusChanged(owner: ":1.10", .paused))
            #expect((players.receive(.statusChanged(owner: ":1.10", .playing)).last == .overruled) == isLost)
            // WirePlumber paused it, so it was not found playing.
            _ = players.receive(.listed(owner: ":1.30", ProgramTrace(lineage: [30])))
            #expect(players.receive(.statusChanged(owner: ":1.30", .paused)) == [])
            #expect(players.receive(.statusChanged(owner: ":1.30", .playing)) == (isLost ? [.overruled] : []))
        }
    }

    /// The player executes a *Play* from before the loss, and the survey has not reported it yet.
    @Test func aPlayerThatWasNotKnownToBePausedOverrulesNoLoss() {
        var players = UnmanagedPlayers()
        _ = players.receive(.outputLost)
        _ = players.receive(.listed(owner: ":1.10", Self.program))
        #expect(players.receive(.statusChanged(owner: ":1.10", .playing)) == [])
        _ = players.receive(.found(mpv, Self.program, .paused, isClaimed: false))
        #expect(players.receive(.statusChanged(owner: ":1.10", .playing)) == [.overruled])
        #expect(players.receive(.statusChanged(owner: ":1.10", .playing)) == [])
        _ = players.receive(.surveyed)
        _ = players.receive(.listed(owner: ":1.30", ProgramTrace(lineage: [30])))
        #expect(players.receive(.statusChanged(owner: ":1.30", .playing)) == [.overruled], "its user started it")
    }

    @Test func pausingMutesNoStreamWithoutAPlayer() {
        var players = UnmanagedPlayers()
        #expect(players.receive(.turnBegan) == [.survey])
        _ = players.receive(.streams([Self.stream(2, 20)]))
        #expect(players.receive(.surveyed) == [])
    }

    /// The host shows a player of its own, and so does the program that has started the host.
    @Test func aHostedProgramIsMutedAlsoIfItsHostHasAPlayer() {
        var players = UnmanagedPlayers(.hosted(process: 10))
        _ = players.receive(.silenceBegan)
        _ = players.receive(.listed(owner: ":1.10", ProgramTrace(lineage: [10, 5])))
        _ = players.receive(.listed(owner: ":1.5", ProgramTrace(lineage: [5])))
        let own = UnmanagedPlayer(name: "host", processID: 10, owner: ":1.10")
        let program = ProgramTrace(lineage: [10, 5])
        #expect(players.receive(.found(own, program, .playing, isClaimed: false)) == [], "its session pauses it")
        let child = UnmanagedPlayers.AudibleStream(id: ObjectID(1), program: ProgramTrace(lineage: [20, 10, 5]))
        _ = players.receive(.streams([child]))
        #expect(players.receive(.surveyed) == [.mute([ObjectID(1)])])
    }

    @Test func exceptionsAreNotPaused() {
        let instance = UnmanagedPlayer(name: "mpv.instance-1", processID: 10, owner: ":1.10")
        for (exceptions, isException) in [
            (UnmanagedAudioExceptions(processes: [10]), true), (.init(names: ["MPV"]), true),
            (.init(names: ["mpv.instance-1"]), true), (.init(processes: [11], names: ["vlc"]), false),
        ] {
            var players = UnmanagedPlayers(.others(except: exceptions))
            _ = players.receive(.turnBegan)
            let actions = players.receive(.found(instance, Self.program, .playing, isClaimed: false))
            #expect(actions.isEmpty == isException, "\(exceptions)")
        }
        var hosted = UnmanagedPlayers(.hosted(process: 5))
        _ = hosted.receive(.silenceBegan)
        #expect(hosted.receive(.found(mpv, Self.program, .playing, isClaimed: false)) == [])
        let child = ProgramTrace(lineage: [10, 5])
        #expect(!hosted.receive(.found(mpv, child, .playing, isClaimed: false)).isEmpty)
    }
}
