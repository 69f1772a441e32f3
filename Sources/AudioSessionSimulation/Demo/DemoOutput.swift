import AudioSessionTool
import PipeWireGraph

/// Writes the demonstration's output, as text or as one JSON object per line.
struct DemoOutput: Sendable {
    let print: @Sendable (String) throws -> Void
    var json = false

    /// Prints information or an instruction for the user.
    func say(_ text: String) throws {
        try print(json ? JSONValue.object([("event", .string("note")), ("text", .string(text))]).description : text)
    }

    func show(_ story: DemoStory) throws {
        guard !json else {
            for object in story.objects { try print(object.description) }
            return
        }
        try print("")
        for line in story.lines { try print(line) }
    }

    func conclude(_ differences: [String]) throws {
        guard !json else {
            let differences = JSONValue.array(differences.map { .string($0) })
            return try print(
                JSONValue.object([("event", .string("verdict")), ("differences", differences)]).description)
        }
        try print("")
        for line in DemoTimeline.conclusion(differences) { try print(line) }
    }
}

extension DemoOutput {
    /// Writes to this output. JSON is written without changes, because text for users is adapted to
    /// the locale and the terminal.
    init(_ output: LineOutput, json: Bool) {
        self.init(print: { try json ? output.write($0) : output.print($0) }, json: json)
    }
}
