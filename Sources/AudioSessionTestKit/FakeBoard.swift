import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// The connections of a fake system, their clients and tokens. All connections receive all events
/// in the same order.
final class FakeBoard: Sendable {
    private let executor: InlineExecutor
    private let state = Locked(State())

    private struct State {
        var connections: [Weak] = []
        var tokens: [(id: ObjectID, properties: Properties)] = []
        var clients: [Client] = []
        var lastID: UInt32 = 100_000
        var lastSerial: UInt64 = 0
    }

    private struct Weak {
        weak var connection: FakeConnection?
    }

    init(executor: InlineExecutor) { self.executor = executor }

    /// Returns a process identifier for a new program. It is above all identifiers of real
    /// processes.
    func makeProcess() -> Int {
        state.withLock { state in
            state.lastID += 1
            return 10_000_000 + Int(state.lastID)
        }
    }

    /// Registers a connection as a client, and sends it all other clients and their tokens.
    func join(_ connection: FakeConnection, name: String?, process: Int) -> Client {
        let (client, events) = state.withLock { state in
            state.lastID += 1
            let client = Client(id: ObjectID(state.lastID), applicationName: name, processID: process, access: nil)
            state.clients.append(client)
            let events =
                state.clients.map { GraphEvent.clientAppeared($0) }
                + state.tokens.map { GraphEvent.sessionObjectAppeared($0.id, $0.properties) }
            return (client, events)
        }
        broadcast(.clientAppeared(client))
        state.withLock { $0.connections.append(Weak(connection: connection)) }
        connection.expect(events)
        return client
    }

    /// Removes a client and its tokens, because its program has closed the connection.
    func leave(_ connection: FakeConnection) {
        let client = connection.identity.client
        let gone = state.withLock { state -> [ObjectID] in
            state.connections.removeAll { $0.connection == nil || $0.connection === connection }
            guard state.clients.contains(where: { $0.id == client }) else { return [] }
            let owner = String(client.rawValue)
            let tokens = state.tokens.filter { $0.properties[.clientID] == owner }.map { $0.id }
            state.tokens.removeAll { tokens.contains($0.id) }
            state.clients.removeAll { $0.id == client }
            return tokens + [client]
        }
        for id in gone { broadcast(.disappeared(id)) }
    }

    func show(_ announcement: Announcement, of client: ObjectID) -> FakeToken {
        let (id, event) = state.withLock { state in
            state.lastID += 1
            state.lastSerial += 1
            let id = ObjectID(state.lastID)
            var properties = announcement.properties(of: .session)
            properties[.objectSerial] = String(state.lastSerial)
            properties[.clientID] = String(client.rawValue)
            state.tokens.append((id, properties))
            return (id, GraphEvent.sessionObjectAppeared(id, properties))
        }
        broadcast(event)
        return FakeToken(id, of: self)
    }

    fileprivate func hide(_ id: ObjectID) {
        let isThere = state.withLock { state in
            defer { state.tokens.removeAll { $0.id == id } }
            return state.tokens.contains { $0.id == id }
        }
        if isThere { broadcast(.disappeared(id)) }
    }

    /// Removes all tokens and clients, because the daemon ends.
    ///
    /// - Returns: the connections, which fail.
    func clear() -> [FakeConnection] {
        state.withLock { state in
            let connections = state.connections.compactMap(\.connection)
            state.tokens = []
            state.clients = []
            state.connections = []
            state.lastSerial = 0
            return connections
        }
    }

    func broadcast(_ event: GraphEvent) {
        let connections = state.withLock { $0.connections.compactMap(\.connection) }
        FakeConnection.send(event, to: connections, on: executor)
    }
}

final class FakeToken: AnnouncedObject {
    private let id: ObjectID
    private let board: FakeBoard

    init(_ id: ObjectID, of board: FakeBoard) {
        self.id = id
        self.board = board
    }

    deinit { board.hide(id) }
}
