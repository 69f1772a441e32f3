/// What tells which program a process belongs to.
package struct ProgramTrace: Sendable, Hashable {
    /// The process, its parent, and so on. Browsers play in a child of the process that shows the player.
    package var lineage: [Int]
    /// The sandbox that it runs in, if it does.
    package var sandbox: String?

    package init(lineage: [Int], sandbox: String? = nil) {
        self.lineage = lineage
        self.sandbox = sandbox
    }

    /// Whether one of them started the other, or both are in one sandbox. Two that have only a parent in common, such
    /// as a shell, are two programs.
    package func isSameProgram(as other: ProgramTrace) -> Bool {
        if let sandbox, sandbox == other.sandbox { return true }
        guard let own = lineage.first, let others = other.lineage.first else { return false }
        return other.lineage.contains(own) || lineage.contains(others)
    }
}
