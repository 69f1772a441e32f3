import CSystemd
import PipeWireGraph
import Testing

/// A desktop's widget. It sends and receives what ``DesktopBus`` does not: methods and properties
/// with numbers, metadata, and `Seeked`. It blocks its own thread until it has an answer.
actor Widget {
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let busName = "org.freedesktop.DBus"

    private let executor: LoopExecutor
    private let player: String
    private let bus: OpaquePointer

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Connects to the player with this name on the bus.
    init(of player: String, at address: String) throws {
        executor = try LoopExecutor()
        self.player = player
        var opened: OpaquePointer?
        try #require(sd_bus_new(&opened) >= 0)
        let bus = try #require(opened)
        self.bus = bus
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
    }

    isolated deinit { sd_bus_close_unref(bus) }

    /// Subscribes to the signals of players.
    func subscribe() throws {
        try call("AddMatch", of: Self.busName, on: Self.busName, at: "/org/freedesktop/DBus") { message in
            try append("type='signal',path='\(Self.path)'", to: message)
        }
    }

    /// Calls `Seek` with an offset in microseconds.
    func seek(by offset: Int64) throws {
        try call("Seek", of: Self.interface, on: player, at: Self.path) { message in
            var offset = offset
            try #require(sd_bus_message_append_basic(message, Self.type("x"), &offset) >= 0)
        }
    }

    /// Calls `SetPosition` with a position in microseconds.
    func setPosition(_ position: Int64, of track: String) throws {
        try call("SetPosition", of: Self.interface, on: player, at: Self.path) { message in
            var position = position
            try append(track, as: "o", to: message)
            try #require(sd_bus_message_append_basic(message, Self.type("x"), &position) >= 0)
        }
    }

    func setVolume(_ volume: Double) throws {
        try call("Set", of: Self.properties, on: player, at: Self.path) { try appendVolume(volume, to: $0) }
    }

    /// Sets one volume after the other without waiting for replies. Returns when the bus has
    /// received all of them.
    func setVolumes(_ volumes: [Double]) throws {
        for volume in volumes {
            try send("Set", of: Self.properties) { try appendVolume(volume, to: $0) }
        }
        try call("GetId", of: Self.busName, on: Self.busName, at: "/org/freedesktop/DBus") { _ in }
    }

    private func appendVolume(_ volume: Double, to message: OpaquePointer) throws {
        var volume = volume
        try append(Self.interface, to: message)
        try append("Volume", to: message)
        try #require(sd_bus_message_open_container(message, Self.type("v"), "d") >= 0)
        try #require(sd_bus_message_append_basic(message, Self.type("d"), &volume) >= 0)
        try #require(sd_bus_message_close_container(message) >= 0)
    }

    /// Calls `Raise` without waiting for the reply.
    func raise() throws { try send("Raise", of: "org.mpris.MediaPlayer2") { _ in } }

    /// Reads a property that is true or false.
    func flag(_ name: String) throws -> Bool {
        var value: Int32 = 0
        try call("Get", of: Self.properties, on: player, at: Self.path) { message in
            try append(Self.interface, to: message)
            try append(name, to: message)
        } readReply: { reply in
            try #require(sd_bus_message_enter_container(reply, Self.type("v"), "b") > 0)
            try #require(sd_bus_message_read_basic(reply, Self.type("b"), &value) > 0)
        }
        return value != 0
    }

    /// The keys of the player's metadata.
    func metadataKeys() throws -> [String] {
        var keys: [String] = []
        try call("Get", of: Self.properties, on: player, at: Self.path) { message in
            try append(Self.interface, to: message)
            try append("Metadata", to: message)
        } readReply: { reply in
            try #require(sd_bus_message_enter_container(reply, Self.type("v"), "a{sv}") > 0)
            try #require(sd_bus_message_enter_container(reply, Self.type("a"), "{sv}") > 0)
            while sd_bus_message_enter_container(reply, Self.type("e"), "sv") > 0 {
                var key: UnsafePointer<CChar>?
                try #require(sd_bus_message_read_basic(reply, Self.type("s"), &key) > 0)
                keys.append(String(cString: try #require(key)))
                try #require(sd_bus_message_skip(reply, "v") >= 0 && sd_bus_message_exit_container(reply) >= 0)
            }
        }
        return keys
    }

    /// The positions, in microseconds, that players announce before the next change of a property.
    func positionsBeforeNextChange() throws -> [Int64] {
        var positions: [Int64] = []
        while true {
            let message = try nextMessage()
            defer { sd_bus_message_unref(message) }
            if sd_bus_message_is_signal(message, Self.properties, "PropertiesChanged") > 0 { return positions }
            guard sd_bus_message_is_signal(message, Self.interface, "Seeked") > 0 else { continue }
            var position: Int64 = 0
            try #require(sd_bus_message_read_basic(message, Self.type("x"), &position) > 0)
            positions.append(position)
        }
    }

    private func nextMessage() throws -> OpaquePointer {
        while true {
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            try #require(result >= 0)
            if let message { return message }
            if result == 0 { sd_bus_wait(bus, .max) }
        }
    }

    private func call(
        _ member: String, of interface: String, on name: String, at path: String,
        _ appendArguments: (OpaquePointer) throws -> Void, readReply: (OpaquePointer) throws -> Void = { _ in }
    ) throws {
        var (created, received): (OpaquePointer?, OpaquePointer?)
        try #require(sd_bus_message_new_method_call(bus, &created, name, path, interface, member) >= 0)
        let message = try #require(created)
        defer { sd_bus_message_unref(message) }
        try appendArguments(message)
        try #require(sd_bus_call(bus, message, 0, nil, &received) >= 0)
        let reply = try #require(received)
        defer { sd_bus_message_unref(reply) }
        try readReply(reply)
    }

    /// Calls a method of the player without a reply.
    private func send(
        _ member: String, of interface: String, _ appendArguments: (OpaquePointer) throws -> Void
    ) throws {
        var created: OpaquePointer?
        try #require(sd_bus_message_new_method_call(bus, &created, player, Self.path, interface, member) >= 0)
        let message = try #require(created)
        defer { sd_bus_message_unref(message) }
        try appendArguments(message)
        try #require(sd_bus_message_set_expect_reply(message, 0) >= 0)
        try #require(sd_bus_send(bus, message, nil) >= 0)
    }

    private func append(_ text: String, as type: Unicode.Scalar = "s", to message: OpaquePointer) throws {
        try #require(text.withCString { sd_bus_message_append_basic(message, Self.type(type), $0) } >= 0)
    }

    private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
}
