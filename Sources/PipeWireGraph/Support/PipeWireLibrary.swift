import CPipeWireShim

/// The libpipewire that this process has loaded.
package enum PipeWireLibrary {
    /// Whether this process was forked without exec from one that used the library. It has none of
    /// the library's threads.
    package static var isForked: Bool { cpw_is_forked_child() }

    /// The version of the loaded libpipewire, such as "0.3.65".
    package static var version: String { String(cString: cpw_library_version()) }
}
