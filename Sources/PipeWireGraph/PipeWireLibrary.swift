import CPipeWireShim

package enum PipeWireLibrary {
    /// The version of the libpipewire that this process runs with, such as "0.3.65".
    package static var version: String { String(cString: cpw_library_version()) }
}
