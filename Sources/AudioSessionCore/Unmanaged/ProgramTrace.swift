/// The data that determines which program a process belongs to.
package struct ProgramTrace: Sendable, Hashable {
    /// The process, its parent, and so on. Browsers play in a child of the process that owns the
    /// player.
    package var lineage: [Int]
    /// The sandbox in which the process runs; `nil` outside of one.
    package var sandbox: String?
    /// The names of these processes, as far as they are readable, of at most 15 bytes each.
    package var commands: [String]

    package init(lineage: [Int], sandbox: String? = nil, commands: [String] = []) {
        self.lineage = lineage
        self.sandbox = sandbox
        self.commands = commands
    }

    /// Whether one process started the other, or both are in one sandbox. Processes that only share
    /// a parent, such as a shell, are different programs.
    package func isSameProgram(as other: ProgramTrace) -> Bool {
        if let sandbox, sandbox == other.sandbox { return true }
        guard let own = lineage.first, let others = other.lineage.first else { return false }
        return other.lineage.contains(own) || lineage.contains(others)
    }
}
