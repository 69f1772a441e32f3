import AudioSessionCore
import AudioSessionPlayback
import TestSupport
import Testing

/// Requests that wait for the session's activation, and their cancellation.
@Suite struct PlayerActivationTests {
    private let a = AudioPlayer.Item.made("a")
    private static let onHeadphones = RouteDescription(outputs: [headphones])

    private func loaded(resumes: Bool = true) -> PlayerModel {
        var player = PlayerModel(resumesAfterInterruption: resumes)
        player.send(.load([a]))
        return player
    }

    private func interrupted(resumes: Bool = true) -> PlayerModel {
        var player = loaded(resumes: resumes)
        player.start([a])
        player.send(.sessionInterrupted)
        return player
    }

    @Test(arguments: [
        (AudioSessionState.active, AudioPlayer.State.playing), (.interrupted, .paused(reason: .interrupted)),
        (.inactive, .stopped),
    ])
    func aRequestToPlayIsGrantedOnce(in session: AudioSessionState, leadsTo state: AudioPlayer.State) {
        var player = loaded()
        player.send(.play(in: .inactive))
        player.send(.activated(.play, session, on: Self.onHeadphones))
        #expect(player.state == state)
        player.send(.stop)
        player.send(.activated(.play, .active, on: Self.onHeadphones))
        #expect(player.state == .stopped)
    }

    @Test(arguments: [
        PlayerEvent.pause, .stop, .load([.made("b")]), .playback(.sessionInterrupted),
        .playback(.configurationChanged(allowsPlayback: false)),
    ])
    func eventsThatEndPlayingCancelARequest(event: PlayerEvent) {
        var player = loaded()
        player.send(.play(in: .active))
        player.send(.sessionDeactivated)
        player.send(.play(in: .inactive))
        // A request by another caller has been granted before.
        if case .playback(.sessionInterrupted) = event { player.send(.play(in: .active)) }
        player.send(event)
        let state = player.state
        player.send(.activated(.play, .active, on: Self.onHeadphones))
        #expect(player.state == state && state != .playing)
    }

    @Test func aRequestAfterAPauseCounts() {
        var player = loaded()
        player.send(.play(in: .inactive))
        player.send(.pause)
        player.send(.play(in: .inactive))
        player.send(.activated(.play, .active, on: Self.onHeadphones))
        #expect(player.state == .playing)
    }

    @Test(arguments: [true, false]) func adviceToResumeActivatesTheSession(resumes: Bool) {
        var player = interrupted(resumes: resumes)
        player.send(.interruptionEnded(shouldResume: true))
        #expect(player.activations == (resumes ? [.resume] : []))
        player.send(.activated(.resume, .active, on: Self.onHeadphones))
        #expect(player.state == (resumes ? .playing : .paused(reason: .interrupted)))
    }

    @Test func aPauseOverrulesTheAdvice() {
        var player = interrupted()
        player.send(.interruptionEnded(shouldResume: true))
        player.send(.pause)
        player.send(.activated(.resume, .active, on: Self.onHeadphones))
        #expect(player.state == .paused(reason: .user))
    }

    /// A call ends while the headphones are pulled. The activation may be granted already.
    @Test(arguments: [AudioSessionState.inactive, .active]) func aLossOverrulesAdvice(in session: AudioSessionState) {
        var player = interrupted()
        player.send(.routeEndangered)
        player.send(.interruptionEnded(shouldResume: true))
        player.send(.outputLost(headphones, at: pulled.time, in: session, pauses: true))
        #expect(player.state == .paused(reason: .routeLost))
        player.send(.activated(.resume, .active, on: Self.onHeadphones))
        #expect(player.state == .paused(reason: .routeLost))
    }

    @Test(arguments: [false, true]) func afterALossOfPipeWireNoAdviceResumes(isAsked: Bool) {
        var player = interrupted()
        if isAsked { player.send(.play(in: .interrupted)) }
        _ = player.takeNotifications()
        player.send(.connectionLost)
        #expect(player.takeNotifications() == [.stateChanged(.paused(reason: .mediaServicesLost))])
        player.send(.interruptionEnded(shouldResume: true))
        player.send(.sessionActivated)
        #expect(player.activations.isEmpty && player.state == .paused(reason: .mediaServicesLost))
    }

    /// The request survives a refusal, and another interruption right after it.
    @Test func aPlayerThatIsInterruptedAgainResumesLater() {
        var player = interrupted()
        player.send(.interruptionEnded(shouldResume: true))
        player.send(.sessionInterrupted)
        player.send(.interruptionEnded(shouldResume: true))
        player.send(.activated(.resume, .interrupted, on: Self.onHeadphones))
        #expect(player.state == .paused(reason: .interrupted))
        player.send(.sessionActivated)
        #expect(player.state == .playing)
    }

    /// A request to resume fails, for example, because PipeWire did not answer.
    @Test func aRequestToResumeThatFailedDoesNotCountLater() {
        var player = interrupted()
        player.send(.interruptionEnded(shouldResume: true))
        player.send(.activated(.resume, .inactive, on: Self.onHeadphones))
        player.send(.sessionActivated)
        player.send(.sessionInterrupted)
        player.send(.interruptionEnded(shouldResume: true))
        #expect(player.activations == [.resume] && player.state == .paused(reason: .interrupted))
    }

    /// The program has activated its session for another player.
    @Test func aPlayerThatWasSilentAtALaterInterruptionStaysSilent() {
        var player = interrupted()
        player.send(.sessionActivated)
        player.send(.sessionInterrupted)
        player.send(.interruptionEnded(shouldResume: true))
        #expect(player.activations.isEmpty && player.state == .paused(reason: .interrupted))
    }

    @Test(arguments: [headphones, speaker]) func aReplugResumesOnTheSameOutput(port: PortDescription) {
        var player = loaded()
        player.start([a])
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        player.send(.outputRegained(Self.onHeadphones))
        #expect(player.activations == [.replug(Self.onHeadphones)])
        player.send(.activated(.replug(Self.onHeadphones), .active, on: RouteDescription(outputs: [port])))
        #expect(player.state == (port == headphones ? .playing : .paused(reason: .routeLost)))
    }

    /// A call that has just ended may still switch the headset.
    @Test func aReplugResumesOnTheSameHeadsetInEitherMode() {
        let modes = [PortType.bluetoothHFP, .bluetoothA2DP].map { type in
            PortDescription(
                type: type, name: "Headset", uid: type.rawValue, direction: .output, deviceName: "bluez_card.1")
        }
        var player = loaded()
        player.start([a])
        player.send(.outputLost(modes[1], at: pulled.time, in: .active, pauses: true))
        let regained = RouteDescription(outputs: [modes[0]])
        player.send(.outputRegained(regained))
        player.send(.activated(.replug(regained), .active, on: RouteDescription(outputs: [modes[1]])))
        #expect(player.state == .playing)
    }

    // MARK: Messages

    @Test func theSessionReceivesTheLossBeforeThePause() {
        var player = loaded()
        player.start([a])
        let before = player.reports.count
        player.send(.outputLost(headphones, at: pulled.time, in: .active, pauses: true))
        let reports = player.reports[before...]
        #expect(reports.first == .losesOutput(headphones.uid, at: pulled.time))
        guard case .changed(let facts)? = reports.last else { return #expect(Bool(false), "\(reports)") }
        #expect(facts.isStoppedByRouteLoss && !facts.isRunning && facts.title == nil)
    }

    @Test func theSessionReceivesPlayingAndThenTheStream() {
        var player = loaded()
        player.start([a])
        var facts = ParticipantFacts()
        (facts.isRunning, facts.title) = (true, "a")
        #expect(player.reports.first == .changed(facts))
        facts.streams = player.streams
        #expect(!facts.streams.isEmpty && player.reports.last == .moved(facts))
    }

    @Test func aPlayerJoinsAndLeaves() {
        var player = loaded()
        player.send(.join)
        #expect(player.reports == [.joined(player.machine.facts)] && player.requests == [.follow])
        player.send(.play(in: .active))
        player.send(.close)
        #expect(player.reports.last == .left && player.requests == [.follow, .unfollow])
    }
}
