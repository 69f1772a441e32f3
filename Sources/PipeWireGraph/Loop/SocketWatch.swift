import CPipeWireShim
import Glibc

/// Notifies when the daemon's socket may have appeared. Created and released on the loop's thread.
package final class SocketWatch {
    private let executor: LoopExecutor
    private let watch: OpaquePointer
    private let context: Unmanaged<LoopCallback>

    /// Starts watching. `nil` if the folder does not exist, or memory or files are exhausted.
    package init?(remote: String?, on executor: LoopExecutor, appeared: @escaping () -> Void) {
        guard let (folder, name) = Self.location(of: remote) else { return nil }
        context = .passRetained(LoopCallback(appeared))
        let watch = cpw_file_watch_create(executor.loop, folder, name, { LoopCallback.call($0) }, context.toOpaque())
        guard let watch else {
            context.release()
            return nil
        }
        self.executor = executor
        self.watch = watch
    }

    deinit {
        context.takeUnretainedValue().body = nil
        executor.end { [executor, watch, context] in
            cpw_file_watch_destroy(watch)
            context.release()
            withExtendedLifetime(executor) {}
        }
    }

    /// The folder and name of the socket, by libpipewire's rules: an absolute path, or a name in
    /// the user's folder.
    package static func location(of remote: String?) -> (folder: String, name: String)? {
        let name = remote ?? environment("PIPEWIRE_REMOTE") ?? "pipewire-0"
        if name.hasPrefix("/") {
            let parts = name.split(separator: "/")
            return parts.last.map { ("/" + parts.dropLast().joined(separator: "/"), String($0)) }
        }
        return cpw_socket_folder().map { (String(cString: $0), name) }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}
