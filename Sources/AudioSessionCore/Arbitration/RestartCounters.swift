/// The restart counters that tokens claim for earlier runs of the daemon, and the order of those
/// runs.
///
/// A program counts the restarts that it has seen. One that started late counts too few, so a run
/// has the highest counter that any token claims for it. A counter that no second process claims
/// counts at most one above the highest that two processes claim. Otherwise a single program could
/// exhaust the counter for all others.
struct RestartCounters: Sendable, Hashable {
    private var claimsOfProcess: [TokenOwner.Process: Claims] = [:]
    private var claimsOfRun: [UInt32: Claims] = [:]
    /// The highest counter that is accepted for the present run. It changes no order of earlier
    /// runs.
    private var limit: UInt32 = 1

    /// The number of tokens that claim each counter.
    private struct Claims: Sendable, Hashable {
        private var counts: [UInt32: Int] = [:]
        private(set) var highest: UInt32 = 0

        var isEmpty: Bool { counts.isEmpty }

        mutating func add(_ counter: UInt32) {
            counts.add(1, to: counter)
            highest = max(highest, counter)
        }

        mutating func remove(_ counter: UInt32) {
            counts.add(-1, to: counter)
            if counts[counter] == nil, counter == highest { highest = counts.keys.max() ?? 0 }
        }
    }

    var isEmpty: Bool { claimsOfRun.isEmpty && claimsOfProcess.isEmpty }

    /// Adds the claim of a token.
    /// - Parameter cookie: The cookie of the daemon's present run.
    /// - Returns: Whether the place of the token's run among others may have changed.
    mutating func add(_ place: TokenPlace, of process: TokenOwner.Process, cookie: UInt32) -> Bool {
        let counter = Self.presentCounter(after: place, cookie: cookie)
        return change(place.cookie, process) { $0.add(counter) }
    }

    /// Removes the claim of a token.
    /// - Returns: Whether the place of the token's run among others may have changed.
    mutating func remove(_ place: TokenPlace, of process: TokenOwner.Process, cookie: UInt32) -> Bool {
        let counter = Self.presentCounter(after: place, cookie: cookie)
        return change(place.cookie, process) { $0.remove(counter) }
    }

    /// The number of runs before the present one.
    var present: UInt32 { min(claimsOfProcess.values.lazy.map(\.highest).max() ?? 0, limit) }

    /// Returns the place of an earlier run among the others.
    func order(of run: UInt32) -> RunOrder { RunOrder(counter: claimsOfRun[run]?.highest ?? 0, cookie: run) }

    /// Returns the counter of the present run that a token's place implies.
    private static func presentCounter(after place: TokenPlace, cookie: UInt32) -> UInt32 {
        place.cookie == cookie || place.epoch == .max ? place.epoch : place.epoch + 1
    }

    private mutating func change(
        _ run: UInt32, _ process: TokenOwner.Process, _ change: (inout Claims) -> Void
    ) -> Bool {
        let highest = (claimsOfRun[run]?.highest ?? 0, claimsOfProcess[process]?.highest ?? 0)
        change(&claimsOfRun[run, default: Claims()])
        change(&claimsOfProcess[process, default: Claims()])
        let isRunMoved = claimsOfRun[run]?.highest != highest.0
        let isProcessMoved = claimsOfProcess[process]?.highest != highest.1
        if claimsOfRun[run]?.isEmpty == true { claimsOfRun[run] = nil }
        if claimsOfProcess[process]?.isEmpty == true { claimsOfProcess[process] = nil }
        if isProcessMoved { updateLimit() }
        return isRunMoved
    }

    private mutating func updateLimit() {
        var (first, second): (UInt32, UInt32) = (0, 0)
        for claims in claimsOfProcess.values {
            if claims.highest > first {
                (first, second) = (claims.highest, first)
            } else {
                second = max(second, claims.highest)
            }
        }
        limit = second == .max ? .max : second + 1
    }
}

/// The place of a run of the daemon among others.
struct RunOrder: Comparable {
    let counter: UInt32
    let cookie: UInt32

    static func < (left: Self, right: Self) -> Bool { (left.counter, left.cookie) < (right.counter, right.cookie) }
}
