/// A link from one node's output to another node's input. PipeWire makes one for each channel.
package struct Link: Sendable, Hashable {
    package var id: ObjectID
    package var outputNode: ObjectID
    package var inputNode: ObjectID
    /// The client that made it.
    package var client: ObjectID?

    package init(id: ObjectID, outputNode: ObjectID, inputNode: ObjectID, client: ObjectID? = nil) {
        self.id = id
        self.outputNode = outputNode
        self.inputNode = inputNode
        self.client = client
    }
}

/// A program connected to PipeWire, as the daemon vouches for it.
package struct Client: Sendable, Hashable {
    package var id: ObjectID
    package var applicationName: String?
    package var processID: Int?
    /// `pipewire.access`: how far the daemon trusts the program.
    package var access: String?
    /// `object.serial`, by which an older client is known.
    package var serial: UInt64?

    package init(
        id: ObjectID, applicationName: String? = nil, processID: Int? = nil, access: String? = nil,
        serial: UInt64? = nil
    ) {
        self.id = id
        self.serial = serial
        self.applicationName = applicationName
        self.processID = processID
        self.access = access
    }
}

extension Client {
    /// Whether the daemon keeps the program in a sandbox: any word ("flatpak", "portal", "restricted", an
    /// administrator's own) but those for programs outside of one. A daemon without access control says nothing.
    package var isSandboxed: Bool {
        switch access {
        case nil, "unrestricted", "allowed", "default": false
        default: true
        }
    }
}
