/// A line of text that controls a virtual card.
///
/// The commands are `plug headphones`, `unplug headphones`, `available ROUTE yes|no|unknown`,
/// `bounce ROUTE TIMES MILLISECONDS`, `remove`, `add`, `state` and `quit`.
package enum SimulatedCardCommand: Sendable, Hashable {
    /// Plugs something into the jack with this port or route name.
    case plug(String)
    /// Unplugs the jack with this port or route name.
    case unplug(String)
    /// Sets the availability that the card reports for this device route.
    case available(String, VirtualCardDescription.Availability)
    /// Plugs and unplugs a jack repeatedly, like a worn jack.
    case bounce(String, times: Int, every: Duration)
    /// Unplugs the whole card.
    case remove
    /// Plugs the whole card in again.
    case add
    /// Requests the state of the card.
    case state
    /// Ends the card, and the program that simulates it.
    case quit

    /// The maximum length of a line in bytes.
    package static let maximumLength = 1024

    /// The reason why a line is not a command.
    package struct ParseError: Error, Sendable, Hashable {
        /// The first word of the line, which a reply repeats.
        package let word: String
        /// A human-readable description of the correct syntax.
        package let message: String
    }

    /// Parses a line, and returns `nil` for a line without a word.
    ///
    /// - Parameter line: a line without its end.
    /// - Throws: ``ParseError`` if the line is too long or is not a command.
    package init?(_ line: String) throws(ParseError) {
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

    /// The command's word, which the reply repeats.
    package var word: String {
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
