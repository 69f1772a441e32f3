import ArgumentParser
import AudioSessionCore
import AudioSessionTestKit
import AudioSessions

struct SimulateCardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Be a sound card that PipeWire and its session manager take for a real one.",
        // Lines of at most 80 columns.
        usage: """
            audiosession simulate card [--built-in] [--usb] [--bluetooth]
                                       [--name <name>] [--json] [--remote <socket>]
            """,
        discussion: """
            Reads commands from standard input, one a line, and answers in JSON, one line a command:
              plug ROUTE                            put something into a jack
              unplug ROUTE                          take it out again
              available ROUTE yes|no|unknown        let a jack report that
              bounce ROUTE TIMES MILLISECONDS       a worn jack: plug, unplug, plug ...
              remove                                pull out the whole card
              add                                   put it in again
              state                                 what the card is like now
              quit                                  end, as the end of the input does

            Routes: speaker, headphones, hdmi, mic, headset-mic; with --usb headset, \
            headset-mic; with --bluetooth headset, hands-free, headset-mic. The first line \
            is the event "ready", with all routes; it comes when the session manager has \
            taken the card.

            Nothing that is played to the card is heard. Ends with 73 if there is a card of \
            that name, with 69 if PipeWire cannot be \
            reached, no session manager takes the card, or PipeWire goes away.
            """)

    enum Kind: String, EnumerableFlag {
        case builtIn, usb, bluetooth

        static func help(for value: Kind) -> ArgumentHelp? {
            switch value {
            case .builtIn: "The card of a laptop."
            case .usb: "A headset on USB."
            case .bluetooth: "A Bluetooth headset, for music (A2DP) and for calls (HFP)."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    var kind = Kind.builtIn

    @Option(help: "Tells several cards apart: letters, digits, '-' and '_', at most 32.")
    var name: String?

    @Flag(help: "Accepted, since every command has it: the answers are JSON in any case.")
    var json = false

    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard let name else { return }
        let isAllowed = name.utf8.allSatisfy { byte in
            "-_".utf8.contains(byte) || Character(Unicode.Scalar(byte)).isASCIILetterOrDigit
        }
        guard isAllowed, (1...32).contains(name.utf8.count) else {
            throw ValidationError(
                "--name '\(name)' has other characters than letters, digits, '-' and '_', or over 32.")
        }
    }

    func run() async throws {
        let ending = try Ending()
        ending.followSignals()
        let description = kind.description(named: name)
        try await checkName(description.name)
        let card: VirtualCard
        do {
            card = try await VirtualCard(description, remote: connection.remote)
        } catch {
            throw ToolFailure.card(error)
        }
        try await SimulatedCard(card: card, output: LineOutput(ending: ending)).run(until: ending)
    }

    /// Of two cards with one name, the session manager takes one, and the jacks of the other do nothing.
    private func checkName(_ name: String) async throws {
        // Without PipeWire the card says what is missing.
        guard let manager = try? await connection.connect() else { return }
        let isTaken = await manager.graph.devices.values.contains { $0.name == name }
        await manager.close()
        guard !isTaken else { throw ToolFailure.nameTaken(name) }
    }
}

extension SimulateCardCommand.Kind {
    func description(named name: String?) -> VirtualCardDescription {
        switch self {
        case .builtIn: name.map { .builtIn(id: $0) } ?? .builtIn()
        case .usb: name.map { .usb(id: $0) } ?? .usb()
        case .bluetooth: name.map { .bluetooth(address: Self.address(for: $0), name: $0) } ?? .bluetooth()
        }
    }

    /// An address that is the same whenever the name is, and nobody's: the second bit says that no maker gave it.
    static func address(for name: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let bytes = [2] + (0..<5).map { UInt8(truncatingIfNeeded: hash >> ($0 * 8)) }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
