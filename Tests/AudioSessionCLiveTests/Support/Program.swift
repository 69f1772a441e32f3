import Foundation
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

/// Another program, in any language, that reads and writes lines.
final class Program {
    let name: String
    private let process: ChildProcess
    private let input = Foundation.Pipe()
    private let output = Foundation.Pipe()
    private var lines: LineInput
    private var seen: [String] = []

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    init(_ name: String, _ program: String, _ arguments: [String], _ environment: [String: String]) throws {
        self.name = name
        let ending = try Ending()
        // It only ends a test that fails: a line later than that counts as missing.
        DispatchQueue.global().asyncAfter(deadline: .now() + 570) { [weak ending] in ending?.request() }
        lines = LineInput(descriptor: output.fileHandleForReading.fileDescriptor, ending: ending, limit: .max)
        process = try ChildProcess(
            program: program, arguments: arguments, environment: environment,
            output: .files(output: output.fileHandleForWriting.fileDescriptor, errors: STDERR_FILENO),
            input: input.fileHandleForReading.fileDescriptor)
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    deinit { process.signal(SIGKILL) }

    func send(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Skips lines until one has this text.
    @discardableResult
    func waitForLine(_ text: String) async throws -> String {
        while let line = await lines.next() {
            seen.append(line)
            if line.contains(text) { return line }
        }
        throw Missing(description: "\(name) did not print “\(text)”, but \(seen)")
    }

    /// Closes its input, and waits for its end.
    func end() async throws -> ChildProcess.ExitStatus {
        try input.fileHandleForWriting.close()
        return await process.exited()
    }

    func kill() async {
        process.signal(SIGKILL)
        await process.exited()
    }
}
