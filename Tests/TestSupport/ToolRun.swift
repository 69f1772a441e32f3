package import AudioSessionTestKit
package import Foundation

/// The tool as users run it: the executable that was built beside the tests.
package struct ToolRun {
    package let exitCode: Int32
    package let output: String
    package let errors: String

    package static let executable = program("audiosession")
    /// The program that performs `audiosession simulate` and `audiosession demo`.
    package static let simulator = program("audiosession-simulate")

    private static func program(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }

    /// The tool exits without releasing its objects, which a leak finder would report.
    private static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["ASAN_OPTIONS"] = environment["ASAN_OPTIONS"].map { $0 + ":detect_leaks=0" }
        environment["LC_ALL"] = "C.UTF-8"
        return environment
    }

    /// Runs the tool to its end.
    package init(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws {
        try await self.init(arguments: arguments, input: input, environment: environment)
    }

    package init(
        _ program: URL = executable, arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws {
        let (standardInput, standardOutput, standardError) = (Foundation.Pipe(), Foundation.Pipe(), Foundation.Pipe())
        let process = try Self.start(
            arguments, environment, program: program, input: standardInput, output: standardOutput,
            errors: standardError)
        // The input fits into the pipe, so this continues even if the tool does not read it.
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        async let output = Self.text(of: standardOutput)
        async let errors = Self.text(of: standardError)
        self.output = try await output
        self.errors = try await errors
        exitCode = await process.exited().number
    }

    /// (Not Foundation's Process, which reads beyond its memory in a program with a thousand open
    /// files.)
    package static func start(
        _ arguments: [String], _ environment: [String: String], program: URL = executable, input: Foundation.Pipe,
        output: Foundation.Pipe, errors: Foundation.Pipe
    ) throws -> ChildProcess {
        let process = try ChildProcess(
            program: program.path, arguments: arguments,
            environment: Self.environment.merging(environment) { $1 },
            output: .files(
                output: output.fileHandleForWriting.fileDescriptor, errors: errors.fileHandleForWriting.fileDescriptor
            ),
            input: input.fileHandleForReading.fileDescriptor)
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        return process
    }

    package static func text(of pipe: Foundation.Pipe) async throws -> String {
        try await Thread.run {
            Result { String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self) }
        }.get()
    }
}

extension ChildProcess.ExitStatus {
    /// The exit code, or 128 and the signal that ended the tool.
    package var number: Int32 {
        switch self {
        case .code(let number), .signal(let number): number
        }
    }
}
