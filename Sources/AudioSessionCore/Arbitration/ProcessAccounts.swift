/// The number of tokens of each process, for the limits of one process.
struct ProcessAccounts: Sendable {
    private var all: [TokenOwner.Process: Account] = [:]

    struct Account: Sendable {
        var tokens = 0
        /// The number of live tokens that were refused or await confirmation.
        var doubtful = 0
        /// The number of tokens by the run of the daemon that gave their places.
        fileprivate var runs: [UInt32: Int] = [:]

        var hasRoom: Bool { tokens < Limits.tokens }
        var hasRoomForDoubtful: Bool { doubtful < Limits.doubtful }

        func hasRoom(forRunOf token: Token) -> Bool {
            guard let place = token.contents.place else { return true }
            return runs.count < Limits.runs || runs[place.cookie] != nil
        }

        fileprivate var isEmpty: Bool { tokens == 0 && doubtful == 0 }
    }

    enum Limits {
        /// The limit for tokens, equal to the daemon's limit for connections.
        static let tokens = 1024
        /// The limit for tokens that are refused or await confirmation. A correct program destroys
        /// or confirms them at once.
        static let doubtful = 8
        /// The limit for runs of the daemon that the tokens of one process come from.
        static let runs = 8
    }

    var isEmpty: Bool { all.isEmpty }

    subscript(process: TokenOwner.Process) -> Account { all[process] ?? Account() }

    mutating func add(_ token: Token) {
        all[token.key.owner, default: Account()].tokens += 1
        guard let place = token.contents.place else { return }
        all[token.key.owner, default: Account()].runs[place.cookie, default: 0] += 1
    }

    mutating func remove(_ token: Token) {
        change(token.key.owner) { account in
            account.tokens -= 1
            guard let run = token.contents.place?.cookie, let count = account.runs[run] else { return }
            account.runs[run] = count > 1 ? count - 1 : nil
        }
    }

    mutating func addDoubtful(_ process: TokenOwner.Process) { change(process) { $0.doubtful += 1 } }

    mutating func removeDoubtful(_ process: TokenOwner.Process) { change(process) { $0.doubtful -= 1 } }

    private mutating func change(_ process: TokenOwner.Process, _ change: (inout Account) -> Void) {
        change(&all[process, default: Account()])
        if all[process]?.isEmpty == true { all[process] = nil }
    }
}
