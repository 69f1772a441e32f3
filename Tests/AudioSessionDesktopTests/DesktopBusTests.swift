import AudioSessionTestKit
import CSystemd
import DesktopBus
import PipeWireGraph
import Testing

/// Clients of a private bus.
@Suite(.timeLimit(.minutes(10))) struct DesktopBusTests {
    /// The bus delivers a signal with a destination, whatever the receiver has subscribed to.
    @Test func signalsThatAnotherClientForgesAreIgnored() async throws {
        let bus = try await PrivateBus()
        let listener = try await Listener(at: bus.address)
        let forger = try Forger(at: bus.address)
        let player = DesktopBus.playerPrefix + "tunes"
        let receiver = await listener.name
        try await forger.announceSleep(to: receiver)
        try await forger.announceEnd(of: player, to: receiver)
        let owner = try await forger.request(player)
        var signals = listener.signals.makeAsyncIterator()
        #expect(await signals.next() == .ownerChanged(name: player, from: nil, to: owner))
    }

    /// A client that makes its next call in the reply would otherwise recurse.
    @Test func aCallThatFailsAtOnceIsAnsweredLater() async throws {
        let bus = try await PrivateBus()
        let listener = try await Listener(at: bus.address)
        #expect(await listener.isInvalidNameAnsweredLater())
    }

    @Test func aCallOnALostBusIsNotAnswered() async throws {
        let bus = try await PrivateBus()
        let listener = try await Listener(at: bus.address)
        await bus.stop()
        // The signals end with the bus.
        for await _ in listener.signals {}
        #expect(await !listener.isAnsweredAtOnce())
    }
}

/// A client that receives the signals of logind and of players.
private actor Listener {
    private let executor: LoopExecutor
    private var bus: DesktopBus?
    nonisolated let signals: AsyncStream<DesktopBus.Signal>
    private let continuation: AsyncStream<DesktopBus.Signal>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(at address: String) async throws {
        executor = try LoopExecutor()
        (signals, continuation) = AsyncStream.makeStream(of: DesktopBus.Signal.self)
        try await connect(to: address)
    }

    isolated deinit { bus = nil }

    private func connect(to address: String) async throws {
        let continuation = continuation
        let bus = try DesktopBus(
            address: address, on: executor, receive: { continuation.yield($0) },
            failed: { _ in continuation.finish() })
        self.bus = bus
        bus.watchSleep()
        bus.watchPlayers(true)
        // All earlier calls have been handled when this is answered.
        await withCheckedContinuation { continuation in bus.names { _ in continuation.resume() } }
    }

    /// The unique name of this listener.
    var name: String { bus?.name ?? "" }

    /// Calls a name that sd-bus refuses. Returns whether the reply follows the end of the call.
    func isInvalidNameAnsweredLater() async -> Bool {
        guard let bus else { return false }
        let hasReturned = Locked(false)
        return await withCheckedContinuation { continuation in
            bus.status(ofPlayer: "no name") { _ in continuation.resume(returning: hasReturned.withLock(\.self)) }
            hasReturned.withLock { $0 = true }
        }
    }

    /// Returns whether the reply to a call precedes the end of the call.
    func isAnsweredAtOnce() -> Bool {
        let isAnswered = Locked(false)
        bus?.owner(of: "org.example.Name") { _ in isAnswered.withLock { $0 = true } }
        return isAnswered.withLock(\.self)
    }
}

/// A client that sends the signals of other programs. It blocks its own thread until it has an
/// answer.
private actor Forger {
    private let executor: LoopExecutor
    private let bus: OpaquePointer

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(at address: String) throws {
        executor = try LoopExecutor()
        var opened: OpaquePointer?
        try #require(sd_bus_new(&opened) >= 0)
        let bus = try #require(opened)
        self.bus = bus
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
    }

    isolated deinit { sd_bus_close_unref(bus) }

    /// Sends logind's signal that the computer is about to sleep.
    func announceSleep(to client: String) throws {
        let interface = "org.freedesktop.login1.Manager"
        try send("PrepareForSleep", of: interface, at: "/org/freedesktop/login1", to: client) { message in
            var begins: Int32 = 1
            try #require(sd_bus_message_append_basic(message, Self.type("b"), &begins) >= 0)
        }
    }

    /// Sends the bus's signal that a name has no owner any more.
    func announceEnd(of name: String, to client: String) throws {
        let interface = "org.freedesktop.DBus"
        try send("NameOwnerChanged", of: interface, at: "/org/freedesktop/DBus", to: client) { message in
            for text in [name, ":1.0", ""] {
                try #require(text.withCString { sd_bus_message_append_basic(message, Self.type("s"), $0) } >= 0)
            }
        }
    }

    /// Requests a name on the bus.
    /// - Returns: the unique name of this client.
    func request(_ name: String) throws -> String {
        try #require(sd_bus_request_name(bus, name, 0) >= 0)
        var unique: UnsafePointer<CChar>?
        try #require(sd_bus_get_unique_name(bus, &unique) >= 0)
        return String(cString: try #require(unique))
    }

    private func send(
        _ member: String, of interface: String, at path: String, to client: String,
        _ appendArguments: (OpaquePointer) throws -> Void
    ) throws {
        var created: OpaquePointer?
        try #require(sd_bus_message_new_signal(bus, &created, path, interface, member) >= 0)
        let message = try #require(created)
        defer { sd_bus_message_unref(message) }
        try appendArguments(message)
        try #require(sd_bus_message_set_destination(message, client) >= 0)
        try #require(sd_bus_send(bus, message, nil) >= 0)
    }

    private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
}
