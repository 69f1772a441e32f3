package import AudioSessionCore
package import AudioSessionTestKit
import CSystemd
import PipeWireGraph
import Testing

/// logind on a private bus, simulated by python3-dbusmock: it announces sleeps and counts
/// inhibitors.
///
/// It blocks its own thread until it has an answer.
package actor MockLogind {
    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let daemon = "org.freedesktop.DBus"

    private let executor: LoopExecutor
    private let process: ChildProcess
    private let bus: OpaquePointer

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Starts it, and returns when it is on the bus.
    package init(on bus: PrivateBus) async throws {
        executor = try LoopExecutor()
        var opened: OpaquePointer?
        try #require(sd_bus_new(&opened) >= 0)
        self.bus = try #require(opened)
        // Debian's Python, because the module belongs to it.
        process = try ChildProcess(
            program: "/usr/bin/python3", arguments: ["-m", "dbusmock", "--template", "logind"],
            environment: PrivateBus.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 },
            output: .files(output: 2, errors: 2), group: bus.group)
        try await connect(to: bus.address)
    }

    isolated deinit {
        process.signal(SIGKILL)
        sd_bus_close_unref(bus)
    }

    private func connect(to address: String) async throws {
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
        try await waitUntil("logind is on the bus; is python3-dbusmock installed?") { try isThere() }
    }

    private func isThere() throws -> Bool {
        let reply = try call("NameHasOwner", of: Self.daemon, on: Self.daemon, at: "/org/freedesktop/DBus") {
            try append(Self.name, to: $0)
        }
        defer { sd_bus_message_unref(reply) }
        var isThere: Int32 = 0
        try #require(sd_bus_message_read_basic(reply, Self.type("b"), &isThere) > 0)
        return isThere != 0
    }

    /// Announces that the computer is about to sleep, or woke up.
    /// - Returns: the time just before.
    @discardableResult
    package func announceSleep(begins: Bool) throws -> MonotonicTime {
        let time = MonotonicTime.now
        let reply = try call("EmitSignal", of: Self.daemon + ".Mock", on: Self.name, at: Self.path) { message in
            for text in [Self.manager, "PrepareForSleep", "b"] { try append(text, to: message) }
            try #require(sd_bus_message_open_container(message, Self.type("a"), "v") >= 0)
            try #require(sd_bus_message_open_container(message, Self.type("v"), "b") >= 0)
            var begins: Int32 = begins ? 1 : 0
            try #require(sd_bus_message_append_basic(message, Self.type("b"), &begins) >= 0)
            for _ in 0..<2 { try #require(sd_bus_message_close_container(message) >= 0) }
        }
        sd_bus_message_unref(reply)
        return time
    }

    /// The programs that delay a sleep now, by the names that they gave.
    package func inhibitors() throws -> [String] {
        let reply = try call("ListInhibitors", of: Self.manager, on: Self.name, at: Self.path) { _ in }
        defer { sd_bus_message_unref(reply) }
        var names: [String] = []
        try #require(sd_bus_message_enter_container(reply, Self.type("a"), "(ssssuu)") > 0)
        while sd_bus_message_enter_container(reply, Self.type("r"), "ssssuu") > 0 {
            let texts = try (0..<4).map { _ in
                var text: UnsafePointer<CChar>?
                try #require(sd_bus_message_read_basic(reply, Self.type("s"), &text) > 0)
                return String(cString: try #require(text))
            }
            #expect(texts[0] == "sleep" && texts[3] == "delay" && !texts[2].isEmpty)
            names.append(texts[1])
            try #require(sd_bus_message_skip(reply, "uu") >= 0 && sd_bus_message_exit_container(reply) >= 0)
        }
        return names
    }

    /// Waits until so many programs delay a sleep, by polling.
    /// - Returns: the time when that was known.
    @discardableResult
    package func wait(forInhibitors count: Int) throws -> MonotonicTime {
        let end = ContinuousClock.now + .seconds(20)
        while try inhibitors().count != count {
            try #require(ContinuousClock.now < end, "no \(count) inhibitors")
        }
        return .now
    }

    /// Calls a method, and returns the reply, which the caller owns.
    private func call(
        _ member: String, of interface: String, on name: String, at path: String,
        _ appendArguments: (OpaquePointer) throws -> Void
    ) throws -> OpaquePointer {
        var (created, reply): (OpaquePointer?, OpaquePointer?)
        try #require(sd_bus_message_new_method_call(bus, &created, name, path, interface, member) >= 0)
        let message = try #require(created)
        defer { sd_bus_message_unref(message) }
        try appendArguments(message)
        try #require(sd_bus_call(bus, message, 0, nil, &reply) >= 0, "\(member)")
        return try #require(reply)
    }

    private func append(_ text: String, to message: OpaquePointer) throws {
        try #require(text.withCString { sd_bus_message_append_basic(message, Self.type("s"), $0) } >= 0)
    }

    private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
}
