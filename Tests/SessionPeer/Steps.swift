import AudioSessionCore
import AudioSessions
import Glibc
import PipeWireGraph

/// Counts the messages that one program sends about its tokens, and the events that it receives,
/// and signals it at one of these.
final class Steps: Sendable {
    private struct State {
        var isCounting = false
        var count = 0
    }

    private let state = Locked(State())
    private let strike: Int
    private let signal: Int32

    init(_ strike: Int, signal: Int32) {
        self.strike = strike
        self.signal = signal
    }

    var count: Int { state.withLock(\.count) }

    func begin() { state.withLock { $0.isCounting = true } }

    func take() {
        let isDue = state.withLock { state in
            if state.isCounting { state.count += 1 }
            return state.isCounting && state.count == strike
        }
        // This thread must not continue while another one handles the signal.
        if isDue { raise(signal) }
    }
}

extension ManagerEnvironment {
    static func stepped(by steps: Steps) throws -> ManagerEnvironment {
        var environment = try ManagerEnvironment.pipeWire()
        let connect = environment.connect
        environment.connect = { (options, receive, failed) throws(PipeWireError) in
            let connection = try connect(
                options,
                { event in
                    // The signal precedes the event, after all earlier messages have been sent.
                    if event.isAboutToken { steps.take() }
                    receive(event)
                }, failed)
            return SteppedConnection(connection, steps)
        }
        return environment
    }
}

extension GraphEvent {
    fileprivate var isAboutToken: Bool {
        switch self {
        case .deviceAppeared(_, let properties), .sessionObjectAppeared(_, let properties):
            properties.announces(.token)
        case .barrier(.token), .disappeared: true
        default: false
        }
    }
}

private final class SteppedConnection: GraphConnection {
    private let connection: any GraphConnection
    private let steps: Steps

    init(_ connection: any GraphConnection, _ steps: Steps) {
        self.connection = connection
        self.steps = steps
    }

    func watch() throws(PipeWireError) { try connection.watch() }

    func close() { connection.close() }

    func perform(_ command: GraphCommand) {
        connection.perform(command)
        if case .barrier(.token) = command { steps.take() }
    }

    var identity: ConnectionIdentity { connection.identity }
    var isEnumerating: Bool { connection.isEnumerating }
    var refusedCount: UInt64 { connection.refusedCount }
    var end: ConnectionEnd { connection.end }

    func announce(
        _ announcement: Announcement, failed: @escaping () -> Void
    ) throws(PipeWireError) -> any AnnouncedObject {
        let token = try connection.announce(announcement, failed: failed)
        steps.take()
        return SteppedToken(token, steps)
    }
}

private final class SteppedToken: AnnouncedObject {
    private let token: any AnnouncedObject
    private let steps: Steps

    init(_ token: any AnnouncedObject, _ steps: Steps) {
        self.token = token
        self.steps = steps
    }

    deinit { steps.take() }
}
