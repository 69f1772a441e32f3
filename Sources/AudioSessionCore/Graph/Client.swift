/// A program connected to PipeWire, as the daemon vouches for it.
package struct Client: Sendable, Hashable {
    package var id: ObjectID
    package var applicationName: String?
    package var processID: Int?
    /// The value of `pipewire.access`: how far the daemon trusts the program.
    package var access: String?
    /// The value of `pipewire.sec.socket`: the daemon's socket that the program connected to. `nil`
    /// before PipeWire 0.3.82.
    package var socket: String?
    /// The `object.serial`, which shows which client is older.
    package var serial: UInt64?

    package init(
        id: ObjectID, applicationName: String? = nil, processID: Int? = nil, access: String? = nil,
        socket: String? = nil, serial: UInt64? = nil
    ) {
        self.id = id
        self.serial = serial
        self.applicationName = applicationName
        self.processID = processID
        self.access = access
        self.socket = socket
    }
}

extension Client {
    /// The daemon's name for the socket of a security context begins with this.
    private static let contextSocket = "pipewire-fd-"

    /// Whether the daemon restricts the program as in a sandbox.
    ///
    /// It is restricted with any access ("flatpak", "portal", "restricted", one of an
    /// administrator) except those for programs outside of a sandbox. A daemon without access
    /// control reports none.
    ///
    /// It is also restricted in a security context, whatever its access: any client, a sandboxed
    /// one included, can create a context, and chooses the access of those that connect to it.
    package var isSandboxed: Bool {
        if let socket, socket.hasPrefix(Self.contextSocket) { return true }
        return switch access {
        case nil, "unrestricted", "allowed", "default": false
        default: true
        }
    }
}
