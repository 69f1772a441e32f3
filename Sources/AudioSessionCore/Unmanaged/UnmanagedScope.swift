/// The streams and media players that a state machine acts on.
package enum UnmanagedScope: Sendable, Hashable {
    /// Those of all programs without sessions, except these and those that another process hosts.
    case others(except: UnmanagedAudioExceptions)
    /// Those of the descendants of a process, which follow a session of this program. Descendants
    /// that have sessions are left out.
    case hosted(process: Int)
    /// The streams of this process that the library does not render, which follow a session of this
    /// program. The program pauses its own media players.
    case attached(process: Int)

    package static let allOthers = others(except: UnmanagedAudioExceptions())

    /// Whether the streams follow a session of this program.
    package var followsSession: Bool {
        switch self {
        case .others: false
        case .hosted, .attached: true
        }
    }

    package var isAttached: Bool { if case .attached = self { true } else { false } }

    /// Whether the scope depends on the traces of programs.
    var needsPrograms: Bool {
        switch self {
        case .others(let exceptions): !exceptions.isEmpty
        case .hosted: true
        case .attached: false
        }
    }

    /// Returns whether the program is in the scope, as far as its trace shows.
    ///
    /// - Parameters:
    ///   - program: The trace of the program.
    ///   - names: The names of its stream or player.
    package func includes(_ program: ProgramTrace, named names: [String]) -> Bool {
        switch self {
        case .others(let exceptions): !exceptions.cover(program, calledAlso: names)
        case .hosted(let process): program.lineage.dropFirst().contains(process)
        case .attached: false
        }
    }
}
