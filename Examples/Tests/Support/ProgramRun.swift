package import Foundation

/// A run of a built program that continues, and reads and writes lines.
package final class ProgramRun {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private let errors = Pipe()
    private let lines: AsyncStream<String>
    /// The whole output so far, for the message of a failed test.
    package private(set) var seen: [String] = []

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    package static func executable(_ program: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: program)
    }

    /// Starts the program. It is killed at the deadline, and a later line counts as missing.
    /// - Parameter fileLimit: The blocks of 512 bytes that a file can have; writes beyond fail, as
    ///   on a full disk.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], fileLimit: Int? = nil,
        deadline: Duration = .seconds(300)
    ) throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        process.executableURL = Self.executable(program)
        process.arguments = arguments
        if let fileLimit {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", #"trap '' XFSZ; ulimit -f \#(fileLimit); exec "$0" "$@""#, Self.executable(program).path]
                + arguments
        }
        process.environment = environment
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let reader = output.fileHandleForReading
        DispatchQueue.global().async {
            var rest = Data()
            while case let data = reader.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + deadline / .seconds(1)) { [weak process] in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The next line with this beginning. Others are skipped.
    @discardableResult
    package func line(_ beginning: String) async throws -> String {
        for await line in lines {
            seen.append(line)
            if line.hasPrefix(beginning) { return line }
        }
        throw Missing(description: "no line '\(beginning)' in \(seen)")
    }

    package var processID: Int32 { process.processIdentifier }

    package func press(_ keys: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

    package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the program's end.
    package func end() async throws -> (status: Int32, errors: String) {
        for await line in lines { seen.append(line) }
        let words = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: words, as: UTF8.self))
    }
}
