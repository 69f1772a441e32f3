/// The state machine of arbitration in one process: all tokens of the board, and this process's own
/// sessions.
///
/// A session is active when PipeWire has echoed its own token. All earlier tokens are known then,
/// and the decision is the same in every process. Interruptions and ducking follow from the stack,
/// the resume advice from each session's own history. Decisions that the tokens leave open:
///
/// - While an activation or a change is pending, the end of an interruption waits for its outcome:
///   a session that takes back receives no *ended*.
/// - A session that is advised, and then blocked by a newer one, is interrupted and advised once
///   more, because the next call would otherwise end the music. While the session takes back, the
///   outcome is awaited.
/// - A token of this process that another client destroys is re-made in its place, three times for
///   one activation.
/// - For a second after a reconnection, a missing session does not count as gone, and ducking and
///   other sessions do not count as ended.
/// - A request that PipeWire does not answer in time is withdrawn, and the session is unchanged.
///   PipeWire may still grant the token later. So the token is followed by one with the session's
///   real state: released with notify, or in its old place.
package struct ArbitrationStateMachine: Sendable {
    var sessions = OwnSessions()
    var tokens = TokenBoard(cookie: 0)
    /// This process's client; `nil` while there is no connection.
    var owner: TokenOwner?
    var epoch: UInt32 = 0
    var graceEnd: MonotonicTime?
    var isInBackground = false
    var isSilentMode = false
    var now = MonotonicTime(nanoseconds: 0)
    var actions: [ArbitrationAction] = []
    /// The releases that stay for a while after a reconnection, and the times at which they are
    /// removed.
    var keptReleases: [TokenName: MonotonicTime] = [:]
    /// The sessions that were deactivated and closed while PipeWire was away, whose releases are
    /// still to be announced.
    var closedReleases: [OwnSession] = []
    /// The deactivations that wait until PipeWire has received them. A program that exits before
    /// would leave the way its kind normally does.
    var leaving: [TokenName: Leaving] = [:]
    /// The timeout of a request.
    let timeout: Duration
    /// The active sessions of the stack after the last input. The summary is stored, so that
    /// reading it copies nothing else.
    package private(set) var active = ActiveSummary()
    private var wakeTime: MonotonicTime?
    private var hasConnected = false
    /// The number of the newest token name. No token of this process reuses a name.
    var lastNumber: UInt32 = 0

    package enum Limits {
        static let sessions = 256
        static let removals = 3
        static let claim = Duration.seconds(3)
        static let grace = Duration.seconds(1)
        /// The maximum number of sessions that are named as the cause for one session.
        package static let namedCauses = 32
    }

    struct Leaving: Sendable {
        let request: ArbitrationRequestID
        let deadline: MonotonicTime
    }

    /// Makes a state machine without connection and sessions.
    /// - Parameter timeout: How long a request waits for PipeWire before it fails with
    ///   ``ActivationFailure/timedOut(after:)``.
    package init(timeout: Duration = .seconds(5)) { self.timeout = timeout }

    package mutating func receive(_ input: ArbitrationInput, now: MonotonicTime) -> [ArbitrationAction] {
        self.now = max(now, self.now)
        let version = tokens.version
        switch input {
        case .connected(let cookie, let owner): connected(cookie, owner)
        case .disconnected: disconnected()
        case .appeared(let identity, let properties):
            guard owner != nil, tokens.appeared(identity, properties, self.now) else { return [] }
        case .vanished(let object): vanished(object)
        case .echoed(let name): echoed(name)
        case .failed(let name): failed(name)
        case .opened(let session, let traits): opened(session, traits)
        case .closed(let session): closed(session)
        case .requested(let request, let session, let id): requested(request, session, id)
        case .background(let isInBackground): self.isInBackground = isInBackground
        case .stoppedByRouteLoss(let isStopped, let session):
            sessions[session]?.isStoppedByRouteLoss = isStopped
        case .silentMode(let isOn): isSilentMode = isOn
        case .deadline:
            wakeTime = nil
            tokens.passed(self.now)
        }
        settle(since: version)
        active = tokens.arbitration.active
        defer { actions = [] }
        return actions
    }

    /// Whether a quiet change does not concern this session.
    private func isUntouched(_ position: Int) -> Bool {
        guard sessions.all[position].isAtRest(now) else { return false }
        guard let owner else { return true }
        switch sessions.all[position].state {
        case .active:
            let group = TokenGroup(sessions.all[position].standing?.traits.group, in: owner.process)
            return tokens.arbitration.others(besides: group) == sessions.all[position].others
        case .advised:
            // While a lapsed session blocks it, another one that blocks it too changes no state of
            // the stack.
            return key(of: sessions.all[position]).flatMap(tokens.arbitration.isBlocked) == false
        case .inactive, .interrupted: return true
        }
    }

    /// Evaluates the sessions after an input.
    /// - Parameter version: The version of the stack before the input.
    private mutating func settle(since version: UInt64) {
        if let end = graceEnd, end <= now {
            graceEnd = nil
            tokens.forgetChanges()
        }
        for (name, end) in keptReleases where end <= now {
            keptReleases[name] = nil
            actions.append(.destroy(name))
        }
        let isQuiet = owner.map { tokens.isQuiet(since: version, for: $0.process) } ?? false
        for position in sessions.all.indices {
            if isQuiet, isUntouched(position) {
                sessions.noteEvaluated(tokens.version, at: position)
                continue
            }
            // It is taken out, so that a change does not copy the list of blockers.
            var session = sessions.take(position)
            withdraw(ifLate: &session)
            evaluate(&session)
            if !session.queue.isEmpty {
                work(off: &session)
                evaluate(&session)
            }
            sessions.putBack(session, at: position)
        }
        leaveLate()
        wake()
    }

    private mutating func wake() {
        var time = tokens.nextReview(now)
        func consider(_ other: MonotonicTime?) { if let other { time = min(time ?? other, other) } }
        consider(graceEnd)
        for end in keptReleases.values { consider(end) }
        for request in leaving.values { consider(request.deadline) }
        var isAnyWaiting = false
        for position in sessions.all.indices {
            consider(sessions.all[position].asking?.deadline)
            switch sessions.all[position].state {
            case .advised(let until) where sessions.all[position].asking == nil: consider(until)
            case .interrupted: isAnyWaiting = isAnyWaiting || !sessions.all[position].blockers.isEmpty
            default: break
            }
        }
        if isAnyWaiting { consider(tokens.nextLapse) }
        guard time != wakeTime else { return }
        wakeTime = time
        actions.append(.wake(at: time))
    }

    private mutating func connected(_ cookie: UInt32, _ owner: TokenOwner) {
        if self.owner != nil { disconnected() }
        if hasConnected, cookie != tokens.cookie, epoch < .max { epoch += 1 }
        self.owner = owner
        isSilentMode = false
        tokens = TokenBoard(cookie: cookie, after: tokens)
        if hasConnected { graceEnd = now + Limits.grace }
        hasConnected = true
        for position in sessions.all.indices {
            var session = sessions.take(position)
            restore(&session)
            sessions.putBack(session, at: position)
        }
        for var session in closedReleases { restore(&session) }
        closedReleases = []
    }

    private mutating func disconnected() {
        guard owner != nil else { return }
        epoch = presentEpoch
        tokens = TokenBoard(cookie: tokens.cookie, after: tokens)
        owner = nil
        graceEnd = nil
        keptReleases = [:]
        for name in leaving.keys.sorted(by: { $0.number < $1.number }) { left(name, .mediaServicesFailed) }
        for position in sessions.all.indices {
            var session = sessions.take(position)
            session.reinstatement = nil
            abandon(&session)
            sessions.putBack(session, at: position)
        }
    }

    /// The number of the daemon's present run, as far as this process knows.
    var presentEpoch: UInt32 { max(epoch, tokens.presentEpoch) }

    mutating func answer(_ request: ArbitrationRequestID?, _ failure: ActivationFailure?) {
        if let request { actions.append(.answer(request, failure)) }
    }

    func key(of session: OwnSession) -> SessionKey? {
        owner.map { SessionKey(owner: $0.process, session: session.id) }
    }
}
