import FoundationEssentials

extension PrivatePipeWire {
    /// How a program ended, and what it printed.
    public struct ProgramResult: Sendable, Hashable {
        /// Its exit code; 256 and more: the signal that ended it, plus 256.
        public let status: Int32
        /// Standard output and standard error, as they came.
        public let output: String
    }

    /// Runs a program that uses this PipeWire, such as `pw-dump`, to its end. It ends with this PipeWire at the latest.
    ///
    /// - Parameters:
    ///   - program: its absolute path, or the name of one of PipeWire's own programs.
    ///   - arguments: what it is given.
    public func run(_ program: String, _ arguments: [String] = []) async throws(TestKitError) -> ProgramResult {
        let log = "run-\(UUID().uuidString)"
        let child = try launch(path(of: program), arguments, log: log)
        let status = await child.exited()
        let path = directory + "/" + log + ".log"
        let output = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        try? FileManager.default.removeItem(atPath: path)
        return ProgramResult(status: status.number, output: output ?? "")
    }

    /// PipeWire's own programs come first; where it was unpacked beside the system, it brings no others.
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
