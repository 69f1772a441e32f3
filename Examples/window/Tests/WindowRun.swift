import Foundation

@testable import WindowPlayer

/// A run of the built program, which reads commands and prints its state.
final class WindowRun {
    private let process = Process()
    private let input = Pipe()
    private let errors: URL
    private let states: AsyncStream<WindowState>
    private(set) var last: WindowState?

    struct Missing: Error, CustomStringConvertible { let description: String }

    init(_ files: [String], environment: [String: String]) throws {
        let (states, continuation) = AsyncStream.makeStream(of: WindowState.self)
        self.states = states
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "window-player")
        process.arguments = files + ["--console"]
        process.environment = environment
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        errors = FileManager.default.temporaryDirectory.appending(path: "window-player.\(UUID().uuidString).log")
        // A file instead of a pipe, because it is read only at the end.
        guard FileManager.default.createFile(atPath: errors.path, contents: nil),
            let log = FileHandle(forWritingAtPath: errors.path)
        else { throw Missing(description: "no file for errors") }
        process.standardError = log
        try process.run()
        let reader = output.fileHandleForReading
        DispatchQueue.global().async {
            var rest = Data()
            while case let data = reader.availableData, !data.isEmpty {
                rest += data
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let state = try? JSONDecoder().decode(WindowState.self, from: Data(rest[..<end])) {
                        continuation.yield(state)
                    }
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 45) { [weak process] in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: errors)
    }

    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// The next printed state that satisfies the condition.
    @discardableResult
    func shows(_ what: String, _ isWanted: (WindowState) -> Bool) async throws -> WindowState {
        if let last, isWanted(last) { return last }
        for await state in states {
            last = state
            if isWanted(state) { return state }
        }
        throw Missing(description: "not shown: \(what); last was \(last.map { "\($0)" } ?? "nothing"), \(words)")
    }

    /// The errors that it printed.
    private var words: String {
        (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    }

    func end() async -> (status: Int32, errors: String) {
        for await state in states { last = state }
        process.waitUntilExit()
        return (process.terminationStatus, words)
    }
}
