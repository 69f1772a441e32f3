import FoundationEssentials
import Glibc
import Testing

@testable import AudioSessionTestKit

/// Programs of other people, with sessions that stand.
struct Crowd {
    private let programs: [ChildProcess]

    struct Missing: Error { let description: String }

    enum Kind: String {
        case mixing, exclusive, stacked, alarm, watching
        /// The sessions leave when they were interrupted and may go on; the program stays.
        case leaving
        /// No sessions, and nothing of this library: clients in C that PipeWire tells of everything, and that keep nothing.
        case reading

        func arguments(_ sessions: Int, remote: String, ready: String) -> [String] {
            switch self {
            case .reading: [remote, ready, "read", "0", "-"]
            default: [remote, "\(sessions)", rawValue, ready]
            }
        }

        var program: String { testProgram(self == .reading ? "session-flood" : "session-crowd") }
    }

    /// Returns when all of them are active, or were until the next one was.
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

    /// Ends them without a chance to say so.
    func kill() async {
        for program in programs { program.signal(SIGKILL) }
        for program in programs { await program.exited() }
    }

    /// How each of them has ended, when all have.
    func end() async -> [ChildProcess.ExitStatus] {
        var ends: [ChildProcess.ExitStatus] = []
        for program in programs { ends.append(await program.exited()) }
        return ends
    }

    /// Of the first program: memory that is its own, in bytes.
    func memory() throws -> Int { try programs[0].memory() }

    /// How many descriptors the first program has.
    func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(programs[0].id)/fd").count
    }

    /// Of all programs since they began.
    func processorTime() throws -> Duration {
        var ticks = 0
        for program in programs {
            let status = try String(contentsOfFile: "/proc/\(program.id)/stat", encoding: .utf8)
            // After the name, which is in brackets, the twelfth and thirteenth: in user and in system mode.
            let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
            ticks += fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
        }
        return .milliseconds(ticks * 1000 / sysconf(Int32(_SC_CLK_TCK)))
    }
}

extension ChildProcess {
    /// Memory that is its own, in bytes.
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(id)/smaps_rollup", encoding: .utf8)
        let pages = status.split(separator: "\n").filter { $0.hasPrefix("Private_Dirty:") }
        return 1024 * pages.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }.reduce(0, +)
    }
}

/// Where a program is that was built with the tests.
func testProgram(_ name: String) -> String {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: name).path
}
