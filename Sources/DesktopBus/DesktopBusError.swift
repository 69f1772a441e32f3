import Glibc

/// The reason why a bus cannot be used.
package struct DesktopBusError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    init(code: Int32, _ what: String) { self.init("\(what): \(String(cString: strerror(abs(code))))") }
}

extension DesktopBus {
    /// Returns the address of the session bus: the environment's, or else systemd's usual one.
    ///
    /// - Throws: An error if the environment names none and systemd's socket does not exist.
    package static func sessionAddress() throws(DesktopBusError) -> String {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
        if let folder = environment("XDG_RUNTIME_DIR"), access(folder + "/bus", F_OK) == 0 {
            return "unix:path=\(folder)/bus"
        }
        throw DesktopBusError(
            "There is no session bus: DBUS_SESSION_BUS_ADDRESS is not set, and XDG_RUNTIME_DIR has no socket named bus"
        )
    }

    /// Returns the address of the system bus: the environment's, or else the usual one.
    ///
    /// - Throws: An error if the environment names none and the usual socket does not exist.
    package static func systemAddress() throws(DesktopBusError) -> String {
        if let address = environment("DBUS_SYSTEM_BUS_ADDRESS") { return address }
        let socket = "/run/dbus/system_bus_socket"
        guard access(socket, F_OK) == 0 else {
            throw DesktopBusError(
                "There is no system bus: DBUS_SYSTEM_BUS_ADDRESS is not set, and there is no \(socket)")
        }
        return "unix:path=" + socket
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}
