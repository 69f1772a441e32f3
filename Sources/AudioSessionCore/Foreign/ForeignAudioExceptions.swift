/// Programs without sessions that a `ForeignAudio` leaves as they are.
///
///     let exceptions = ForeignAudioExceptions(processes: [Int(getpid())], names: ["speech-dispatcher"])
///
/// Exceptions are never paused, muted or ducked. Programs with sessions need none, because they take turns by themselves.
public struct ForeignAudioExceptions: Sendable, Hashable {
    /// Process ids. Each stands for that process and all of its descendants, including those that start later.
    public var processes: Set<Int>
    /// Names of programs, in upper or lower case: what the program calls itself (`application.name`), what its process is
    /// called, or what its media player is called on the bus without its instance. Descendants of a process with such a
    /// name are exceptions, too.
    public var names: Set<String>

    /// Exceptions by process, by name, or both.
    public init(processes: Set<Int> = [], names: Set<String> = []) {
        self.processes = processes
        self.names = names
    }

    package var isEmpty: Bool { processes.isEmpty && names.isEmpty }

    /// - Parameter others: what the stream or the player is called beside the names of the program's processes.
    package func cover(_ program: ProgramTrace, calledAlso others: [String]) -> Bool {
        if !processes.isDisjoint(with: program.lineage) { return true }
        return names.contains { name in
            let name = name.lowercased()
            return others.contains { $0.lowercased() == name }
                || program.commands.contains { $0.lowercased() == Self.command(name) }
        }
    }

    /// The kernel keeps the first 15 bytes of a process's name.
    private static func command(_ name: String) -> String { String(decoding: name.utf8.prefix(15), as: UTF8.self) }
}
