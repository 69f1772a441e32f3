/// The process that a stream belongs to.
package struct StreamProcess: Sendable, Hashable {
    package var id: Int
    /// Whether PipeWire vouches for it. Of a stream that pipewire-pulse plays for another program, only that
    /// program says which process it is.
    package var isVerified: Bool

    package init(id: Int, isVerified: Bool) {
        self.id = id
        self.isVerified = isVerified
    }
}

extension Node {
    /// The process that PipeWire vouches for (`pipewire.sec.pid`), or, of a stream of pipewire-pulse, the one
    /// that the program names (`application.process.id`).
    ///
    /// A program that passes itself off as pipewire-pulse gains nothing: pipewire-pulse lets any program name
    /// any process.
    ///
    /// - Parameter client: the client that the node belongs to.
    package func process(_ client: Client?) -> StreamProcess? {
        if properties[.clientAPI] == "pipewire-pulse", let id = properties.integer(.applicationProcessID) {
            return StreamProcess(id: id, isVerified: false)
        }
        return client?.processID.map { StreamProcess(id: $0, isVerified: true) }
    }
}
