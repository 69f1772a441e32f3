import AudioSessionCore
import Glibc

extension ProgramTrace {
    /// Of a process that runs on this machine; what cannot be read is left out.
    init(process: Int) {
        var lineage = [process]
        // No loop, whatever changes while it is read; and nothing is told by being of the first process's.
        while lineage.count < 16, let parent = Self.parent(of: lineage[lineage.count - 1]), parent > 1 {
            lineage.append(parent)
        }
        self.init(lineage: lineage, sandbox: Self.file("/proc/\(process)/root/.flatpak-info").flatMap(Self.instance))
    }

    /// The name in brackets is the program's choice: only what follows the last one is the kernel's.
    private static func parent(of process: Int) -> Int? {
        guard let stat = file("/proc/\(process)/stat"), let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        return fields.count > 1 ? Int(fields[1]) : nil
    }

    /// The number that Flatpak gave to this run of an application.
    static func instance(_ text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("instance-id=") }.map { String($0.dropFirst(12)) }
    }

    private static func file(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
