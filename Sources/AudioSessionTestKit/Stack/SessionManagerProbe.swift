import AudioSessionCore
import PipeWireGraph

/// Detects a session manager by the metadata "default" that each one provides, and its cards.
actor SessionManagerProbe {
    private let executor: LoopExecutor
    private var connection: Connection?
    private var scene = Scene()
    private let expectations = Expectations<Scene>()

    struct Scene {
        var metadata: ObjectID?
        var cards: Set<ObjectID> = []
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Connects to a private PipeWire.
    ///
    /// - Parameter remote: the path of the daemon's socket.
    /// - Throws: an error for which `isHostDown` holds while no daemon listens on the socket.
    init(remote: String) async throws(PipeWireError) {
        executor = try LoopExecutor()
        try connect(to: remote)
    }

    isolated deinit { connection = nil }

    private func connect(to remote: String) throws(PipeWireError) {
        let options = Connection.Options(remote: remote, applicationName: "audiosession test kit")
        let connection = try Connection(
            options, on: executor, receive: { [weak self] event in self?.assumeIsolated { $0.receive(event) } },
            failed: { [weak self] reason in
                let error = TestKitError(
                    .daemonUnreachable, "The session manager cannot be observed any more", why: reason,
                    remedy: "Read the log of pipewire.")
                self?.assumeIsolated { $0.fail(error) }
            })
        try connection.watch()
        self.connection = connection
    }

    private func receive(_ event: GraphEvent) {
        switch event {
        case .metadataAppeared(let id, let properties) where properties[.metadataName] == "default":
            scene.metadata = id
        case .deviceAppeared(let id, let properties) where properties[.mediaClass] == Device.mediaClass:
            scene.cards.insert(id)
        case .disappeared(let id):
            if id == scene.metadata { scene.metadata = nil }
            scene.cards.remove(id)
        default: return
        }
        expectations.evaluate(scene)
    }

    /// Waits until a session manager is present.
    func waitUntilPresent(within limit: Duration) async -> Expectations<Scene>.Outcome {
        await expectations.wait({ scene }, within: limit, on: executor) { $0.metadata != nil }
    }

    /// Waits until there is no session manager and no card.
    ///
    /// Virtual cards detect its end themselves, and the next session manager could start before
    /// they are removed. Real cards live in the session manager's process, so this cannot happen to
    /// them.
    func waitUntilGone(within limit: Duration) async -> Expectations<Scene>.Outcome {
        await expectations.wait({ scene }, within: limit, on: executor) { $0.metadata == nil && $0.cards.isEmpty }
    }

    /// Fails all pending waits with this error.
    func fail(_ error: TestKitError) { expectations.fail(error) }

    func close() { connection = nil }
}
