import AudioSessionTestKit
import AudioSessions
import Foundation
import SessionStories
import Testing

@testable import AudioSessionTool

/// One program of a story: a run of `audiosession run`, and its output in the story's words.
final class StoryProgram {
    let tool: LiveTool
    let session: String
    private(set) var events: [(word: String, time: UInt64)] = []
    private(set) var isAlive = true
    var isStopped = false
    private var kind = StoryKind.initial
    /// Turns a session's uuid into a name of the story.
    var nameOf: (String) -> String? = { $0 }

    init(_ tool: LiveTool) async throws {
        self.tool = tool
        session = try #require(try await tool.event("ready")["session"] as? String)
    }

    func configure(as kind: StoryKind) async throws {
        for command in try #require(kind.commands(after: self.kind)) { _ = try await reply(to: command) }
        self.kind = kind
    }

    func reply(to command: String) async throws -> LiveTool.Object {
        try tool.send(command)
        return try await reply()
    }

    /// The reply to the oldest command without one.
    func reply() async throws -> LiveTool.Object {
        while true {
            let object = try await tool.object()
            note(object)
            if object["reply"] != nil { return object }
        }
    }

    /// Reads its output until it has printed this many events.
    func readEvents(_ count: Int) async throws {
        while events.count < count { note(try await tool.object()) }
    }

    func clearEvents() { events = [] }

    private func note(_ object: LiveTool.Object) {
        guard let word = word(object) else { return }
        events.append((word, object["t"] as? UInt64 ?? 0))
    }

    private func word(_ object: LiveTool.Object) -> String? {
        switch object["event"] as? String {
        case "stateChanged":
            switch object["state"] as? String {
            case "active": return "on"
            // The end of an interruption is printed by itself.
            case "inactive": return events.last?.word.hasPrefix("ended") == true ? nil : "off"
            default: return nil
            }
        case "interruptionBegan": return "began:\(name(object["by"]))"
        case "interruptionEnded": return object["shouldResume"] as? Bool == true ? "ended+" : "ended-"
        case "ducking": return "duck:\(Int((1000 * (object["gain"] as? Double ?? -1)).rounded()))"
        default: return refusal(object)
        }
    }

    private func refusal(_ object: LiveTool.Object) -> String? {
        guard object["ok"] as? Bool == false else { return nil }
        switch object["error"] as? String {
        case "insufficientPriority": return "priority"
        case "cannotInterruptOthers": return "background"
        default: return object["error"] as? String ?? "?"
        }
    }

    private func name(_ cause: Any?) -> String {
        ((cause as? LiveTool.Object)?["session"] as? String).flatMap(nameOf) ?? "?"
    }

    /// The program's silence reasons in the words of ``StoryBoard``. (No program of a story plays.)
    func causes() async throws -> [String] {
        let causes = try await reply(to: "why")["causes"] as? [LiveTool.Object] ?? []
        return causes.compactMap { cause in
            let kind = cause["kind"] as? String ?? "?"
            guard kind != "paused" else { return nil }
            return cause["by"].map { "\(kind):\(name($0))" } ?? kind
        }
    }

    /// Resets it to the state after its start, and returns whether that is possible: no command
    /// removes a program from a group.
    func reset() async throws -> Bool {
        guard let commands = StoryKind.initial.commands(after: kind) else { return false }
        for command in ["deactivate silent", "background off"] + commands { _ = try await reply(to: command) }
        kind = .initial
        nameOf = { $0 }
        clearEvents()
        return true
    }

    /// Returns when it is dead.
    func kill() async throws {
        isAlive = false
        tool.signal(SIGKILL)
        _ = try await tool.end()
    }

    /// Returns when it is stopped, or continued.
    func stop(_ isStopped: Bool) throws {
        self.isStopped = isStopped
        tool.signal(isStopped ? SIGSTOP : SIGCONT)
        while try isStopped != isProcessStopped() {}
    }

    private func isProcessStopped() throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(tool.processIdentifier)/stat", encoding: .utf8)
        // Its name is in parentheses, and its state follows.
        return status.split(separator: ")").last?.hasPrefix(" T") == true
    }
}
