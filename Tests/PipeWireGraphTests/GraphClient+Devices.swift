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
    /// Waits until it has read all that the server has said.
    func waitForNews(of server: TestServer) async throws {
        let last = server.add(CPW_OBJECT_CLIENT, ["application.name": "the last of the news"])
        try await wait(for: "the news") { $0.registry.graph.clients[ObjectID(last.id)] != nil }
    }

    /// Another connection's barrier, over the same daemon, is behind the question that went before.
    ///
    /// - Returns: that one. To be kept: were it to go, the answer would be doubted.
    static func connectedAfterQuestion(to card: TestObject, of server: TestServer) async throws -> GraphClient {
        let other = try await connected(to: server, binds: false)
        while card.questions(CPW_PARAM_ENUM_ROUTE) < 2 { try await other.settle() }
        return other
    }

    /// Of every list of routes that was told.
    var routeNames: [[String]] {
        all { if case .deviceRoutes(_, let routes) = $0 { routes.map(\.name) } else { nil } }
    }
}
