import AudioSessionCore
import Glibc
import PipeWireGraph

extension ProgramTrace {
    /// The trace of a process of this computer, without its sandbox. What cannot be read is left out.
    init(process: Int) {
        var (lineage, commands) = ([process], [String]())
        // The length is limited because parents may change while they are read. Process 1 is the parent of
        // unrelated programs.
        while let (command, parent) = Self.status(of: lineage[lineage.count - 1]) {
            commands.append(command)
            guard parent > 1, lineage.count < 16 else { break }
            lineage.append(parent)
        }
        self.init(lineage: lineage, commands: commands)
    }

    /// The name in parentheses is the program's choice: only what follows the last one is the kernel's.
    private static func status(of process: Int) -> (command: String, parent: Int)? {
        guard let stat = ProgramFile.read("/proc/\(process)/stat"), let start = stat.firstIndex(of: "("),
            let end = stat.lastIndex(of: ")"), start < end,
            case let fields = stat[stat.index(after: end)...].split(separator: " "), fields.count > 1,
            let parent = Int(fields[1])
        else { return nil }
        return (String(stat[stat.index(after: start)..<end]), parent)
    }

    /// The number that Flatpak gave to this run of an application.
    static func instance(_ text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("instance-id=") }.map { String($0.dropFirst(12)) }
    }
}

/// Reads a file whose path another program controls.
enum ProgramFile {
    /// The beginning of a regular file. Never blocks on a pipe or a device, and follows no link.
    ///
    /// - Parameter limit: bytes; what follows them is ignored.
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
/// The process decides what lies at the path, and can put a file system there that never answers. So a thread
/// of its own reads each file, the caller waits for a limited time, and no one waits for the thread.
final class SandboxReader: Sendable {
    /// Threads at a time, including those that will never return.
    static let threadLimit = 32

    private let path: @Sendable (Int) -> String
    private let limit: Duration
    private let readFile: @Sendable (String) -> String?
    /// The processes whose files are being read. One that does not answer takes one thread, however often it
    /// is asked for.
    private let pending = Locked<Set<Int>>([])

    init(
        limit: Duration = .milliseconds(200),
        path: @escaping @Sendable (Int) -> String = { "/proc/\($0)/root/.flatpak-info" },
        readFile: @escaping @Sendable (String) -> String? = { ProgramFile.read($0) }
    ) {
        self.path = path
        self.limit = limit
        self.readFile = readFile
    }

    /// The trace of a process of this computer, within the limit.
    func trace(of process: Int) async -> ProgramTrace {
        var trace = ProgramTrace(process: process)
        trace.sandbox = await sandbox(of: process)
        return trace
    }

    /// The traces of processes of this computer, within the limit for all of them together.
    func traces(of processes: Set<StreamProcess>) async -> [StreamProcess: ProgramTrace] {
        await withTaskGroup(of: (StreamProcess, ProgramTrace).self) { group in
            for process in processes { group.addTask { (process, await self.trace(of: process.id)) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// `nil`: none, or none that could be read within the limit.
    func sandbox(of process: Int) async -> String? {
        let mayRead = pending.withLock { pending in
            pending.count < Self.threadLimit && pending.insert(process).inserted
        }
        guard mayRead else { return nil }
        return await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<String?, Never>?>(continuation)
            @Sendable func answer(_ sandbox: String?) {
                waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }?.resume(returning: sandbox)
            }
            let worker = WorkerThread()
            let isPosted = worker.post { [self] in
                let text = readFile(path(process))
                pending.withLock { _ = $0.remove(process) }
                answer(text.flatMap(ProgramTrace.instance))
            }
            worker.end()
            guard isPosted else {
                pending.withLock { _ = $0.remove(process) }
                return answer(nil)
            }
            Task { [limit] in
                try? await Task.sleep(for: limit)
                answer(nil)
            }
        }
    }
}
