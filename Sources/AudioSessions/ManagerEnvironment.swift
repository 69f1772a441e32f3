package import AudioSessionCore
package import PipeWireGraph

/// What a manager needs of the world, so that a test can be the world.
package struct ManagerEnvironment: Sendable {
    package typealias Connect =
        @Sendable (
            Connection.Options, _ receive: @escaping (GraphEvent) -> Void, _ failed: @escaping (String) -> Void
        ) throws(PipeWireError) -> any GraphConnection

    /// Where the manager runs; every call of the others comes there.
    package var executor: any SerialExecutor
    /// The same, for tasks that prefer it.
    package var taskExecutor: any TaskExecutor
    /// Lets those tasks go on that have been told something, before more is thought about.
    package var runTasks: @Sendable () -> Void
    package var connect: Connect
    package var now: @Sendable () -> MonotonicTime
    /// For how long the computer has slept since it was started, which ``now`` does not count.
    package var sleptTime: @Sendable () -> Duration
    package var makeTimer: @Sendable (_ fired: @escaping () -> Void) -> (any GraphTimer)?
    package typealias WatchSocket =
        @Sendable (_ remote: String?, _ appeared: @escaping () -> Void) -> (any GraphWatch)?
    /// Calls `appeared` when the daemon's socket is made; `nil` if that cannot be seen now.
    package var watchSocket: WatchSocket
    /// Any number from 0 to 1.
    package var random: @Sendable () -> Double

    package init(
        executor: any SerialExecutor, taskExecutor: any TaskExecutor, runTasks: @escaping @Sendable () -> Void = {},
        connect: @escaping Connect, now: @escaping @Sendable () -> MonotonicTime,
        sleptTime: @escaping @Sendable () -> Duration = { .zero },
        makeTimer: @escaping @Sendable (_ fired: @escaping () -> Void) -> (any GraphTimer)?,
        watchSocket: @escaping WatchSocket = { _, _ in nil }, random: @escaping @Sendable () -> Double = { 0.5 }
    ) {
        self.executor = executor
        self.taskExecutor = taskExecutor
        self.runTasks = runTasks
        self.connect = connect
        self.now = now
        self.sleptTime = sleptTime
        self.makeTimer = makeTimer
        self.watchSocket = watchSocket
        self.random = random
    }

    /// PipeWire, on a thread of its own.
    package static func pipeWire(raisesThreadPriority: Bool = true) throws(PipeWireError) -> Self {
        let executor = try LoopExecutor(isUrgent: raisesThreadPriority, connects: true)
        return Self(
            executor: executor, taskExecutor: LoopTaskExecutor(executor), runTasks: { executor.runTasks() },
            connect: { (options, receive, failed) throws(PipeWireError) in
                try Connection(
                    options, on: executor,
                    receive: { event in
                        receive(event)
                        // One of several that have come at once.
                        executor.runTasks()
                    }, failed: failed)
            },
            now: { MonotonicTime.now },
            sleptTime: { MonotonicTime.slept },
            makeTimer: { LoopTimer(on: executor, fired: $0) },
            watchSocket: { SocketWatch(remote: $0, on: executor, appeared: $1) },
            random: { Double.random(in: 0...1) })
    }
}

/// A source of graph news that obeys commands.
package protocol GraphConnection: AnyObject {
    func watch() throws(PipeWireError)
    func perform(_ command: GraphCommand)
    /// Whether a device announced a change of a parameter that it has not sent yet.
    var isEnumerating: Bool { get }
    /// How many entries of devices' lists were left out, because there were too many.
    var refusedCount: UInt64 { get }
    /// Tells nothing any more, although streams may hold it until they have heard of its end.
    func close()
    /// Known from the first barrier on.
    var identity: ConnectionIdentity { get }
    /// Shows an object to all programs until the result is dropped. `failed` is called if the daemon does not make it.
    func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject
}

/// An object by which this process announces something. It goes when this does.
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

/// Tells of something, until it is dropped.
package protocol GraphWatch: AnyObject {}

extension SocketWatch: GraphWatch {}
