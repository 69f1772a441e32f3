package import ArgumentParser

/// The options of a simulated card.
package struct SimulateCardCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Simulate a sound card for PipeWire and its session manager.",
        // The lines have at most 80 columns.
        usage: """
            audiosession simulate card [--built-in] [--usb] [--bluetooth]
                                       [--name <name>] [--json] [--remote <socket>]
            """,
        discussion: """
            Reads commands from standard input, one a line, and answers in JSON, one line a command:
              plug ROUTE                            plug a device into a jack
              unplug ROUTE                          pull it out again
              available ROUTE yes|no|unknown        let a jack report that
              bounce ROUTE TIMES MILLISECONDS       a worn jack: plug, unplug, plug ...
              remove                                pull out the whole card
              add                                   put it in again
              state                                 the state of the card
              quit                                  end, like the end of the input

            Routes: speaker, headphones, hdmi, mic, headset-mic; with --usb headset, \
            headset-mic; with --bluetooth headset, hands-free, headset-mic. The first line \
            is the event "ready", with all routes, once the session manager uses \
            the card.

            Nothing that is played to the card is heard. Ends with 73 if a card of \
            that name exists, with 69 if PipeWire cannot be \
            reached, no session manager uses the card, or PipeWire is lost.
            """)

    package enum Kind: String, EnumerableFlag {
        case builtIn, usb, bluetooth

        package static func help(for value: Kind) -> ArgumentHelp? {
            switch value {
            case .builtIn: "The card of a laptop."
            case .usb: "A headset on USB."
            case .bluetooth: "A Bluetooth headset, for music (A2DP) and for calls (HFP)."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    package var kind = Kind.builtIn

    @Option(help: "A name to distinguish several cards: letters, digits, '-' and '_', at most 32.")
    package var name: String?

    @Flag(help: "Accepted, since every command has it: the answers are JSON in any case.")
    var json = false

    @OptionGroup package var connection: ConnectionOptions

    package init() {}

    package func validate() throws {
        guard let name else { return }
        let isAllowed = name.utf8.allSatisfy { byte in
            "-_".utf8.contains(byte) || Character(Unicode.Scalar(byte)).isASCIILetterOrDigit
        }
        guard isAllowed, (1...32).contains(name.utf8.count) else {
            throw ValidationError(
                "--name '\(name)' is invalid. Use at most 32 letters, digits, '-' and '_'.")
        }
    }

    package func run() throws { try SimulationProgram.replaceThisProgram() }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
