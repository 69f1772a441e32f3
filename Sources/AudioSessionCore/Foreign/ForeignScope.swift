/// Which programs without sessions are acted on.
package enum ForeignScope: Sendable, Hashable {
    /// All but these, and but those that another process hosts.
    case others(except: ForeignAudioExceptions)
    /// A process, for which this program has a session, and its descendants.
    case hosted(process: Int)

    package static let allOthers = others(except: ForeignAudioExceptions())

    package var isHosted: Bool { if case .hosted = self { true } else { false } }

    /// Whether the traces of programs have to be known to tell.
    var needsPrograms: Bool {
        switch self {
        case .others(let exceptions): !exceptions.isEmpty
        case .hosted: true
        }
    }

    /// - Parameter names: what the stream or the player is called.
    package func includes(_ program: ProgramTrace, named names: [String]) -> Bool {
        switch self {
        case .others(let exceptions): !exceptions.cover(program, calledAlso: names)
        case .hosted(let process): program.lineage.contains(process)
        }
    }
}
