/// The process that a stream belongs to.
package struct StreamProcess: Sendable, Hashable {
    /// The process ID; `nil` if only the application is known.
    package var id: Int?
    /// Whether PipeWire itself reported the process. For a stream of pipewire-pulse, the process is
    /// its program's own claim.
    package var isVerified: Bool
    /// The Flatpak application whose sandbox the process is in, for a stream of pipewire-pulse.
    package var application: String?

    package init(id: Int, isVerified: Bool) {
        self.id = id
        self.isVerified = isVerified
    }

    package init(application: String) {
        isVerified = false
        self.application = application
    }
}

extension Node {
    /// Returns the process for which PipeWire vouches (`pipewire.sec.pid`), or for a stream of
    /// pipewire-pulse the one that its program claims (`application.process.id`).
    ///
    /// A Flatpak program claims a process ID of its sandbox, which is another process outside.
    /// pipewire-pulse reports the application of such a program instead.
    ///
    /// A program that impersonates pipewire-pulse gains nothing, because pipewire-pulse lets any
    /// program claim any process and any application.
    ///
    /// - Parameter client: The client that owns the node.
    package func process(_ client: Client?) -> StreamProcess? {
        if isOfPulse, let application = properties[.portalApplication], !application.isEmpty {
            return StreamProcess(application: application)
        }
        if isOfPulse, let id = properties.integer(.applicationProcessID) {
            return StreamProcess(id: id, isVerified: false)
        }
        return client?.processID.map { StreamProcess(id: $0, isVerified: true) }
    }

    /// Whether the node says that pipewire-pulse plays it for another program.
    var isOfPulse: Bool { properties[.clientAPI] == "pipewire-pulse" }

    /// Returns the names by which users know the program of a stream.
    /// - Parameter client: The client that owns the node.
    package func programNames(_ client: Client?) -> [String] {
        [properties[.applicationName], client?.applicationName, name].compactMap(\.self)
    }
}
