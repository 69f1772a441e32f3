import CPipeWireShim

package enum PipeWireLibrary {
    /// Whether this process is a child, forked without exec, of one that used the library, whose threads it has not.
    package static var isForked: Bool { cpw_is_forked_child() }

    /// The version of the libpipewire that this process runs with, such as "0.3.65".
    package static var version: String { String(cString: cpw_library_version()) }
}
