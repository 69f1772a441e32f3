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

/// Programs among which one is found without comparing it with each of them.
struct ProgramIndex: Sendable {
    private var processes: Set<Int> = []
    private var lineages: Set<Int> = []
    private var sandboxes: Set<String> = []

    init(_ programs: some Sequence<ProgramTrace>) {
        for program in programs {
            if let sandbox = program.sandbox { sandboxes.insert(sandbox) }
            guard let process = program.lineage.first else { continue }
            processes.insert(process)
            lineages.formUnion(program.lineage)
        }
    }

    /// Whether a program is the same as any of these, by ``ProgramTrace/isSameProgram(as:)``.
    func contains(_ program: ProgramTrace) -> Bool {
        if let sandbox = program.sandbox, sandboxes.contains(sandbox) { return true }
        guard let process = program.lineage.first else { return false }
        return lineages.contains(process) || !processes.isDisjoint(with: program.lineage)
    }
}
