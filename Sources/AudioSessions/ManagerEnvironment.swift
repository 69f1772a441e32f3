package import AudioSessionCore
package import PipeWireGraph

/// The dependencies of a manager, which tests replace.
package struct ManagerEnvironment: Sendable {
    package typealias Connect =
        @Sendable (
            Connection.Options, _ receive: @escaping (GraphEvent) -> Void, _ failed: @escaping (String) -> Void
        ) throws(PipeWireError) -> any GraphConnection

    /// The executor of the manager. All callbacks of the other dependencies run on it.
    package var executor: any SerialExecutor
    /// The same executor, for tasks that prefer it.
    package var taskExecutor: any TaskExecutor
    /// Runs the tasks that were just resumed, before further events and evaluation.
    package var runTasks: @Sendable () -> Void
    /// Calls a function on the executor after the current callback of PipeWire, when the real-time
    /// thread has left all streams that were released before.
    package var afterCallback: @Sendable (_ body: @escaping () -> Void) -> Void
    package var connect: Connect
    package var now: @Sendable () -> MonotonicTime
    /// Returns how long the computer has slept since its start, which ``now`` does not count.
    package var sleptTime: @Sendable () -> Duration
    package var makeTimer: @Sendable (_ fired: @escaping () -> Void) -> (any GraphTimer)?
    package typealias WatchSocket =
        @Sendable (_ remote: String?, _ appeared: @escaping () -> Void) -> (any GraphWatch)?
    /// Calls `appeared` when the daemon's socket is created; `nil` if the socket cannot be watched
    /// now.
    package var watchSocket: WatchSocket
    /// Returns a random number from 0 to 1.
    package var random: @Sendable () -> Double
    package typealias StartWatchdog =
        @Sendable (_ remote: String?, _ started: @escaping @Sendable ((any GraphWatchdog)?) -> Void) -> Void
    /// Starts a watchdog for cards without blocking, and calls `started` on any thread. `nil` if
    /// there is no daemon that a watchdog could reach.
    package var startWatchdog: StartWatchdog?

    package init(
        executor: any SerialExecutor, taskExecutor: any TaskExecutor, runTasks: @escaping @Sendable () -> Void = {},
        afterCallback: @escaping @Sendable (_ body: @escaping () -> Void) -> Void = { $0() },
        connect: @escaping Connect, now: @escaping @Sendable () -> MonotonicTime,
        sleptTime: @escaping @Sendable () -> Duration = { .zero },
        makeTimer: @escaping @Sendable (_ fired: @escaping () -> Void) -> (any GraphTimer)?,
        watchSocket: @escaping WatchSocket = { _, _ in nil }, random: @escaping @Sendable () -> Double = { 0.5 },
        startWatchdog: StartWatchdog? = nil
    ) {
        self.executor = executor
        self.taskExecutor = taskExecutor
        self.runTasks = runTasks
        self.afterCallback = afterCallback
        self.connect = connect
        self.now = now
        self.sleptTime = sleptTime
        self.makeTimer = makeTimer
        self.watchSocket = watchSocket
        self.random = random
        self.startWatchdog = startWatchdog
    }

    /// Makes the dependencies of a manager on PipeWire, with a thread of its own.
    package static func pipeWire(raisesThreadPriority: Bool = true) throws(PipeWireError) -> Self {
        let executor = try LoopExecutor(isUrgent: raisesThreadPriority, connects: true)
        return Self(
            executor: executor, taskExecutor: LoopTaskExecutor(executor), runTasks: { executor.runTasks() },
            afterCallback: { executor.end(ofStream: true, $0) },
            connect: { (options, receive, failed) throws(PipeWireError) in
                try Connection(options, on: executor, receive: receive, failed: failed)
            },
            now: { MonotonicTime.now },
            sleptTime: { MonotonicTime.slept },
            makeTimer: { LoopTimer(on: executor, fired: $0) },
            watchSocket: { SocketWatch(remote: $0, on: executor, appeared: $1) },
            random: { Double.random(in: 0...1) },
            startWatchdog: { remote, started in CardWatchdog.start(remote: remote) { started($0) } })
    }
}

/// A connection that sends graph events and executes commands.
package protocol GraphConnection: AnyObject {
    func watch() throws(PipeWireError)
    func perform(_ command: GraphCommand)
    /// Whether a device announced a change of a parameter that has not arrived yet.
    var isEnumerating: Bool { get }
    /// The number of entries of device lists that were left out because of the limits.
    var refusedCount: UInt64 { get }
    /// Stops all events. Streams may hold the connection until they have processed its end.
    func close()
    /// The moment at which the daemon has answered all requests of the connection, once it is
    /// released.
    var end: ConnectionEnd { get }
    /// The identity of this client, known from the first barrier on.
    var identity: ConnectionIdentity { get }
    /// Publishes an object to all programs until the result is released. `failed` is called if the
    /// daemon does not make it.
    func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject
}

/// An object by which this process announces something. PipeWire removes it when this reference is
/// released.
package protocol AnnouncedObject: AnyObject {}

package protocol GraphTimer: AnyObject {
    func arm(after duration: Duration)
    func disarm()
}

extension ExportedSessionObject: AnnouncedObject {}
extension ExportedDevice: AnnouncedObject {}

extension Connection: GraphConnection {
    package func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject {
        let carrier = carrier
        let properties = announcement.properties(of: carrier)
        switch carrier {
        case .session: return try ExportedSessionObject(properties, over: self, failed: failed)
        case .device:
            return try ExportedDevice(properties: properties.pairs, over: self) { event in
                if case .failed = event { failed() }
            }
        }
    }
}

extension LoopTimer: GraphTimer {}

/// A subscription that ends when its last reference is released.
package protocol GraphWatch: AnyObject {}

extension SocketWatch: GraphWatch {}

/// A helper process that switches cards back after this process ended.
package protocol GraphWatchdog: AnyObject, Sendable {
    /// Replaces the choices that the watchdog undoes.
    /// - Parameter mark: The name of this program's marks.
    func restoreAtExit(_ orders: [CardRestoreOrder], mark: String)
}

extension CardWatchdog: GraphWatchdog {}
