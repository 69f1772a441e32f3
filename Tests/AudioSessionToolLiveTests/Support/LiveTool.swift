import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

/// A run of the tool that continues, and reads and writes lines.
final class LiveTool {
    typealias Object = [String: Any]

    private let process: ChildProcess
    private let input = Foundation.Pipe()
    private let output = Foundation.Pipe()
    private let errors = Foundation.Pipe()
    private var lines: LineInput
    /// The whole output of the tool so far, for comparison and for the message of a failed test.
    private(set) var seen: [String] = []

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts the tool. The deadline limits the whole conversation, and a later line counts as
    /// missing.
    init(_ arguments: String..., environment: [String: String] = [:], deadline: Duration = .seconds(570)) throws {
        let ending = try Ending()
        DispatchQueue.global().asyncAfter(deadline: .now() + deadline / .seconds(1)) { [weak ending] in
            ending?.request()
        }
        lines = LineInput(
            descriptor: output.fileHandleForReading.fileDescriptor, ending: ending, limit: .max)
        process = try ToolRun.start(arguments, environment, input: input, output: output, errors: errors)
    }

    deinit { process.signal(SIGKILL) }

    func line() async throws -> String {
        guard let line = await lines.next() else {
            throw Missing(description: "no more lines after \(seen)")
        }
        seen.append(line)
        return line
    }

    /// The next line, read as JSON.
    func object() async throws -> Object {
        let line = try await line()
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object else {
            throw Missing(description: "no JSON object: \(line)")
        }
        return object
    }

    /// The next object that satisfies `isWanted`. Others are skipped.
    func object(where isWanted: (Object) -> Bool) async throws -> Object {
        while true {
            let object = try await object()
            if isWanted(object) { return object }
        }
    }

    func event(_ name: String) async throws -> Object { try await object { $0["event"] as? String == name } }

    func send(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    func endInput() throws { try input.fileHandleForWriting.close() }

    func stopReading() throws { try output.fileHandleForReading.close() }

    var processIdentifier: Int32 { process.id }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for its end with this exit code. A failure includes its standard error.
    func expectEnd(_ exitCode: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = try await end()
        #expect(end.exitCode == exitCode, "\(end.errors.prefix(4000))", sourceLocation: sourceLocation)
    }

    /// Waits for its end.
    func end() async throws -> (exitCode: Int32, errors: String) {
        let words = try await ToolRun.text(of: errors)
        return (await process.exited().number, words)
    }
}
