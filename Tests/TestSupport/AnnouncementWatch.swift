package import AudioSessionCore
package import PipeWireGraph

/// Watches the announcements of one kind that PipeWire shows to its clients.
package actor AnnouncementWatch {
    package nonisolated let executor: LoopExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let kind: Announcement.Kind
    private var connection: Connection?
    private var shown: [ObjectID: Announcement.Carrier] = [:]

    /// The carriers of the announcements that PipeWire shows now.
    package var carriers: [Announcement.Carrier] { Array(shown.values) }

    package init(_ kind: Announcement.Kind, on remote: String) async throws {
        executor = try LoopExecutor()
        self.kind = kind
        try connect(remote)
    }

    isolated deinit { connection = nil }

    private func connect(_ remote: String) throws {
        connection = try Connection(
            .init(remote: remote), on: executor,
            receive: { [weak self] event in self?.assumeIsolated { $0.receive(event) } })
        try connection?.watch()
    }

    private func receive(_ event: GraphEvent) {
        switch event {
        case .sessionObjectAppeared(let id, let properties) where properties.announces(kind): shown[id] = .session
        case .deviceAppeared(let id, let properties) where properties.announces(kind): shown[id] = .device
        case .disappeared(let id): shown[id] = nil
        default: break
        }
    }
}
