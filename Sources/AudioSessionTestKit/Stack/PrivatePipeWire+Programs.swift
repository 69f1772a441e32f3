import FoundationEssentials
import Glibc

extension PrivatePipeWire {
    /// The exit status and the output of a program.
    public struct ProgramResult: Sendable, Hashable {
        /// The exit code of the program. A value of 256 or more is 256 plus the signal that ended
        /// it.
        public let status: Int32
        /// Standard output and standard error, in the order of writing.
        public let output: String
    }

    /// Runs a program that uses this PipeWire, such as `pw-dump`, and waits until it ends.
    ///
    /// The program is ended together with this PipeWire. It is killed if the task is cancelled, and
    /// the result has that signal.
    ///
    /// - Parameters:
    ///   - program: the absolute path, or the name of one of PipeWire's own programs.
    ///   - arguments: the program's arguments.
    /// - Returns: the exit status and the output.
    /// - Throws: ``TestKitError`` if the program cannot be started, with code `closed` after
    ///   ``stop()``.
    public func run(_ program: String, _ arguments: [String] = []) async throws(TestKitError) -> ProgramResult {
        let log = "run-\(UUID().uuidString)"
        let child = try launch(path(of: program), arguments, log: log)
        let status = await withTaskCancellationHandler {
            await child.exited()
        } onCancel: {
            child.signal(SIGKILL)
        }
        let path = directory + "/" + log + ".log"
        let output = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        try? FileManager.default.removeItem(atPath: path)
        return ProgramResult(status: status.number, output: output ?? "")
    }

    /// The path of a program. PipeWire's own folder is searched first. An installation outside of
    /// the system contains no other programs.
    private func path(of program: String) -> String {
        guard !program.hasPrefix("/") else { return program }
        let folders = environment["PATH", default: tools].split(separator: ":")
        let paths = folders.map { "\($0)/\(program)" }
        return paths.first(where: FileManager.default.isExecutableFile(atPath:)) ?? "\(tools)/\(program)"
    }
}

extension ChildProcess.ExitStatus {
    fileprivate var number: Int32 {
        switch self {
        case .code(let code): code
        case .signal(let number): 256 + number
        }
    }
}
