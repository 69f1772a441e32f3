/// The data that determines which program a process belongs to.
package struct ProgramTrace: Sendable, Hashable {
    /// The process, its parent, and so on. Browsers play in a child of the process that owns the
    /// player.
    package var lineage: [Int]
    /// The Flatpak sandbox in which the process runs; `nil` outside of one.
    package var sandbox: Sandbox?
    /// The names of these processes, as far as they are readable, of at most 15 bytes each.
    package var commands: [String]

    package init(lineage: [Int], sandbox: Sandbox? = nil, commands: [String] = []) {
        self.lineage = lineage
        self.sandbox = sandbox
        self.commands = commands
    }

    /// Returns the ancestors of this process that are descendants of another one. A host among them
    /// is nearer to this process than that one.
    func ancestors(below process: Int) -> some Sequence<Int> { lineage.dropFirst().prefix { $0 != process } }

    /// Whether one process started the other, or both are in one sandbox. Processes that only share
    /// a parent, such as a shell, are different programs.
    package func isSameProgram(as other: ProgramTrace) -> Bool {
        if let sandbox, let others = other.sandbox, sandbox.isSame(as: others) { return true }
        guard let own = lineage.first, let others = other.lineage.first else { return false }
        return other.lineage.contains(own) || lineage.contains(others)
    }

    /// A sandbox of Flatpak. Of a stream of pipewire-pulse only the application is known.
    package struct Sandbox: Sendable, Hashable {
        /// The number that Flatpak gave to this run of the application; `nil` if it is unknown.
        package var instance: String?
        /// The ID of the application, such as "org.mozilla.firefox"; `nil` if it is unknown.
        package var application: String?

        package init(instance: String? = nil, application: String? = nil) {
            self.instance = instance
            self.application = application
        }

        /// Whether both sandboxes are the same run or, if the run of one of them is unknown, runs
        /// of the same application.
        func isSame(as other: Sandbox) -> Bool {
            if let instance, let others = other.instance { return instance == others }
            return application != nil && application == other.application
        }
    }
}

/// A set of programs in which one is found without comparing it with each of them.
struct ProgramIndex: Sendable {
    private var processes: Set<Int> = []
    private var lineages: Set<Int> = []
    private var instances: Set<String> = []
    private var applications: Set<String> = []
    /// The applications of sandboxes of which the run is unknown.
    private var applicationsOfUnknownRuns: Set<String> = []

    init(_ programs: some Sequence<ProgramTrace>) {
        for program in programs {
            if let sandbox = program.sandbox { insert(sandbox) }
            guard let process = program.lineage.first else { continue }
            processes.insert(process)
            lineages.formUnion(program.lineage)
        }
    }

    private mutating func insert(_ sandbox: ProgramTrace.Sandbox) {
        if let instance = sandbox.instance { instances.insert(instance) }
        guard let application = sandbox.application else { return }
        applications.insert(application)
        if sandbox.instance == nil { applicationsOfUnknownRuns.insert(application) }
    }

    /// Whether a program is the same as any of these, by ``ProgramTrace/isSameProgram(as:)``.
    func contains(_ program: ProgramTrace) -> Bool {
        if let sandbox = program.sandbox, contains(sandbox) { return true }
        guard let process = program.lineage.first else { return false }
        return lineages.contains(process) || !processes.isDisjoint(with: program.lineage)
    }

    /// Whether a sandbox is the same as any of these, by ``ProgramTrace/Sandbox/isSame(as:)``.
    private func contains(_ sandbox: ProgramTrace.Sandbox) -> Bool {
        if let instance = sandbox.instance, instances.contains(instance) { return true }
        guard let application = sandbox.application else { return false }
        return (sandbox.instance == nil ? applications : applicationsOfUnknownRuns).contains(application)
    }
}
