import Glibc

/// Threads for blocking functions, which must not block threads of the concurrency runtime.
package enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a blocking function on a separate thread.
    ///
    /// - Returns: whether the system had the resources for a thread. Without them the function does
    ///   not run.
    package static func detach(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 256 * 1024)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        pthread_attr_destroy(&attributes)
        if code != 0 { body.release() }
        return code == 0
    }

    /// Runs a blocking function on a separate thread. Without resources for one, the function
    /// blocks the caller.
    package static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            if !detach({ continuation.resume(returning: body()) }) { continuation.resume(returning: body()) }
        }
    }
}
