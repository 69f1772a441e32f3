import CGtk
import Glibc

/// GTK's loop on the main thread, which also runs Swift's main actor: its tasks may use widgets and
/// await events of the library without blocking either.
@MainActor
final class GtkLoop {
    private let loop = g_main_loop_new(nil, 0)
    private var status: Int32 = 0

    /// Initializes GTK; `nil` without a display.
    init?() {
        guard gtk_init_check() != 0 else { return nil }
    }

    /// Runs the loop, and returns the argument of ``quit(_:)``.
    func run() -> Int32 {
        // Swift schedules the main actor on libdispatch's main queue. This notifies the loop of its
        // work.
        let source = g_unix_fd_add(
            _dispatch_get_main_queue_handle_4CF(), G_IO_IN,
            { descriptor, _, _ in
                var count: UInt64 = 0
                _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
                _dispatch_main_queue_callback_4CF(nil)
                return 1
            }, nil)
        g_main_loop_run(loop)
        g_source_remove(source)
        return status
    }

    func quit(_ status: Int32 = 0) {
        self.status = status
        g_main_loop_quit(loop)
    }

    /// Calls the handler when the program is asked to end, as by control-C.
    func onTermination(_ handler: @escaping @MainActor () -> Void) {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            g_unix_signal_add_full(
                G_PRIORITY_DEFAULT, number,
                { data in
                    Handler<Void>.call(data, with: ())
                    return 1
                }, Handler(handler).retained, nil)
        }
    }
}

/// A closure that C calls.
final class Handler<Value: Sendable>: Sendable {
    private let body: @MainActor (Value) -> Void

    init(_ body: @escaping @MainActor (Value) -> Void) { self.body = body }

    /// The pointer for C, and for ``release(_:)`` at the end.
    var retained: gpointer { Unmanaged.passRetained(self).toOpaque() }

    /// GTK calls on the main thread only.
    static func call(_ data: gpointer?, with value: Value) {
        guard let data else { return }
        let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { handler.body(value) }
    }

    static func release(_ data: gpointer?) {
        if let data { Unmanaged<Handler>.fromOpaque(data).release() }
    }
}
