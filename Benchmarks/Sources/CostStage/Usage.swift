import FoundationEssentials
public import Glibc

/// The usage of a process since its start.
public struct Usage {
    /// Seconds of processor time, of all its threads.
    public let processor: Double
    /// How often one of its threads began to run after it had slept.
    public let wakeUps: Int
    /// The same count for the library's own thread.
    public let wakeUpsOfLoop: Int
    /// Its private memory, in kilobytes.
    public let memory: Int

    public init(_ process: pid_t) {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        var (nanoseconds, switches, loop) = (0, 0, 0)
        for task in tasks {
            let folder = "/proc/\(process)/task/\(task)"
            nanoseconds += Self.read(folder + "/schedstat").split(separator: " ").first.flatMap { Int($0) } ?? 0
            let own = Self.number(after: "voluntary_ctxt_switches:", in: folder + "/status")
            switches += own
            if Self.isLoop(folder) { loop += own }
        }
        processor = Double(nanoseconds) / 1e9
        wakeUps = switches
        wakeUpsOfLoop = loop
        memory = Self.number(after: "Private_Dirty:", in: "/proc/\(process)/smaps_rollup")
    }

    /// The processes of a private PipeWire.
    public static func processes(named name: String, in directory: String) -> [pid_t] {
        let all =
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return all.filter { process in
            read("/proc/\(process)/comm") == name + "\n"
                && read("/proc/\(process)/environ").contains("PIPEWIRE_RUNTIME_DIR=\(directory)/run")
        }
    }

    /// The threads that this library created.
    public static func loops(of process: pid_t) -> Set<Int64> {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return Set(tasks.filter { isLoop("/proc/\(process)/task/\($0)") }.compactMap { Int64($0) })
    }

    private static func isLoop(_ folder: String) -> Bool { read(folder + "/comm").hasPrefix("pipewire-loop") }

    private static func read(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    private static func number(after name: String, in path: String) -> Int {
        let line = read(path).split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
