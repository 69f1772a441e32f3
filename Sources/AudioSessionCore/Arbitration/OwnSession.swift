/// A session of this process, with its place and the part of its history that only this process
/// knows.
struct OwnSession: Sendable {
    let id: AudioSessionID
    /// The traits for the next activation. The place may have been granted for other traits.
    var wanted: TokenTraits
    /// Whether the session has won a place with the configuration that was set last.
    var isConfigurationGranted = false
    var state = State.inactive
    var hold = Hold.none
    var asking: PendingRequest?
    /// The requests that wait until PipeWire has answered the one before.
    var queue: [QueuedRequest] = []
    /// The token that puts the session back in its place after a request that timed out.
    ///
    /// The stack is not evaluated for the session until PipeWire has echoed it, because the
    /// withdrawn token, if it is granted late, precedes this one.
    var reinstatement: TokenName?
    var isStoppedByRouteLoss = false

    /// The standing sessions that have interrupted this one, and whether their kind normally leaves
    /// with notice.
    var blockers: [SessionKey: Bool] = [:]
    var areAllNotified = true
    /// The version of the stack by which the session was last evaluated.
    var evaluatedVersion: UInt64 = 0

    /// The gain to which others duck the session.
    var duckedGain = TokenTraits.fullGain
    var duckers: [AudioSessionPeer] = []
    /// Whether silent mode silences the session.
    var isSilenced = false
    var others = OtherSessions()

    enum State: Sendable, Hashable {
        case inactive, active, interrupted
        case advised(until: MonotonicTime)
    }

    /// The session's claim to a place in the stack.
    enum Hold: Sendable {
        case none
        case granted(GrantedPlace)
        /// The session released its place while PipeWire was away. Others must still be notified,
        /// with this advice.
        case releasePending(GrantedPlace, notify: Bool)
    }

    /// A place in the stack that was granted.
    struct GrantedPlace: Sendable {
        var token: TokenName
        var place: TokenPlace
        var traits: TokenTraits
        /// The number of times that another client destroyed a token of this place.
        var removals = 0
    }

    struct PendingRequest: Sendable {
        let name: TokenName
        let traits: TokenTraits
        let isChange: Bool
        let request: ArbitrationRequestID?
        /// The time at which the request times out.
        let deadline: MonotonicTime
        /// Whether this request repeats one whose token was refused as held back.
        var isRepeated = false
    }

    struct QueuedRequest: Sendable {
        let request: ArbitrationRequest
        /// The caller's number of the request; `nil` if no caller waits.
        let id: ArbitrationRequestID?
        let deadline: MonotonicTime
    }

    static let largestQueue = 32

    init(_ id: AudioSessionID, _ traits: TokenTraits) {
        self.id = id
        wanted = traits
    }

    /// The state that a new token of the session carries.
    var tokenState: TokenContents.State {
        switch state {
        case .active, .inactive: .standing
        case .interrupted: .waiting
        case .advised: .advised
        }
    }

    /// Whether only changes of active sessions or of its own place can concern the session.
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
