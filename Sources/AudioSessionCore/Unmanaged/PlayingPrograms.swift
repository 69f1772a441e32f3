/// The programs that have playback streams, and those that sessions govern.
package struct PlayingPrograms: Sendable, Hashable {
    /// A process without a session that has playback streams.
    package struct Process: Sendable, Hashable {
        /// Whether one of its streams runs.
        package var isRunning: Bool
        /// The names of its streams and of its connection to PipeWire.
        package var names: Set<String>

        package init(isRunning: Bool, names: Set<String> = []) {
            self.isRunning = isRunning
            self.names = names
        }
    }

    package var processes: [StreamProcess: Process]
    /// The processes that have sessions, and this one.
    package var participants: Set<Int>
    /// The processes that host their descendants, which follow the host's session.
    package var hosts: Set<Int>

    package init(
        processes: [StreamProcess: Process] = [:], participants: Set<Int> = [], hosts: Set<Int> = []
    ) {
        self.processes = processes
        self.participants = participants
        self.hosts = hosts
    }

    /// Whether the program of a media player is governed by a session other than that of the scope.
    package func isGoverned(_ player: UnmanagedPlayer, _ program: ProgramTrace, in scope: UnmanagedScope) -> Bool {
        switch scope {
        case .others:
            player.processID.map(participants.contains) ?? false || !hosts.isDisjoint(with: program.lineage)
        case .hosted(let process): program.ancestors(below: process).contains(where: hosts.contains)
        case .attached: true
        }
    }
}
