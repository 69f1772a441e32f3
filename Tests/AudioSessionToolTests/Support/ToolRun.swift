import Foundation

/// The tool as users run it: the executable that was built beside the tests.
struct ToolRun {
    var exitCode: Int32
    var output: String
    var errors: String

    static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "audiosession")
    }

    /// The tool ends with everything in use, which a search for leaks at its end takes for forgotten.
    static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["ASAN_OPTIONS"] = environment["ASAN_OPTIONS"].map { $0 + ":detect_leaks=0" }
        return environment
    }

    /// Runs it to its end.
    init(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws {
        try await self.init(arguments: arguments, input: input, environment: environment)
    }

    init(arguments: [String], input: String = "", environment: [String: String] = [:]) async throws {
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        process.environment = Self.environment.merging(environment) { $1 }
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        // Small enough for the pipe to hold, so the tool need not read it for this to go on.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        async let output = Self.text(of: standardOutput)
        async let errors = Self.text(of: standardError)
        self.output = try await output
        self.errors = try await errors
        process.waitUntilExit()
        exitCode = process.terminationStatus
    }

    static func text(of pipe: Pipe) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                    })
            }
        }
    }
}
