/// Programs without sessions that an `UnmanagedAudio` leaves unchanged.
///
///     let exceptions = UnmanagedAudio.Exceptions(names: ["speech-dispatcher"])
///
/// Exceptions are never paused, muted or ducked. Programs with sessions need none, because
/// arbitration governs them.
public struct UnmanagedAudioExceptions: Sendable, Hashable {
    /// The process IDs of exceptions. Each stands for that process and all of its descendants,
    /// including those that start later.
    public var processes: Set<Int>
    /// The names of exceptions, compared without regard to case.
    ///
    /// A name is the program's `application.name`, the name of its process, or that of its media
    /// player on the bus, with or without the instance. Descendants of a process with such a name
    /// are exceptions as well.
    public var names: Set<String>

    /// Makes exceptions by process, by name, or both.
    ///
    /// - Parameters:
    ///   - processes: The process IDs of exceptions.
    ///   - names: The names of exceptions.
    public init(processes: Set<Int> = [], names: Set<String> = []) {
        self.processes = processes
        self.names = names
    }

    package var isEmpty: Bool { processes.isEmpty && names.isEmpty }

    /// Returns whether the program is an exception.
    ///
    /// - Parameters:
    ///   - program: The trace of the program.
    ///   - others: The names of its stream or player.
    package func cover(_ program: ProgramTrace, calledAlso others: [String]) -> Bool {
        if !processes.isDisjoint(with: program.lineage) { return true }
        return names.contains { name in
            let name = name.lowercased()
            return others.contains { $0.lowercased() == name }
                || program.commands.contains { $0.lowercased() == Self.command(name) }
        }
    }

    /// Returns what the kernel keeps of a process's name: the first 15 bytes.
    private static func command(_ name: String) -> String { String(decoding: name.utf8.prefix(15), as: UTF8.self) }
}
