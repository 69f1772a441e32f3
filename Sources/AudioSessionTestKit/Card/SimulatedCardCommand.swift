/// A line that drives a virtual card: `plug headphones`, `unplug headphones`, `available ROUTE yes|no|unknown`,
/// `bounce ROUTE TIMES MILLISECONDS`, `remove`, `add`, `state`, `quit`.
public enum SimulatedCardCommand: Sendable, Hashable {
    /// Puts something into this jack.
    case plug(String)
    /// Takes it out of this jack.
    case unplug(String)
    /// Has the card say of this route whether something is in it.
    case available(String, VirtualCardDescription.Availability)
    /// Plugs and unplugs, as a worn jack does.
    case bounce(String, times: Int, every: Duration)
    /// Pulls the whole card.
    case remove
    /// Plugs the whole card in again.
    case add
    /// Tells how the card is.
    case state
    /// Ends the card, and the program that plays it.
    case quit

    /// Longer lines are not read.
    public static let maximumLength = 1024

    /// Why a line is no command.
    public struct ParseError: Error, Sendable, Hashable {
        /// The first word, which a reply repeats.
        public let word: String
        /// What would be right, for people.
        public let message: String
    }

    /// - Returns: `nil` for a line without a word.
    public init?(_ line: String) throws(ParseError) {
        guard line.utf8.count <= Self.maximumLength else {
            throw ParseError(word: "", message: "a line has at most \(Self.maximumLength) bytes")
        }
        let words = line.split { $0.isWhitespace }.map { String($0) }
        guard let word = words.first else { return nil }
        func fail(_ usage: String) -> ParseError { ParseError(word: word, message: "usage: \(usage)") }
        switch (word, words.count) {
        case ("plug", 2): self = .plug(words[1])
        case ("unplug", 2): self = .unplug(words[1])
        case ("available", 3):
            guard let availability = VirtualCardDescription.Availability(rawValue: words[2]) else {
                throw fail("available ROUTE yes|no|unknown")
            }
            self = .available(words[1], availability)
        case ("bounce", 4):
            guard let times = Int(words[2]), (1...10_000).contains(times), let pause = Int(words[3]),
                (0...60_000).contains(pause)
            else { throw fail("bounce ROUTE TIMES MILLISECONDS, at most 10000 and 60000") }
            self = .bounce(words[1], times: times, every: .milliseconds(pause))
        case ("remove", 1): self = .remove
        case ("add", 1): self = .add
        case ("state", 1): self = .state
        case ("quit", 1): self = .quit
        case ("plug", _), ("unplug", _): throw fail("\(word) ROUTE")
        case ("available", _): throw fail("available ROUTE yes|no|unknown")
        case ("bounce", _): throw fail("bounce ROUTE TIMES MILLISECONDS")
        case ("remove", _), ("add", _), ("state", _), ("quit", _): throw fail(word)
        default:
            throw ParseError(
                word: word,
                message: "commands: plug ROUTE, unplug ROUTE, available ROUTE yes|no|unknown, "
                    + "bounce ROUTE TIMES MILLISECONDS, remove, add, state, quit")
        }
    }

    /// The word that the reply repeats.
    public var word: String {
        switch self {
        case .plug: "plug"
        case .unplug: "unplug"
        case .available: "available"
        case .bounce: "bounce"
        case .remove: "remove"
        case .add: "add"
        case .state: "state"
        case .quit: "quit"
        }
    }
}
