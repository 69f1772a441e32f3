/// A number for the traits of a session that the rules between two sessions read.
struct TraitsKind: Sendable, Hashable {
    private let number: UInt8

    static let count = TokenPriority.allCases.count << 5

    init(_ traits: TokenTraits) {
        number =
            traits.priority.rawValue << 5 | (traits.isMixable ? 16 : 0) | (traits.duckedGain == nil ? 0 : 8)
            | (traits.interruptsSpokenAudio ? 4 : 0) | (traits.isSpokenAudio ? 2 : 0)
            | (traits.capturesAudio ? 1 : 0)
    }

    var index: Int { Int(number) }
    /// Whether the kind is that of a player, as ``TokenTraits/isPlayer``.
    var isPlayer: Bool { number < 16 }

    /// The traits of each possible kind. A session that ducks or prompts is mixable.
    fileprivate static let examples: [TokenTraits] = {
        var examples: [TokenTraits] = []
        for number in 0..<count {
            guard let priority = TokenPriority(rawValue: UInt8(number >> 5)) else { continue }
            let traits = TokenTraits(
                priority: priority, isMixable: number & 16 != 0, duckedGain: number & 8 != 0 ? 0 : nil,
                interruptsSpokenAudio: number & 4 != 0, isSpokenAudio: number & 2 != 0,
                capturesAudio: number & 1 != 0)
            if TraitsKind(traits).index == number { examples.append(traits) }
        }
        return examples
    }()
}

/// A rule between two sessions, evaluated once for each pair of kinds.
struct RuleTable: Sendable {
    private var answers = Array(repeating: false, count: TraitsKind.count * TraitsKind.count)
    private var affected: [[TraitsKind]] = Array(repeating: [], count: TraitsKind.count)

    static let interrupts = RuleTable { $0.interrupts($1) }
    static let forbids = RuleTable { $0.forbids($1) }
    static let ducks = RuleTable { $0.ducks($1) }

    init(_ rule: (TokenTraits, TokenTraits) -> Bool) {
        for first in TraitsKind.examples {
            for second in TraitsKind.examples where rule(first, second) {
                let (one, other) = (TraitsKind(first), TraitsKind(second))
                answers[one.index * TraitsKind.count + other.index] = true
                affected[one.index].append(other)
            }
        }
    }

    subscript(one: TraitsKind, other: TraitsKind) -> Bool { answers[one.index * TraitsKind.count + other.index] }

    /// Returns the kinds of sessions for which the rule holds, with a session of this kind as the
    /// first one.
    func affected(by kind: TraitsKind) -> [TraitsKind] { affected[kind.index] }
}
