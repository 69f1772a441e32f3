import AudioSessionCore
import CPipeWireShim
import PipeWireGraph

extension TestServer {
    static let card: KeyValuePairs = ["device.name": "card", "media.class": "Audio/Device"]
}

extension Pod {
    static func routes(_ names: String...) -> [[UInt8]] {
        names.enumerated().map { route(index: Int32($0.offset), name: $0.element).bytes }
    }
}

extension GraphClient {
    /// Waits until it has read everything that the server has sent.
    func waitForAllEvents(of server: TestServer) async throws {
        let last = server.add(CPW_OBJECT_CLIENT, ["application.name": "the last event"])
        try await wait(for: "the last event") { $0.registry.graph.clients[ObjectID(last.id)] != nil }
    }

    /// Returns another connection's barrier on the same daemon, behind the query that went before.
    ///
    /// The caller keeps it, because its removal would make the answer doubtful.
    static func connectedAfterQuestion(to card: TestObject, of server: TestServer) async throws -> GraphClient {
        let other = try await connected(to: server, binds: false)
        while card.questions(CPW_PARAM_ENUM_ROUTE) < 2 { try await other.settle() }
        return other
    }

    /// The items of every list of routes that was reported.
    var routeNames: [[String]] {
        all { if case .deviceRoutes(_, let routes) = $0 { routes.map(\.name) } else { nil } }
    }
}
