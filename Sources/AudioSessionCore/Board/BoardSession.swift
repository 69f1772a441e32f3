/// One session of this process, with its place and the history that nobody else knows.
struct BoardSession: Sendable {
    let id: SessionUUID
    /// For the next activation. The place may have been granted for other traits.
    var wanted: TokenTraits
    var state = State.inactive
    var hold = Hold.none
    var asking: PendingRequest?
    /// Requests that wait until PipeWire has spoken about the one before.
    var queue: [QueuedRequest] = []
    /// The token that puts the session back in its place after a request that timed out. The stack means nothing to the
    /// session until PipeWire has echoed it: the withdrawn token, if it is granted late, comes before this one.
    var reinstatement: TokenName?
    var isStoppedByRouteLoss = false

    /// Everyone who has interrupted it and stands, and whether their kind leaves with notice.
    var blockers: [SessionKey: Bool] = [:]
    var areAllNotified = true
    /// The version of the stack that the session was last evaluated by.
    var seen: UInt64 = 0

    /// What duckers leave.
    var duckedGain = TokenTraits.fullGain
    var duckers: [AudioSessionCause] = []
    /// By silent mode.
    var isSilenced = false
    var others = OtherSessions()

    enum State: Sendable, Hashable {
        case inactive, active, interrupted
        case advised(until: MonotonicTime)
    }

    /// What the session has of the stack.
    enum Hold: Sendable {
        case none
        case granted(GrantedPlace)
        /// It gave up its place while PipeWire was away: others are still to be notified, and whether they may resume.
        case releasePending(GrantedPlace, notify: Bool)
    }

    /// A place that was granted.
    struct GrantedPlace: Sendable {
        var token: TokenName
        var place: TokenPlace
        var traits: TokenTraits
        /// How often somebody else destroyed a token of this place.
        var removals = 0
    }

    struct PendingRequest: Sendable {
        let name: TokenName
        let traits: TokenTraits
        let isChange: Bool
        let request: BoardRequestID?
        /// When the request times out.
        let deadline: MonotonicTime
        /// The token before was refused because it seemed to have been held back.
        var isRepeated = false
    }

    struct QueuedRequest: Sendable {
        let request: BoardRequest
        /// `nil` if no caller waits for it.
        let id: BoardRequestID?
        let deadline: MonotonicTime
    }

    static let largestQueue = 32

    init(_ id: SessionUUID, _ traits: TokenTraits) {
        self.id = id
        wanted = traits
    }

    /// How a new token says what the state is.
    var tokenState: TokenContents.State {
        switch state {
        case .active, .inactive: .standing
        case .interrupted: .waiting
        case .advised: .advised
        }
    }

    /// Whether only a change of who is active, or of its own place, can mean anything to it.
    func isAtRest(_ now: MonotonicTime) -> Bool {
        guard asking == nil, queue.isEmpty else { return false }
        switch state {
        case .inactive, .active: return true
        case .advised(let until): return until > now
        case .interrupted: return false
        }
    }

    var standing: GrantedPlace? {
        get { if case .granted(let place) = hold { place } else { nil } }
        set { hold = newValue.map(Hold.granted) ?? .none }
    }

    var gain: UInt16 { isSilenced ? 0 : duckedGain }

    mutating func resetSound(_ others: OtherSessions) {
        duckedGain = TokenTraits.fullGain
        duckers = []
        isSilenced = false
        self.others = others
    }
}
