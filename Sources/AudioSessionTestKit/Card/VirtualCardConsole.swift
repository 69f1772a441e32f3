import AudioSessionCore
import PipeWireGraph

/// Controls a virtual card by lines of text, with one JSON reply for each command.
///
///     {"t":…,"event":"ready","device":"alsa_card.…","profile":"HiFi","nodes":[…],"routes":[…]}
///     plug headphones
///     {"t":…,"reply":"plug","ok":true}
///     plug nothing
///     {"t":…,"reply":"plug","ok":false,"error":"unknownRoute","message":"…"}
///
/// `t` is `CLOCK_MONOTONIC` in nanoseconds. In a successful reply, it is the moment just before the
/// message to PipeWire was sent.
package struct VirtualCardConsole: Sendable {
    /// The card that the console controls.
    package let card: VirtualCard

    /// Creates a console for one card.
    ///
    /// - Parameter card: the card to control.
    package init(_ card: VirtualCard) { self.card = card }

    /// Returns the first line of the output, which describes the card.
    package func ready() async -> String {
        await Self.line([("event", .string("ready"))] + Self.members(of: card.state, card.description))
    }

    /// The result of one line of input.
    package struct Answer: Sendable, Hashable {
        /// The reply as a line of JSON; `nil` for a line without a command.
        package let reply: String?
        /// Whether the console accepts no further line.
        package let isLast: Bool
    }

    /// Executes one line of input.
    ///
    /// - Parameter line: a line without its end.
    /// - Returns: the reply.
    package func perform(_ line: String) async -> Answer {
        do throws(SimulatedCardCommand.ParseError) {
            guard let command = try SimulatedCardCommand(line) else { return Answer(reply: nil, isLast: false) }
            return await perform(command)
        } catch {
            let reply = Self.failure(error.word, "badCommand", error.message)
            return Answer(reply: reply, isLast: false)
        }
    }

    private func perform(_ command: SimulatedCardCommand) async -> Answer {
        do throws(TestKitError) {
            var more: [(String, JSONValue)] = []
            var time = MonotonicTime.now
            switch command {
            case .plug(let port): time = try await card.plug(port)
            case .unplug(let port): time = try await card.unplug(port)
            case .available(let port, let availability):
                time = try await card.setAvailability(availability, of: port)
            case .bounce(let port, let times, let pause):
                time = try await card.bounce(port, times: times, every: pause)
            case .remove: time = try await card.remove()
            case .add: time = try await card.add()
            case .state: more = Self.members(of: await card.state, card.description)
            case .quit: await card.close()
            }
            let reply = Self.line([("reply", .string(command.word)), ("ok", .bool(true))] + more, at: time)
            return Answer(reply: reply, isLast: command == .quit)
        } catch {
            let reply = Self.failure(command.word, error.code.description, error.description)
            return Answer(reply: reply, isLast: false)
        }
    }

    static func failure(_ word: String, _ code: String, _ message: String) -> String {
        line([
            ("reply", .string(String(word.prefix(64)))), ("ok", .bool(false)), ("error", .string(code)),
            ("message", .string(message)),
        ])
    }

    private static func line(_ members: [(String, JSONValue)], at time: MonotonicTime = .now) -> String {
        JSONValue.object([("t", .integer(time.nanoseconds))] + members).description
    }

    static func members(
        of state: VirtualCard.State, _ description: VirtualCardDescription
    ) -> [(String, JSONValue)] {
        let nodes = state.nodes.map { node in
            JSONValue.object([
                ("name", .string(node.name)), ("route", node.port.map { .string($0) } ?? .null),
                ("volume", .double(Double(node.volume))), ("muted", .bool(node.isMuted)),
            ])
        }
        let routes = description.routes.map { route in
            JSONValue.object([
                ("route", .string(route.port)), ("name", .string(route.name)),
                ("direction", .string(route.direction.rawValue)), ("type", .string(route.portType)),
                ("available", .string(state.availability[route.port]?.rawValue ?? "unknown")),
            ])
        }
        return [
            ("device", .string(description.name)), ("present", .bool(state.isPlugged && !state.nodes.isEmpty)),
            ("profile", .string(state.profile)), ("nodes", .array(nodes)), ("routes", .array(routes)),
        ]
    }
}
