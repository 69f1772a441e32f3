/// A stream of a program that knows nothing of sessions.
public struct ForeignStream: Sendable, Hashable {
    /// What its program calls itself, or else the stream.
    public let name: String
    /// As PipeWire vouches for it. Of a stream that comes by way of pipewire-pulse, as the program says.
    public let processID: Int?
    package let id: ObjectID

    package init(name: String, processID: Int?, id: ObjectID) {
        self.name = name
        self.processID = processID
        self.id = id
    }
}
