/// A worked case: the sessions, their actions, and the events of each. ``BoardStage`` explains the
/// notation.
package struct Story: Sendable, CustomStringConvertible {
    package let name: String
    package let cast: String
    package let script: String
    /// All expected events of some of the sessions.
    package let events: [String: String]

    package var description: String { name }

    package init(_ name: String, _ cast: String, _ script: String, _ events: [String: String]) {
        self.name = name
        self.cast = cast
        self.script = script
        self.events = events
    }

    package var roles: [StoryRole] { cast.split(separator: " ").map { StoryRole(String($0)) } }
    package var steps: [StoryStep] { script.split(separator: " ").map { StoryStep(String($0)) } }
}

/// A session such as `A:music`, or `D:music/A` for a second one in A's process.
package struct StoryRole: Sendable, Hashable {
    package let name: String
    package let kind: StoryKind
    package let sameProcessAs: String?

    package init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { preconditionFailure("no role: \(text)") }
        let words = parts[1].split(separator: "/").map(String.init)
        name = parts[0]
        kind = StoryKind(words[0])
        sameProcessAs = words.count > 1 ? words[1] : nil
    }
}
