/// The programs without sessions that a state machine acts on.
package enum UnmanagedScope: Sendable, Hashable {
    /// All programs except these and those that another process hosts.
    case others(except: UnmanagedAudioExceptions)
    /// The descendants of a process, which follow a session of this program.
    case hosted(process: Int)

    package static let allOthers = others(except: UnmanagedAudioExceptions())

    package var isHosted: Bool { if case .hosted = self { true } else { false } }

    /// Whether the scope depends on the traces of programs.
    var needsPrograms: Bool {
        switch self {
        case .others(let exceptions): !exceptions.isEmpty
        case .hosted: true
        }
    }

    /// Returns whether the program is in the scope.
    ///
    /// - Parameters:
    ///   - program: The trace of the program.
    ///   - names: The names of its stream or player.
    package func includes(_ program: ProgramTrace, named names: [String]) -> Bool {
        switch self {
        case .others(let exceptions): !exceptions.cover(program, calledAlso: names)
        case .hosted(let process): program.lineage.dropFirst().contains(process)
        }
    }
}
