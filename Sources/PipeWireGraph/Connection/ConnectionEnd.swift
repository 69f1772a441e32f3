/// The end of a connection, for callers that wait for it. Used on the loop's thread.
package final class ConnectionEnd {
    private var isPast = false
    private var waiting: [() -> Void] = []

    package init() {}

    /// Calls `body` at the end; at once if the connection has ended.
    package func wait(_ body: @escaping () -> Void) { if isPast { body() } else { waiting.append(body) } }

    /// Ends the wait of all callers.
    package func pass() {
        isPast = true
        let waiting = waiting
        self.waiting = []
        for body in waiting { body() }
    }
}
