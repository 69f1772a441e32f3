/// The board as one process sees it: everybody's tokens, and this process's own sessions.
///
/// A session is active when PipeWire has shown it its own token, for only then all earlier tokens are known, and the
/// verdict is the same in every process. Interruptions and ducking follow from the stack; whether to resume is each
/// session's own history. Decisions that the tokens leave open:
///
/// - While an activation or a change is under way, the end of an interruption waits for its outcome: a session that
///   takes back is not told of the end as well.
/// - A session that is advised, and then blocked by a newer one before it has taken back, is interrupted once more, and
///   advised when that is over: the next call would be the end of the music otherwise. While it takes back, the outcome
///   is waited for.
/// - A token of ours that somebody else destroys is made anew in its place, three times for one activation.
/// - For a second after a reconnection nobody is taken for gone, nor a duck or another's session for over.
/// - A request that PipeWire does not answer in time is withdrawn: the session is what it was before. PipeWire may still
///   grant the token later, so behind it follows a token that says what the session is: released with notify, or in the
///   place that it had.
package struct BoardStateMachine: Sendable {
    var sessions = BoardSessions()
    var tokens = BoardTokens(cookie: 0)
    /// `nil` while there is no connection.
    var owner: TokenOwner?
    var epoch: UInt32 = 0
    var graceEnd: MonotonicTime?
    var isInBackground = false
    var isSilentMode = false
    var now = MonotonicTime(nanoseconds: 0)
    var actions: [BoardAction] = []
    /// Releases that were published after a reconnection, and when they may go too.
    var keptReleases: [TokenName: MonotonicTime] = [:]
    /// Deactivations that wait until PipeWire has taken note: a program that ended before would have left the way that its
    /// kind normally does.
    var leaving: [TokenName: Leaving] = [:]
    /// How long a request waits for PipeWire.
    let timeout: Duration
    /// Of the stack, after the last news. Stored, so that to look at it copies nothing else.
    package private(set) var active = ActiveSummary()
    private var wakeTime: MonotonicTime?
    private var hasConnected = false
    /// No token of this process has the name of an earlier one.
    var lastNumber: UInt32 = 0

    enum Limits {
        static let sessions = 256
        static let removals = 3
        static let claim = Duration.seconds(3)
        static let grace = Duration.seconds(1)
        /// Of those that duck a session, so many are named.
        static let namedDuckers = 32
    }

    struct Leaving: Sendable {
        let request: BoardRequestID
        let deadline: MonotonicTime
    }

    /// - Parameter timeout: how long a request waits for PipeWire before it fails with ``BoardFailure/timedOut(after:)``.
    package init(timeout: Duration = .seconds(5)) { self.timeout = timeout }

    package mutating func receive(_ input: BoardInput, now: MonotonicTime) -> [BoardAction] {
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

    /// Whether a change that was quiet means nothing to this session.
    ///
    /// - Parameter known: what there is beside the group that was asked for last; most sessions of a program are of one.
    private func isUntouched(_ position: Int, _ known: inout (group: String?, others: OtherSessions)?) -> Bool {
        guard sessions.all[position].isAtRest(now) else { return false }
        guard sessions.all[position].state == .active, let owner else { return true }
        let group = sessions.all[position].standing?.traits.group
        let others: OtherSessions
        if let known, known.group == group {
            others = known.others
        } else {
            others = tokens.arbitration.others(besides: group.map(TokenGroup.named) ?? .process(owner.process))
            known = (group, others)
        }
        return others == sessions.all[position].others
    }

    /// - Parameter version: of the stack before this news.
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
        var known: (group: String?, others: OtherSessions)?
        for position in sessions.all.indices {
            if isQuiet, isUntouched(position, &known) {
                sessions.sawStack(tokens.version, at: position)
                continue
            }
            // Taken out, so that a change does not copy the list of all who block it.
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
        let leave = leaving.values.lazy.map(\.deadline).min()
        let times = [graceEnd, tokens.nextReview(now), keptReleases.values.min(), leave]
        var time = times.lazy.compactMap(\.self).min()
        var isAnyWaiting = false
        for position in sessions.all.indices {
            if let deadline = sessions.all[position].asking?.deadline { time = min(time ?? deadline, deadline) }
            switch sessions.all[position].state {
            case .advised(let until) where sessions.all[position].asking == nil: time = min(time ?? until, until)
            case .interrupted: isAnyWaiting = isAnyWaiting || !sessions.all[position].blockers.isEmpty
            default: break
            }
        }
        if isAnyWaiting, let lapse = tokens.nextLapse { time = min(time ?? lapse, lapse) }
        guard time != wakeTime else { return }
        wakeTime = time
        actions.append(.wake(at: time))
    }

    private mutating func connected(_ cookie: UInt32, _ owner: TokenOwner) {
        if self.owner != nil { disconnected() }
        if hasConnected, cookie != tokens.cookie, epoch < .max { epoch += 1 }
        self.owner = owner
        isSilentMode = false
        tokens = BoardTokens(cookie: cookie, after: tokens)
        if hasConnected { graceEnd = now + Limits.grace }
        hasConnected = true
        for position in sessions.all.indices {
            var session = sessions.take(position)
            restore(&session)
            sessions.putBack(session, at: position)
        }
    }

    private mutating func disconnected() {
        guard owner != nil else { return }
        epoch = presentEpoch
        tokens = BoardTokens(cookie: tokens.cookie, after: tokens)
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

    /// The number of this run of the daemon, as far as anybody here knows.
    var presentEpoch: UInt32 { max(epoch, tokens.presentEpoch) }

    mutating func answer(_ request: BoardRequestID?, _ failure: BoardFailure?) {
        if let request { actions.append(.answer(request, failure)) }
    }

    func key(of session: BoardSession) -> SessionKey? {
        owner.map { SessionKey(owner: $0.process, session: session.id) }
    }
}
