/// A link from one node's output to another node's input. PipeWire makes one for each channel.
package struct Link: Sendable, Hashable {
    package var id: ObjectID
    package var outputNode: ObjectID
    package var inputNode: ObjectID
    /// The client that made the link; `nil` if it is unknown.
    package var client: ObjectID?

    package init(id: ObjectID, outputNode: ObjectID, inputNode: ObjectID, client: ObjectID? = nil) {
        self.id = id
        self.outputNode = outputNode
        self.inputNode = inputNode
        self.client = client
    }
}
