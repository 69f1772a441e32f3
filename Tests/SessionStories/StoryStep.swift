/// One step of a story, in the notation of ``BoardStage``.
package enum StoryStep: Sendable, Hashable {
    case activate(String)
    case deactivate(String, notify: Bool)
    case kill(String)
    case configure(String, StoryKind)
    /// Whether the process is stopped.
    case stop(String, Bool)
    case background(String, Bool)
    case routeLoss(String, Bool)
    case time(Duration)
    case daemon(isUp: Bool)
    case silentMode(Bool)

    package init(_ text: String) {
        if let step = Self.plain[text] ?? Self.time(text) ?? Self.signed(text) ?? Self.named(text) {
            self = step
        } else {
            preconditionFailure("no such step: \(text)")
        }
    }

    private static let plain: [String: StoryStep] = [
        "down": .daemon(isUp: false), "up": .daemon(isUp: true), "silent": .silentMode(true),
        "loud": .silentMode(false),
    ]

    private static func time(_ text: String) -> StoryStep? {
        if text.hasSuffix("ms"), let count = Int(text.dropLast(2)) { return .time(.milliseconds(count)) }
        if text.hasSuffix("s"), let count = Int(text.dropLast()) { return .time(.seconds(count)) }
        return nil
    }

    private static func signed(_ text: String) -> StoryStep? {
        let name = String(text.dropFirst())
        switch text.first {
        case "+": return .activate(name)
        case "-": return .deactivate(name, notify: true)
        case "~": return .deactivate(name, notify: false)
        case "!": return .kill(name)
        default: return nil
        }
    }

    private static func named(_ text: String) -> StoryStep? {
        if let sign = text.firstIndex(of: "=") {
            return .configure(String(text[..<sign]), StoryKind(String(text[text.index(after: sign)...])))
        }
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "stop": return .stop(parts[1], true)
        case "cont": return .stop(parts[1], false)
        case "bg": return .background(parts[1], true)
        case "fg": return .background(parts[1], false)
        case "noroute": return .routeLoss(parts[1], true)
        case "route": return .routeLoss(parts[1], false)
        default: return nil
        }
    }
}
