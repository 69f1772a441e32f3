import AudioSessionCore

/// One session's state machine, its surroundings and its participants.
struct SessionStage {
    static let cause = AudioSessionPeer(
        session: AudioSessionID("6ba7b810-9dad-41d1-80b4-00c04fd430c8")!, applicationName: "Phone", processID: 70)

    struct Surroundings: SessionSurroundings {
        var graph: AudioGraph? = AudioGraph()
        var status: SessionStatus? = .inactive
        var others = OtherSessions()
        var now = SessionStage.time(10)
    }

    enum Kind { case player, recorder }

    var machine: SessionStateMachine
    var surroundings = Surroundings()
    private var facts: [ParticipantID: ParticipantFacts] = [:]
    private var participants: [Participant] = []

    private final class Participant {}

    init(_ configuration: AudioSessionConfiguration = AudioSessionConfiguration(.playback)) {
        machine = SessionStateMachine(configuration)
        _ = receive(.lifecycle(.opened))
    }

    static func time(_ seconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    static func port(_ uid: String) -> PortDescription {
        PortDescription(type: .headphones, name: uid, uid: uid, direction: .output)
    }

    /// The actions besides the notification of other silence reasons.
    mutating func receive(_ input: SessionInput) -> [SessionAction] {
        receiveAll(input).filter { !$0.isSilenceChange }
    }

    mutating func receiveAll(_ input: SessionInput) -> [SessionAction] { machine.receive(input, in: surroundings) }

    @discardableResult
    mutating func activate() -> [SessionAction] {
        surroundings.status = .active()
        return receive(.arbitration(.activated))
    }

    mutating func interrupt() {
        activate()
        surroundings.status = .interrupted
        _ = receive(.arbitration(.began(by: Self.cause)))
    }

    /// The session's interruption has ended, and it holds its claim.
    mutating func advise() {
        interrupt()
        surroundings.status = .advised
        _ = receive(.arbitration(.ended(shouldResume: true, withNotice: true)))
    }

    @discardableResult
    mutating func join(_ kind: Kind, _ change: (inout ParticipantFacts) -> Void = { _ in }) -> ParticipantID {
        let participant = Participant()
        participants.append(participant)
        let id = ParticipantID(participant)
        var new = ParticipantFacts()
        new.isHeard = kind == .player
        change(&new)
        facts[id] = new
        _ = receive(.participant(id, .joined(new)))
        return id
    }

    mutating func change(_ id: ParticipantID, _ change: (inout ParticipantFacts) -> Void) -> [SessionAction] {
        change(&facts[id, default: ParticipantFacts()])
        return receive(.participant(id, .changed(facts[id, default: ParticipantFacts()])))
    }

    /// The participant's streams have moved.
    mutating func move(_ id: ParticipantID, _ change: (inout ParticipantFacts) -> Void) -> [SessionAction] {
        change(&facts[id, default: ParticipantFacts()])
        return receive(.participant(id, .moved(facts[id, default: ParticipantFacts()])))
    }

    /// The session's output has changed to this port.
    mutating func move(to port: PortDescription) -> [SessionAction] {
        let new = RouteDescription(inputs: [], outputs: [port])
        let change = RouteChange(
            reason: .newDeviceAvailable, previous: machine.route ?? new, current: new, time: surroundings.now)
        return receive(.route(.changed(change)))
    }

    /// A player whose headphones were pulled while it played, in a session that asked for advice.
    @discardableResult
    mutating func stoppedByLoss() -> ParticipantID {
        var configuration = machine.configuration
        configuration.resumesOnReplug = true
        _ = receive(.configuration(.policies(configuration)))
        let player = join(.player)
        activate()
        _ = change(player) { $0.isRunning = true }
        _ = receive(.participant(player, .losesOutput("headphones", at: Self.time(1))))
        _ = change(player) { ($0.isRunning, $0.isStoppedByRouteLoss) = (false, true) }
        return player
    }

    /// Whether all of these are among the actions, in this order.
    func order(_ actions: [SessionAction], _ wanted: SessionAction...) -> Bool {
        var rest = actions[...]
        for action in wanted {
            guard let place = rest.firstIndex(of: action) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
}

extension SessionAction {
    var isSilenceChange: Bool { if case .notify(.silenceReasonsChanged) = self { true } else { false } }

    var isChoiceOfTargets: Bool {
        switch self {
        case .ask(.setTargets), .ask(.adoptTargets): true
        default: false
        }
    }
}

extension SessionStatus {
    static let inactive = SessionStatus(.inactive)
    static let advised = SessionStatus(.advised)
    static let interrupted = SessionStatus(.interrupted, interruptedBy: [SessionStage.cause])

    static func active(duckedGain: Float = 1, isSilenced: Bool = false) -> Self {
        var status = SessionStatus(.active, gain: duckedGain, duckedBy: duckedGain < 1 ? [SessionStage.cause] : [])
        status.isSilenced = isSilenced
        return status
    }

    private init(
        _ state: State, gain: Float = 1, interruptedBy: [AudioSessionPeer] = [], duckedBy: [AudioSessionPeer] = []
    ) {
        let id = SessionStage.cause
        self.init(
            id: id, traits: TokenTraits(), state: state, interruptedBy: interruptedBy, gain: gain, duckedBy: duckedBy)
    }
}
