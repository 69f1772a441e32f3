/// The state machine of a session. It decides the session's state and what its participants and
/// listeners are notified of.
///
/// Arbitration (`ArbitrationStateMachine`) decides which sessions are active, and
/// ``RouteStateMachine`` decides the routes. This state machine decides the consequences for one
/// session. The driver executes the actions in order, and an input that they cause is received
/// after the last of them.
package struct SessionStateMachine: Sendable {
    package enum Phase: Sendable { case unopened, open, managerClosed, closed }

    package private(set) var phase = Phase.unopened
    /// The configuration that the program set last. PipeWire may not have granted it yet.
    package private(set) var configuration: AudioSessionConfiguration
    private var grantedConfiguration: AudioSessionConfiguration
    package private(set) var state = AudioSessionState.inactive
    /// The gain that arbitration applies to the session's sound.
    package private(set) var gain: Float = 1
    package internal(set) var silenceReasons: [AudioSessionSilenceReason] = [.inactive]
    /// Whether the session was last deactivated without notice to others.
    package private(set) var leavesSilently = false
    /// The session's route; `nil` until the session is open.
    package internal(set) var route: RouteDescription?
    package internal(set) var chooser = RouteChooser()
    /// The choice of ports that listeners know or are about to know; `nil` for the default ports.
    package internal(set) var presentedChoice: RouteChoice?
    package private(set) var soundPreferences: SoundPreferences
    /// The audio of other programs. Only a snapshot of the state machine is to be set from outside.
    package var otherAudio = OtherAudio()
    var participants: [ParticipantID: ParticipantFacts] = [:]
    /// The last request to follow the participants' streams.
    var followedStreams = SessionAction.ask(.setStreams([], recordingFrom: []))
    var losses = RouteLosses()
    var replug = ReplugStateMachine()
    /// The number of requests for a place with another configuration that PipeWire has not
    /// answered.
    private var pendingConfigurations = 0
    /// Whether the session's listeners were notified of the loss of PipeWire.
    package private(set) var isServiceLost = false
    /// Whether the active session's category, mode or options changed while PipeWire was away.
    private var isCategoryChangeUnreported = false
    private var reportedHint = SilenceSecondaryAudioHintType.end
    private var reportedSilence: [AudioSessionSilenceReason] = [.inactive]
    /// The actions of the input that is being received.
    var actions: [SessionAction] = []
    /// When the input that is being received happened.
    package private(set) var now = MonotonicTime(nanoseconds: 0)

    package init(
        _ configuration: AudioSessionConfiguration, preferring soundPreferences: SoundPreferences = SoundPreferences()
    ) {
        self.configuration = configuration
        grantedConfiguration = configuration
        self.soundPreferences = soundPreferences
        _ = replug.receive(.asked(within: configuration.adviceTimeout))
    }

    package mutating func receive(
        _ input: SessionInput, in surroundings: some SessionSurroundings
    ) -> [SessionAction] {
        defer { actions = [] }
        now = surroundings.now
        guard phase != .closed else { return closed(input) }
        switch input {
        case .lifecycle(let change): lifecycle(change, surroundings)
        case .configuration(let change): configure(change, surroundings)
        case .arbitration(let event): arbitrated(event, surroundings)
        case .othersChanged(let others): changeOtherAudio { $0.sessions = others }
        case .othersStreaming(let areStreaming): changeOtherAudio { $0.areStreaming = areStreaming }
        case .participant(let id, let change): participantChanged(id, change, surroundings)
        case .route(let input): routeChanged(input, surroundings)
        case .sound(.preferred(let preferences)): prefer(preferences, surroundings)
        case .sound(.read(let scope)): if phase == .open { actions.append(.readSound(scope)) }
        case .slept(let duration): receive(replug: .slept(duration), surroundings)
        case .surroundingsChanged: updateSilence(surroundings)
        case .services(.lost):
            isServiceLost = true
            actions.append(.send(.connectionLost))
            receive(replug: .overruled, surroundings)
            updateSilence(surroundings)
            actions.append(.notify(.mediaServicesLost(at: now)))
        case .services(.back): actions.append(.ask(.followAgain(routeTargets)))
        case .services(.reset(let route)): servicesReset(route, surroundings)
        }
        // It is the last one, because the event that explains the change comes first.
        if phase == .open, silenceReasons != reportedSilence {
            reportedSilence = silenceReasons
            actions.append(.notify(.silenceReasonsChanged(silenceReasons, at: now)))
        }
        return actions
    }

    /// Makes a participant's report readable before its input is received, which may have to wait.
    package mutating func preview(
        _ change: SessionInput.ParticipantChange, of id: ParticipantID, in surroundings: some SessionSurroundings
    ) {
        defer { actions = [] }
        guard phase != .closed, participants[id] != nil, let facts = change.facts else { return }
        participants[id] = facts
        updateSilence(surroundings)
    }

    /// Receives the input of a closed session, which only reverts a configuration that was not
    /// granted.
    private mutating func closed(_ input: SessionInput) -> [SessionAction] {
        guard case .configuration(.denied) = input, configuration != grantedConfiguration else { return [] }
        configuration = grantedConfiguration
        return [.publish]
    }

    // MARK: Lifecycle

    /// Whether arbitration knows the session.
    package var isOpen: Bool { phase == .open || phase == .managerClosed }

    private mutating func lifecycle(_ change: SessionInput.Lifecycle, _ surroundings: some SessionSurroundings) {
        switch change {
        case .opened:
            guard phase == .unopened else { return }
            phase = .open
            publish()
            actions += [.ask(.open(TokenTraits(configuration), routeTargets)), .updateSound]
        case .refused:
            phase = .unopened
            actions.append(.ask(.close))
        case .activating:
            guard state == .active else { return }
            actions.append(.send(.activatedAgain))
            // A program that activates its active session is about to play, so it needs no advice.
            guard losses.isOwnSoundStopped else { return }
            receive(replug: .overruled, surroundings)
            forgetOwnLoss()
        case .lossIgnored: forgetOwnLoss()
        case .deactivating(let notify):
            receive(replug: .overruled, surroundings)
            leavesSilently = !notify
            actions.append(.send(.deactivated(isFinal: false)))
            publish()
        case .closed:
            let wasOpen = isOpen
            end(as: .closed)
            if wasOpen { actions.append(.ask(.close)) }
        case .managerClosed: end(as: .managerClosed)
        }
    }

    private mutating func end(as end: Phase) {
        phase = end
        (state, gain, silenceReasons) = (.inactive, 1, [.inactive])
        actions.append(.send(.deactivated(isFinal: true)))
        publish()
        actions.append(.endEvents)
    }

    // MARK: Sound

    private mutating func prefer(_ new: SoundPreferences, _ surroundings: some SessionSurroundings) {
        let old = soundPreferences
        guard new != old else { return }
        soundPreferences = new
        publish()
        // Without a connection there is no stream that would take them.
        let properties = new.streamProperties(surroundings.graph?.clock ?? ClockSettings(), instead: old)
        if !properties.isEmpty {
            actions.append(.send(.properties(properties.map { StreamProperty($0.0, $0.1) })))
        }
        if phase == .open { actions.append(.updateSound) }
    }

    // MARK: Configuration

    private mutating func configure(
        _ change: SessionInput.ConfigurationChange, _ surroundings: some SessionSurroundings
    ) {
        switch change {
        case .requested(let new):
            set(new, surroundings)
            pendingConfigurations += 1
        case .granted(let granted):
            pendingConfigurations -= 1
            let old = grantedConfiguration
            grantedConfiguration = isSet(granted) ? configuration : granted
            revertToGranted(surroundings)
            updateGain(surroundings)
            if configuration.category != old.category { chooser.endOverride() }
            let isOther =
                (configuration.category, configuration.mode, configuration.options)
                != (old.category, old.mode, old.options)
            if isOther, state == .active, surroundings.graph == nil { isCategoryChangeUnreported = true }
            chooseRoute(isOther ? .categoryChange : nil, surroundings)
            actions.append(.send(.reconfigured))
        case .denied:
            pendingConfigurations -= 1
            revertToGranted(surroundings)
            publish()
            chooseRoute(nil, surroundings)
        case .policies(let new):
            grantedConfiguration = grantedConfiguration.withPolicies(of: new)
            set(configuration.withPolicies(of: new), surroundings)
            actions.append(.send(.reconfigured))
        }
    }

    private mutating func set(_ new: AudioSessionConfiguration, _ surroundings: some SessionSurroundings) {
        let old = configuration
        configuration = new
        publish()
        guard new.adviceTimeout != old.adviceTimeout else { return }
        receive(replug: .asked(within: new.adviceTimeout), surroundings)
    }

    /// Takes back what was not granted, unless a later request is open.
    private mutating func revertToGranted(_ surroundings: some SessionSurroundings) {
        guard !isReconfiguring, !isSet(grantedConfiguration) else { return }
        set(grantedConfiguration, surroundings)
    }

    /// Whether this configuration was set last, apart from policies, which may be set later.
    private func isSet(_ other: AudioSessionConfiguration) -> Bool {
        configuration.withPolicies(of: other) == other
    }

    /// Whether PipeWire has not answered the request for a configuration.
    package var isReconfiguring: Bool { pendingConfigurations > 0 }

    // MARK: Arbitration

    private mutating func arbitrated(
        _ event: ArbitrationEvent, _ surroundings: some SessionSurroundings
    ) {
        switch event {
        case .activated:
            leavesSilently = false
            // Sessions that this one interrupted do not count any more.
            readOthers(surroundings)
            // The gain is set before streams start, so that not even the first frame is too loud.
            setGain(ofPlayback(surroundings.status?.gain ?? 1))
            // An active session that is activated again had its configuration changed, which does
            // not end a loss.
            if state != .active { receive(replug: .activationChanged, surroundings) }
            change(to: .active, surroundings)
            forgetOwnLoss()
            // Streams are created for the route that is chosen here.
            chooseRoute(nil, surroundings)
            actions.append(.send(.activated))
        case .deactivated, .placeLost:
            // A participant may have started while the deactivation waited for its turn.
            actions.append(.send(.deactivated(isFinal: false)))
            becomeInactive(surroundings)
        case .began(let cause):
            receive(replug: .interrupted, surroundings)
            // A session that is interrupted once more has stopped its recorder before.
            if state == .active { losses.wasRecording = isRecording }
            actions.append(.send(.interrupted))
            let began = AudioSessionEvent.interruptionBegan(
                reason: .default, by: cause, at: now)
            change(to: .interrupted, notifying: began, surroundings)
            chooseRoute(nil, surroundings)
        case .ended(let shouldResume, let withNotice):
            let ended = AudioSessionEvent.interruptionEnded(
                options: shouldResume ? .shouldResume : [], at: now)
            change(to: .inactive, notifying: ended, surroundings)
            actions.append(.send(.interruptionEnded(shouldResume: shouldResume)))
            receive(replug: .ended(withNotice: withNotice), surroundings)
            forgetOwnLoss()
            // Without advice there is no claim that could lapse.
            if !shouldResume { endOverride(surroundings) }
        case .claimLapsed:
            updateSilence(surroundings)
            forgetOwnLoss()
            endOverride(surroundings)
        case .ducking(let new, let causes):
            setGain(ofPlayback(Float(new) / Float(TokenTraits.fullGain)))
            updateSilence(surroundings)
            guard grantedConfiguration.allowsPlayback else { return }
            actions.append(.notify(.ducking(gain: gain, by: causes, at: now)))
        case .causesChanged: updateSilence(surroundings)
        case .others(let others): changeOtherAudio { $0.sessions = others }
        }
    }

    private mutating func becomeInactive(_ surroundings: some SessionSurroundings) {
        receive(replug: .activationChanged, surroundings)
        change(to: .inactive, surroundings)
        forgetOwnLoss()
        endOverride(surroundings)
    }

    private mutating func change(
        to new: AudioSessionState, notifying event: AudioSessionEvent? = nil,
        _ surroundings: some SessionSurroundings
    ) {
        let isNew = new != state
        state = new
        if new != .active { setGain(1) }
        updateSilence(surroundings)
        if let event { actions.append(.notify(event)) }
        if isNew { actions.append(.notify(.stateChanged(new, at: now))) }
        if new == .active { updateHint() }
    }

    /// Returns the gain for sound that is played. Recorded sound is not ducked.
    private func ofPlayback(_ gain: Float) -> Float { grantedConfiguration.allowsPlayback ? gain : 1 }

    /// Follows a change between categories that play and that only record.
    private mutating func updateGain(_ surroundings: some SessionSurroundings) {
        let new = ofPlayback(surroundings.status?.gain ?? 1)
        guard state == .active, new != gain else { return }
        setGain(new)
        // Silent mode has no peer, and neither has full gain.
        let isDucked = new < 1 && surroundings.status?.isSilenced == false
        let causes = isDucked ? surroundings.status?.duckedBy ?? [] : []
        actions.append(.notify(.ducking(gain: new, by: causes, at: now)))
    }

    private mutating func setGain(_ new: Float) {
        guard new != gain else { return }
        gain = new
        actions.append(.send(.ducked(new)))
    }

    private mutating func servicesReset(
        _ new: RouteDescription?, _ surroundings: some SessionSurroundings
    ) {
        let previous = route
        if let new { route = new }
        updateSilence(surroundings)
        publish()
        // A session that was made meanwhile has not been notified of the loss.
        if isServiceLost { actions.append(.notify(.mediaServicesReset(at: now))) }
        isServiceLost = false
        chooser.noteRestart()
        chooseRoute(nil, surroundings)
        actions.append(.send(.targetChanged(nil)))
        let isCategoryNew = isCategoryChangeUnreported && state == .active
        isCategoryChangeUnreported = false
        if let previous, let new, isCategoryNew || previous != new {
            let change = RouteChange(
                reason: isCategoryNew ? .categoryChange : .unknown, previous: previous, current: new, time: now)
            actions.append(.notify(.routeChanged(change)))
        }
        actions.append(.updateSound)
    }

    /// Publishes once per input, because only the state after the input matters.
    mutating func publish() { if !actions.contains(.publish) { actions.append(.publish) } }

    // MARK: Other audio

    /// Reads other sessions for an active session. Inactive sessions read them on request.
    mutating func readOthers(_ surroundings: some SessionSurroundings) {
        if state != .active { changeOtherAudio { $0.sessions = surroundings.others } }
    }

    private mutating func changeOtherAudio(_ change: (inout OtherAudio) -> Void) {
        let old = otherAudio
        change(&otherAudio)
        guard otherAudio != old else { return }
        actions.append(.publishOtherAudio)
        updateHint()
    }

    private mutating func updateHint() {
        let hint = otherAudio.isPrimaryPlaying ? SilenceSecondaryAudioHintType.begin : .end
        guard state == .active, hint != reportedHint else { return }
        reportedHint = hint
        actions.append(.notify(.silenceSecondaryAudioHint(hint, at: now)))
    }
}
