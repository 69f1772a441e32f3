import AudioSessionCore
import PipeWireGraph

/// Watches for a session manager, by the metadata "default" that every one of them keeps.
actor SessionManagerProbe {
    private let executor: LoopExecutor
    private var connection: Connection?
    private var metadata: ObjectID?
    private let expectations = Expectations<Bool>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: an error for which `isHostDown` holds while nobody listens there.
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
                    .daemonUnreachable, "The session manager is not to be seen any more", why: reason,
                    remedy: "Look into the log of pipewire.")
                self?.assumeIsolated { $0.giveUp(error) }
            })
        try connection.watch()
        self.connection = connection
    }

    private func receive(_ event: GraphEvent) {
        switch event {
        case .metadataAppeared(let id, let properties) where properties[.metadataName] == "default": metadata = id
        case .disappeared(let id) where id == metadata: metadata = nil
        default: return
        }
        expectations.evaluate(metadata != nil)
    }

    /// Waits until there is a session manager, or until there is none.
    func wait(untilPresent wanted: Bool, within limit: Duration) async -> Expectations<Bool>.Outcome {
        await expectations.wait(metadata != nil, within: limit, on: executor) { $0 == wanted }
    }

    /// Lets those who wait wait no longer.
    func giveUp(_ error: TestKitError) { expectations.fail(error) }

    func close() { connection = nil }
}
