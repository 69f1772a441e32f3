public import AudioSessionCore
import PipeWireGraph

/// A simulated sound card that PipeWire, its session manager and all programs treat as a real one.
///
///     let card = try await VirtualCard(.builtIn())
///     try await card.plug("headphones")
///     try await card.remove()
///
/// Its sinks accept sound and discard it. Its sources play a tone that this process generates. The
/// card has its own thread and its own connection to PipeWire. Closing or releasing the card looks
/// like the removal of a device to other clients.
public actor VirtualCard {
    /// The description from which the card was created.
    public nonisolated let description: VirtualCardDescription

    let executor: LoopExecutor
    private let remote: String?
    var machine: VirtualCardStateMachine
    private var connection: Connection?
    private var sessionManagers: [ObjectID] = []
    /// The devices of other connections that have this card's name.
    private var namesakes: Set<ObjectID> = []
    private var isListComplete = false
    /// Whether no device had the card's name, so that the card may be exported.
    private var isNameFree = false
    private var nameTimer: LoopTimer?
    private var awaitsDefaults = true
    private var defaultsTimer: LoopTimer?
    private var device: ExportedDevice?
    private var nodes: [Int: any OwnNode] = [:]
    private let expectations = Expectations<VirtualCardStateMachine>()
    private var failure: TestKitError?
    var bouncing: Bounce?
    private var reselection: (route: Int, other: Int)?
    /// When the session manager last changed the device route of a node.
    package private(set) var choiceTime: MonotonicTime?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates the card, and waits until the session manager has configured it.
    ///
    /// The session manager chooses a profile and routes, and a default for each direction without
    /// one.
    ///
    /// - Parameters:
    ///   - description: the profiles, routes and nodes of the card.
    ///   - remote: name or absolute path of the daemon's socket; `nil` uses the environment.
    ///   - limit: the timeout for the session manager.
    /// - Throws: ``TestKitError`` with one of these codes: `invalidDescription` for an inconsistent
    ///   description or the name of an existing card, `cannotStart` without resources for a thread,
    ///   `daemonUnreachable`, or `timedOut`.
    // Hides the initializer from the optimizer for the reason given at that of `AudioSession`.
    @_semantics("optimize.no.crossmodule")
    public init(
        _ description: VirtualCardDescription, remote: String? = nil, within limit: Duration = .seconds(30)
    ) async throws(TestKitError) {
        try description.validate()
        self.description = description
        self.remote = remote
        machine = VirtualCardStateMachine(description)
        do {
            // A session manager answers for its cards with that priority, too.
            executor = try LoopExecutor(isUrgent: true)
        } catch {
            throw TestKitError(
                .cannotStart, "The card \(description.name) cannot be created", why: "\(error)",
                remedy: "End threads or close files, or raise the limits (ulimit -u, ulimit -n).")
        }
        try connect()
        try await waitUntilTaken(within: limit)
        // The first card of a computer provides its defaults, which the session manager chooses
        // last.
        try await wait(
            within: limit, until: { $0.missingDefault == nil },
            late: "The card \(description.name) was not chosen as a default"
        ) { machine in
            machine.missingDefault.map { "no default \($0) was chosen" } ?? "the session manager is gone"
        }
        awaitsDefaults = false
        defaultsTimer = nil
    }

    isolated deinit { disconnect() }

    /// The current state of the card.
    public var state: State { State(machine) }

    /// `node.name` of each node that currently exists.
    public var nodeNames: [String] { state.nodes.map(\.name) }

    /// Waits until the card's state fulfills a condition.
    ///
    /// - Parameters:
    ///   - what: names the expected state in the error.
    ///   - limit: the timeout.
    ///   - condition: the condition, evaluated at once and after each change.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, or the error that ended
    ///   the card.
    public func wait(
        for what: String, within limit: Duration = .seconds(30), until condition: @escaping @Sendable (State) -> Bool
    ) async throws(TestKitError) {
        try await wait(
            within: limit, until: { condition(State($0)) }, late: "The card \(description.name) waited for \(what)"
        ) { "its state is \(State($0))" }
    }

    /// Waits until the session manager has chosen a profile, and a route for each node with a
    /// usable one.
    ///
    /// - Parameter limit: the timeout.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, or the error that ended
    ///   the card.
    public func waitUntilTaken(within limit: Duration = .seconds(30)) async throws(TestKitError) {
        try await wait(
            within: limit, until: \.isTaken, late: "The card \(description.name) was not used by a session manager"
        ) { machine in
            guard machine.isPlugged else { return "its plug is pulled" }
            guard machine.hasSessionManager else { return "no session manager runs" }
            return machine.pending ?? "PipeWire has not created the device"
        }
    }

    // MARK: Plugging

    /// Unplugs the whole card, like a USB plug, so that its device and nodes are removed.
    ///
    /// - Returns: the moment just before the message to PipeWire was sent.
    /// - Throws: the ``TestKitError`` that ended the card.
    @discardableResult
    public func remove() throws(TestKitError) -> MonotonicTime {
        try check()
        return receive(.remove)
    }

    /// Plugs the card in again, and waits until the session manager has configured it. The jacks
    /// keep their state.
    ///
    /// - Parameter limit: the timeout for the session manager.
    /// - Returns: the moment just before the message to PipeWire was sent.
    /// - Throws: ``TestKitError`` with code `timedOut` after the timeout, or the error that ended
    ///   the card.
    @discardableResult
    public func add(within limit: Duration = .seconds(30)) async throws(TestKitError) -> MonotonicTime {
        try check()
        let time = receive(.add)
        try await waitUntilTaken(within: limit)
        return time
    }

    /// Closes the connection, which removes the card's device and nodes. All later calls fail with
    /// code `closed`.
    public func close() {
        end(
            TestKitError(
                .closed, "The card \(description.name) cannot be used", why: "it was closed",
                remedy: "Create another VirtualCard."))
    }

    /// Connects again after PipeWire was restarted, and waits until the session manager has
    /// configured the card. The jacks keep their state.
    ///
    /// - Parameter limit: the timeout for the session manager.
    /// - Throws: ``TestKitError`` with code `closed` after ``close()``, `invalidDescription` if
    ///   another card has its name now, `daemonUnreachable`, or `timedOut`.
    public func reconnect(within limit: Duration = .seconds(30)) async throws(TestKitError) {
        if let failure, failure.code == .closed { throw failure }
        disconnect()
        failure = nil
        do throws(TestKitError) {
            try connect()
        } catch {
            failure = error
            throw error
        }
        try await waitUntilTaken(within: limit)
    }

    // MARK: Implementation

    private func connect() throws(TestKitError) {
        do {
            let options = Connection.Options(remote: remote, applicationName: "audiosession virtual card")
            let connection = try Connection(
                options, on: executor, receive: { [weak self] event in self?.assumeIsolated { $0.graph(event) } },
                failed: { [weak self] reason in self?.assumeIsolated { $0.connectionFailed(reason) } })
            try connection.watch()
            connection.perform(.barrier(.question(0)))
            self.connection = connection
        } catch {
            throw TestKitError(
                .daemonUnreachable, "The card \(description.name) cannot be created",
                why: "\(error), at the socket \(remote ?? "default")",
                remedy: "Start PipeWire, or pass the socket of a running one as 'remote'.")
        }
    }

    /// Releases all PipeWire objects. Must not be called from within a callback of one of them.
    private func disconnect() {
        nodes = [:]
        device = nil
        connection = nil
        sessionManagers = []
        namesakes = []
        (isListComplete, isNameFree) = (false, false)
        nameTimer = nil
        defaultsTimer = nil
        _ = machine.receive(.connectionLost)
    }

    private func connectionFailed(_ reason: String) {
        let error = TestKitError(
            .daemonUnreachable, "The card \(description.name) was removed", why: reason,
            remedy: "Start PipeWire again and call reconnect(), or create another card.")
        failure = error
        _ = machine.receive(.connectionLost)
        expectations.fail(error)
        finishBounce(.failure(error))
    }

    private func end(_ error: TestKitError) {
        disconnect()
        failure = error
        expectations.fail(error)
        finishBounce(.failure(error))
    }

    func check() throws(TestKitError) {
        if let failure { throw failure }
    }

    private func wait(
        within limit: Duration, until condition: @escaping (VirtualCardStateMachine) -> Bool, late what: String,
        why: (VirtualCardStateMachine) -> String
    ) async throws(TestKitError) {
        let state = { [self] () throws(TestKitError) in
            try check()
            return machine
        }
        switch await expectations.wait(state, within: limit, on: executor, until: condition) {
        case .met: return
        case .failed(let error): throw error
        case .late:
            throw TestKitError(
                .timedOut, "\(what) for \(limit)", why: why(machine),
                remedy: "Start a session manager (WirePlumber), or read its log.")
        }
    }

    private func graph(_ event: GraphEvent) {
        switch event {
        case .metadataAppeared(let id, let properties) where properties[.metadataName] == "default":
            sessionManagers.append(id)
            readDefaults()
            if isNameFree, sessionManagers.count == 1 { receive(.sessionManagerAppeared) }
        case .defaultChanged(let direction, let name): receive(.defaultChosen(direction, name != nil))
        case .disappeared(let id) where sessionManagers.contains(id):
            sessionManagers.removeAll { $0 == id }
            if sessionManagers.isEmpty { receive(.sessionManagerDisappeared) }
        case .deviceAppeared(let id, let properties)
        where !isNameFree && properties[.mediaClass] == Device.mediaClass
            && properties[.deviceName] == description.name:
            namesakes.insert(id)
        case .disappeared(let id) where namesakes.contains(id):
            namesakes.remove(id)
            checkName()
        case .barrier:
            isListComplete = true
            checkName()
        default: break
        }
    }

    /// Exports the card unless another one has its name, because the session manager would use only
    /// one of them.
    private func checkName() {
        guard isListComplete, !isNameFree, failure == nil else { return }
        guard !namesakes.isEmpty else {
            isNameFree = true
            nameTimer = nil
            if !sessionManagers.isEmpty { receive(.sessionManagerAppeared) }
            return
        }
        // A card that was just closed is removed a moment later.
        if nameTimer == nil {
            nameTimer = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.refuseName() } }
            guard let nameTimer else { return refuseName() }
            nameTimer.arm(after: .seconds(2))
        }
    }

    private func refuseName() {
        guard failure == nil else { return }
        let error = TestKitError(
            .invalidDescription, "The card \(description.name) cannot be created", why: "another card has this name",
            remedy: "Use another id for its VirtualCardDescription.")
        failure = error
        expectations.fail(error)
    }

    /// Requests the defaults again. PipeWire sometimes withholds the choice of a new session
    /// manager until a client reads it again.
    private func readDefaults() {
        guard awaitsDefaults, let id = sessionManagers.first else { return }
        connection?.perform(.readDefaults(of: id))
        if defaultsTimer == nil {
            defaultsTimer = LoopTimer(on: executor) { [weak self] in
                self?.assumeIsolated { $0.updateDefaults() }
            }
        }
        defaultsTimer?.arm(after: Self.patience)
    }

    private func updateDefaults() {
        if machine.missingDefault != nil {
            readDefaults()
        } else if !machine.isTaken, machine.isExported {
            defaultsTimer?.arm(after: Self.patience)
        }
    }

    private static let patience = Duration.milliseconds(500)

    @discardableResult
    func receive(_ input: VirtualCardStateMachine.Input) -> MonotonicTime {
        let actions = machine.receive(input)
        let time = MonotonicTime.now
        for action in actions { run(action) }
        expectations.evaluate(machine)
        return time
    }

    private func run(_ action: VirtualCardStateMachine.Action) {
        do {
            switch action {
            case .exportDevice: device = try export()
            case .withdrawDevice: device = nil
            case .show(let parameters): try device?.show(machine.parameters, changed: parameters)
            case .createNode(let index): nodes[index] = try create(index)
            case .destroyNode(let index): nodes[index] = nil
            case .setVolume(let index, let volume, let isMuted):
                nodes[index]?.setVolume(volume, isMuted: isMuted)
            }
        } catch {
            fail("\(error)")
        }
    }

    /// Fails all pending waits after PipeWire has refused an object.
    private func fail(_ why: String) {
        expectations.fail(
            TestKitError(
                .daemonUnreachable, "The card \(description.name) is incomplete", why: why,
                remedy:
                    "Load PipeWire's modules with the factories \"client-device\", \"client-node\" and \"adapter\"."))
    }

    private func export() throws -> ExportedDevice? {
        guard let connection else { return nil }
        let properties = description.properties.merging([
            "device.name": description.name, "media.class": "Audio/Device",
        ]) { $1 }
        return try ExportedDevice(
            properties: properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            parameters: machine.parameters, over: connection
        ) { [weak self] event in
            self?.assumeIsolated { $0.device(event) }
        }
    }

    private func device(_ event: ExportedDevice.Event) {
        switch event {
        case .bound(let id): receive(.deviceBound(id))
        case .profileRequested(let index, let save): receive(.profileRequested(index: index, save: save))
        case .routeRequested(let request):
            let ways = machine.nodes.map(\.route)
            let time = receive(.routeRequested(request))
            if machine.nodes.map(\.route) != ways { choiceTime = time }
            reselect(after: request)
        case .removed: receive(.deviceLost)
        case .failed(let why): fail(why)
        }
    }

    /// Selects the route at position `route` again, right after the next request for the one at
    /// position `other`.
    ///
    /// WirePlumber does this: it writes the volume of a route that has become active, which selects
    /// that route, when another one already is active.
    package func reselect(_ route: Int, afterNext other: Int) { reselection = (route, other) }

    /// Whether ``reselect(_:afterNext:)`` has taken place.
    package var hasReselected: Bool { reselection == nil }

    private func reselect(after request: ExportedDevice.RouteRequest) {
        guard let (route, other) = reselection, request.index == other else { return }
        reselection = nil
        receive(.routeRequested(.init(index: route, node: request.node)))
    }

    private func create(_ index: Int) throws -> (any OwnNode)? {
        guard let connection, let device = machine.device else { return nil }
        let node = description.nodes[index]
        let properties = description.nodeProperties(index, device: device)
        let receive: (OwnNodeEvent) -> Void = { [weak self] event in
            self?.assumeIsolated { $0.node(index, event) }
        }
        return switch node.direction {
        case .output:
            try CreatedNode(properties: properties, channels: node.channels, over: connection, receive: receive)
        case .input: try ToneNode(properties: properties, channels: node.channels, over: connection, receive: receive)
        }
    }

    private func node(_ index: Int, _ event: OwnNodeEvent) {
        switch event {
        case .bound(let id): receive(.nodeBound(index, id))
        case .removed: receive(.nodeLost(index))
        case .failed(let why): fail("\(description.nodes[index].name): \(why)")
        }
    }
}
