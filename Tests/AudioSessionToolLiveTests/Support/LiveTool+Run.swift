import AudioSessionTestKit
import Testing

@testable import AudioSessionTool

extension LiveTool {
    /// A program with one session, after these commands.
    static func session(_ pipeWire: PrivatePipeWire, _ commands: String...) async throws -> LiveTool {
        let tool = try LiveTool("run", "--remote", pipeWire.remote)
        _ = try await tool.event("ready")
        for command in commands { #expect(try await tool.reply(to: command)["ok"] as? Bool == true, "\(command)") }
        return tool
    }

    func reply(to command: String) async throws -> Object {
        try send(command)
        let word = command.split(separator: " ").first.map(String.init)
        return try await object { $0["reply"] as? String == word }
    }

    /// Sends a command whose event may be printed before its reply or after it.
    func send(_ command: String, awaiting isWanted: (Object) -> Bool) async throws -> (reply: Object, event: Object) {
        try send(command)
        let word = command.split(separator: " ").first.map(String.init)
        var found: (reply: Object?, event: Object?)
        while true {
            let object = try await object()
            if object["reply"] as? String == word { found.reply = object }
            if object["event"] != nil, isWanted(object) { found.event = object }
            if let reply = found.reply, let event = found.event { return (reply, event) }
        }
    }

    /// The events of these names so far, after everything that preceded the reply to one more
    /// command.
    func events(_ names: String...) async throws -> [String] {
        _ = try await reply(to: "state")
        return seen.compactMap { line in names.first { line.contains("\"event\":\"\($0)\"") } }
    }

    func state() async throws -> String? { try await reply(to: "state")["state"] as? String }
}
