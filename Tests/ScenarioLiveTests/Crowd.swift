import FoundationEssentials
import Glibc
import Testing

@testable import AudioSessionTestKit

/// Other programs with standing sessions.
struct Crowd {
    private let programs: [ChildProcess]

    struct Missing: Error { let description: String }

    enum Kind: String {
        case mixing, exclusive, stacked, alarm, watching
        /// The sessions are released when their interruption ends with advice; the program stays.
        case leaving
        /// Clients in C without sessions or this library. PipeWire sends them every event, and they
        /// keep nothing.
        case reading

        func arguments(_ sessions: Int, remote: String, ready: String) -> [String] {
            switch self {
            case .reading: [remote, ready, "read", "0", "-"]
            default: [remote, "\(sessions)", rawValue, ready]
            }
        }

        var program: String { testProgram(self == .reading ? "session-flood" : "session-crowd") }
    }

    /// Returns when all of them have been active.
    ///
    /// - Parameters:
    ///   - remote: another socket than the ordinary one.
    ///   - variables: of their environment, instead of PipeWire's.
    init(
        _ kind: Kind, sessions: Int, in processes: Int, on pipeWire: PrivatePipeWire, remote: String? = nil,
        variables: [String: String] = [:]
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let arrival = try #require(FileArrival(in: directory))
        var programs: [ChildProcess] = []
        for number in 0..<processes {
            let ready = "\(directory)/\(number)"
            let arguments = kind.arguments(
                sessions / processes, remote: remote ?? pipeWire.remote, ready: ready)
            programs.append(try await pipeWire.launch(kind.program, arguments, log: "crowd", variables: variables))
            let end = ContinuousClock.now + .seconds(60)
            while !FileManager.default.fileExists(atPath: ready) {
                guard ContinuousClock.now < end else { throw Missing(description: "program \(number) is not ready") }
                await arrival.next(within: end - .now)
            }
        }
        self.programs = programs
    }

    /// Kills all of the programs.
    func kill() async {
        for program in programs { program.signal(SIGKILL) }
        for program in programs { await program.exited() }
    }

    /// The exit statuses of all, when all have ended.
    func end() async -> [ChildProcess.ExitStatus] {
        var ends: [ChildProcess.ExitStatus] = []
        for program in programs { ends.append(await program.exited()) }
        return ends
    }

    /// The private memory of the first program, in bytes.
    func memory() throws -> Int { try programs[0].memory() }

    /// The number of descriptors of the first program.
    func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(programs[0].id)/fd").count
    }

    /// The processor time of all programs since they began.
    func processorTime() throws -> Duration {
        var ticks = 0
        for program in programs {
            let status = try String(contentsOfFile: "/proc/\(program.id)/stat", encoding: .utf8)
            // The twelfth and thirteenth field after the name, which is in parentheses: user and
            // system time.
            let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
            ticks += fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
        }
        return .milliseconds(ticks * 1000 / sysconf(Int32(_SC_CLK_TCK)))
    }
}

extension ChildProcess {
    /// The program's private memory, in bytes.
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(id)/smaps_rollup", encoding: .utf8)
        let pages = status.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty:") }
        return 1024 * pages.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
    }
}

/// The path of a program that was built with the tests.
func testProgram(_ name: String) -> String {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: name).path
}
