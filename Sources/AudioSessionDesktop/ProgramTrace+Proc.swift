import AudioSessionCore
import Glibc
import PipeWireGraph

extension ProgramTrace {
    /// Makes the trace of a stream's program: that of its process or, if that is unknown, its
    /// sandbox.
    init(_ process: StreamProcess) {
        if let id = process.id {
            self.init(process: id)
        } else {
            self.init(lineage: [], sandbox: Sandbox(application: process.application))
        }
    }

    /// Reads the trace of a process of this computer, without its sandbox. Unreadable parts are
    /// left out.
    init(process: Int) {
        var (lineage, commands) = ([process], [String]())
        // The length is limited because parents may change while they are read. Process 1 is the
        // parent of unrelated programs.
        while let (command, parent) = Self.status(of: lineage[lineage.count - 1]) {
            commands.append(command)
            guard parent > 1, lineage.count < 16 else { break }
            lineage.append(parent)
        }
        self.init(lineage: lineage, commands: commands)
    }

    /// Returns the name and the parent of a process. The program chooses the name in parentheses,
    /// so only what follows the last parenthesis comes from the kernel.
    private static func status(of process: Int) -> (command: String, parent: Int)? {
        guard let stat = ProgramFile.read("/proc/\(process)/stat"), let start = stat.firstIndex(of: "("),
            let end = stat.lastIndex(of: ")"), start < end,
            case let fields = stat[stat.index(after: end)...].split(separator: " "), fields.count > 1,
            let parent = Int(fields[1])
        else { return nil }
        return (String(stat[stat.index(after: start)..<end]), parent)
    }
}

extension ProgramTrace.Sandbox {
    /// Parses the file that Flatpak puts into a sandbox; `nil` if it names no run and no
    /// application.
    init?(info text: String) {
        self.init()
        var isOfApplication = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                isOfApplication = line == "[Application]"
            } else if application == nil, isOfApplication, line.hasPrefix("name=") {
                application = String(line.dropFirst("name=".count))
            } else if instance == nil, line.hasPrefix("instance-id=") {
                instance = String(line.dropFirst("instance-id=".count))
            }
        }
        if application == nil, instance == nil { return nil }
    }
}

/// Reads a file whose path another program controls.
enum ProgramFile {
    /// Returns the beginning of a regular file. It never blocks on a pipe or a device, and follows
    /// no link.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The number of bytes. Later bytes are ignored.
    /// - Returns: The text; `nil` if the file is empty or cannot be read.
    static func read(_ path: String, limit: Int = 4096) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}

/// Reads which Flatpak sandbox a process runs in.
///
/// The process decides what the path contains, and can mount a file system there that never
/// answers. So a separate thread reads each file, the caller waits for a limited time, and no
/// thread is ever joined.
final class SandboxReader: Sendable {
    /// The limit of threads at a time, including those that never return.
    static let threadLimit = 32

    private let path: @Sendable (Int) -> String
    private let limit: Duration
    private let readFile: @Sendable (String) -> String?
    /// The pending reads, by process. A process that does not answer takes one thread, however
    /// often it is queried.
    private let pending = Locked<[Int: PendingRead]>([:])

    init(
        limit: Duration = .milliseconds(200), path: @escaping @Sendable (Int) -> String,
        readFile: @escaping @Sendable (String) -> String? = { ProgramFile.read($0) }
    ) {
        self.path = path
        self.limit = limit
        self.readFile = readFile
    }

    /// Returns the trace of a process of this computer, within the time limit.
    func trace(of process: Int) async -> ProgramTrace {
        var trace = ProgramTrace(process: process)
        trace.sandbox = await sandbox(of: process)
        return trace
    }

    /// Returns the traces of the programs of streams. The time limit is for all of them together.
    func traces(of processes: Set<StreamProcess>) async -> [StreamProcess: ProgramTrace] {
        await withTaskGroup(of: (StreamProcess, ProgramTrace).self) { group in
            for process in processes { group.addTask { (process, await self.trace(of: process)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func trace(of process: StreamProcess) async -> ProgramTrace {
        guard let id = process.id else { return ProgramTrace(process) }
        return await trace(of: id)
    }

    /// Returns the sandbox of a process; `nil` if it has none or cannot be read within the limit.
    /// Concurrent calls for one process share a read.
    func sandbox(of process: Int) async -> ProgramTrace.Sandbox? {
        await withCheckedContinuation { caller in
            let new = PendingRead()
            let joined = pending.withLock { pending -> PendingRead? in
                let read = pending[process] ?? new
                guard read !== new || pending.count < Self.threadLimit, read.join(caller) else { return nil }
                pending[process] = read
                return read
            }
            guard let joined else { return caller.resume(returning: nil) }
            if joined === new { start(new, process) }
        }
    }

    private func start(_ read: PendingRead, _ process: Int) {
        let worker = WorkerThread()
        let isPosted = worker.post { [self] in
            let text = readFile(path(process))
            pending.withLock { $0[process] = nil }
            read.answer(text.flatMap(ProgramTrace.Sandbox.init(info:)))
        }
        worker.end()
        guard isPosted else {
            pending.withLock { $0[process] = nil }
            return read.answer(nil)
        }
        Task { [limit] in
            try? await Task.sleep(for: limit)
            read.answer(nil)
        }
    }
}

/// A read of a file, with the callers that wait for its result.
private final class PendingRead: Sendable {
    /// `nil` after the first answer.
    private let callers = Locked<[CheckedContinuation<ProgramTrace.Sandbox?, Never>]?>([])

    /// Adds a caller, which receives the answer.
    ///
    /// - Returns: Whether it will be answered. After the time limit it is not.
    func join(_ caller: CheckedContinuation<ProgramTrace.Sandbox?, Never>) -> Bool {
        callers.withLock { callers in
            guard callers != nil else { return false }
            callers?.append(caller)
            return true
        }
    }

    /// Answers all callers. Later answers have no effect.
    func answer(_ sandbox: ProgramTrace.Sandbox?) {
        for caller in callers.withLock({ $0.take() }) ?? [] { caller.resume(returning: sandbox) }
    }
}
