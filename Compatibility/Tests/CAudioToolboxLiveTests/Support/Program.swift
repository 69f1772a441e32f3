import Foundation
import Glibc
import Testing

@testable import AudioSessionTestKit

/// A program in C. The test writes lines to its input, and waits for lines of its output.
final class Program {
    let name: String
    private let process: ChildProcess
    private let input = Foundation.Pipe()
    private let output = Foundation.Pipe()
    private var assembler = LineAssembler()
    private var lines: [String] = []
    private var seen: [String] = []

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a program, which is killed after four minutes: that only ends a test that fails.
    init(_ name: String, _ program: String, _ arguments: [String], _ environment: [String: String]) throws {
        self.name = name
        process = try ChildProcess(
            program: program, arguments: arguments, environment: environment,
            output: .files(output: output.fileHandleForWriting.fileDescriptor, errors: STDERR_FILENO),
            input: input.fileHandleForReading.fileDescriptor)
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        DispatchQueue.global().asyncAfter(deadline: .now() + 240) { [weak process] in process?.signal(SIGKILL) }
    }

    deinit { process.signal(SIGKILL) }

    /// Sends a command, and waits for a line with this text.
    func send(_ command: String, _ answer: String) async throws {
        try send(command)
        try await waitForLine(answer)
    }

    func send(_ command: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    }

    /// Skips lines until one has this text.
    @discardableResult
    func waitForLine(_ text: String) async throws -> String {
        while let line = await next() {
            seen.append(line)
            if line.contains(text) { return line }
        }
        throw Missing(description: "\(name) did not print “\(text)”, but \(seen)")
    }

    private func next() async -> String? {
        while lines.isEmpty {
            let data = await AudioSessionTestKit.Thread.run { [output] in output.fileHandleForReading.availableData }
            if data.isEmpty { return nil }
            lines = assembler.append(data)
        }
        return lines.removeFirst()
    }

    /// Ends its input, and waits for its end.
    func end() async throws -> ChildProcess.ExitStatus {
        try input.fileHandleForWriting.close()
        return await process.exited()
    }

    func kill() async {
        process.signal(SIGKILL)
        await process.exited()
    }
}
