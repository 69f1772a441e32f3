import Testing

@testable import AudioSessionCore

/// Players that resume after a call only when the headset plays music again.
@Suite struct UnmanagedHeadsetTests: UnmanagedPlayersFixtures {
    private static func outputs(_ type: PortType) -> UnmanagedPlayers.Event {
        .outputsRead([
            PortDescription(
                type: type, name: "", uid: "\(type)", direction: .output, deviceName: "bluez_card.02_00")
        ])
    }

    /// A player that was paused for a call, for which the headset left its mode for music.
    private static func withHeadsetInCall() -> (UnmanagedPlayers, UnmanagedPlayer) {
        var (players, mpv) = withPausedPlayer()
        _ = players.receive(outputs(.bluetoothA2DP))
        _ = players.receive(outputs(.bluetoothHFP))
        return (players, mpv)
    }

    @Test func aPlayerResumesWhenTheHeadsetHasLeftItsModeForCalls() {
        var (players, mpv) = Self.withHeadsetInCall()
        #expect(players.receive(.turnEnded(restores: true)) == [.awaitHeadset(true)])
        #expect(players.receive(.turnEnded(restores: true)) == [], "it is over already")
        #expect(players.receive(Self.outputs(.bluetoothHFP)) == [])
        #expect(players.silenced == [mpv] && !players.isIdle)
        #expect(players.receive(Self.found(browser, .playing)) == [], "its user plays it after the call")
        #expect(
            players.receive(Self.outputs(.bluetoothA2DP)) == [.awaitHeadset(false), .release(owner: ":1.10")])
        #expect(players.receive(.released(owner: ":1.10", isClaimed: false)).contains(.resume(owner: ":1.10")))
        #expect(players.receive(.headsetLate) == [])
    }

    @Test func aPlayerResumesIfTheHeadsetStaysInItsModeForCalls() {
        var (players, _) = Self.withHeadsetInCall()
        _ = players.receive(.turnEnded(restores: true))
        #expect(players.receive(.headsetLate) == [.awaitHeadset(false), .release(owner: ":1.10")])
    }

    /// The session was interrupted by the call, and has not returned.
    @Test func theHeadsetIsAwaitedAlsoAfterTheTimeForTheSessionToReturn() {
        var (players, _) = Self.withHeadsetInCall()
        #expect(players.receive(.turnPaused) == [.wait(true)])
        #expect(players.receive(.timer) == [.wait(false), .awaitHeadset(true)])
        #expect(
            players.receive(Self.outputs(.bluetoothA2DP)) == [.awaitHeadset(false), .release(owner: ":1.10")])
    }

    @Test func aPlayerStaysPausedWhenTheHeadsetIsLostAfterACall() {
        var (players, mpv) = Self.withHeadsetInCall()
        _ = players.receive(.turnEnded(restores: true))
        #expect(
            players.receive(Self.outputs(.builtInSpeaker)) == [
                .awaitHeadset(false), .forget(owner: ":1.10"), .notify(.released(mpv)), .resumeAtExit([]), .dismiss,
            ])
    }

    @Test func aPlayerThatItsUserControlsBeforeTheHeadsetIsBackIsNotResumed() {
        var (players, mpv) = Self.withHeadsetInCall()
        _ = players.receive(.turnEnded(restores: true))
        #expect(
            players.receive(.statusChanged(owner: mpv.owner, .playing)) == [
                .forget(owner: ":1.10"), .resumeAtExit([]), .notify(.released(mpv)), .awaitHeadset(false), .dismiss,
            ])
        #expect(players.isIdle, "no other player waits")
        _ = players.receive(.statusChanged(owner: mpv.owner, .paused))
        #expect(players.receive(Self.outputs(.bluetoothA2DP)) == [])
    }

    @Test func theHeadsetIsNotAwaitedAfterTheBusIsLost() {
        var (players, _) = Self.withHeadsetInCall()
        _ = players.receive(.turnEnded(restores: true))
        #expect(players.receive(.busLost(reason: "gone")).contains(.awaitHeadset(false)))
        #expect(players.isIdle)
    }

    /// The session manager does not stop it, and it is not resumed.
    @Test(arguments: [false, true]) func aPlayerThatRefusesPauseIsHeardWithoutTheHeadset(isAnotherPaused: Bool) {
        var players = Self.withAskedPlayer()
        _ = players.receive(Self.outputs(.bluetoothA2DP))
        _ = players.receive(Self.outputs(.bluetoothHFP))
        _ = players.receive(.pauseFailed(owner: ":1.10"))
        _ = players.receive(.timeOver(owner: ":1.10"))
        if isAnotherPaused { _ = players.receive(Self.found(browser, .paused, isClaimed: true)) }
        let actions = players.receive(.turnEnded(restores: true))
        #expect(actions.contains(.mute([])) && actions.contains(.notify(.released(mpv))))
        #expect(actions.contains(.awaitHeadset(true)) == isAnotherPaused)
        #expect(players.silenced == (isAnotherPaused ? [browser] : []))
        #expect(players.isIdle != isAnotherPaused)
    }

    @Test func theNextCallBeginsBeforeTheHeadsetIsBack() {
        var (players, _) = Self.withHeadsetInCall()
        _ = players.receive(.turnEnded(restores: true))
        #expect(players.receive(.turnBegan) == [.awaitHeadset(false), .survey])
        #expect(players.receive(Self.outputs(.bluetoothA2DP)) == [])
        #expect(players.receive(Self.found(browser, .playing)).contains(.pause(owner: ":1.20")))
        #expect(players.receive(.turnEnded(restores: true)).contains(.release(owner: ":1.10")))
    }

    /// A stream without a player, and a turn that ends without advice.
    @Test func onlyPlayersThatResumeWaitForTheHeadset() {
        var players = players
        _ = players.receive(Self.outputs(.bluetoothA2DP))
        _ = players.receive(Self.outputs(.bluetoothHFP))
        _ = players.receive(.silenceBegan)
        #expect(players.receive(.turnEnded(restores: true)).contains(.dismiss))
        var (paused, _) = Self.withHeadsetInCall()
        #expect(paused.receive(.turnEnded(restores: false)).contains(.forget(owner: ":1.10")))
    }
}
