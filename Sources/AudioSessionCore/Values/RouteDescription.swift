/// The inputs and outputs of a session, or of a program, at one moment.
///
/// Counterpart of `AVAudioSessionRouteDescription`.
public struct RouteDescription: Sendable, Hashable {
    /// The inputs; empty if nothing can be recorded.
    public let inputs: [PortDescription]
    /// The outputs; empty if nothing can be played.
    public let outputs: [PortDescription]

    /// Makes a route without ports.
    public init() { self.init(inputs: [], outputs: []) }

    package init(inputs: [PortDescription] = [], outputs: [PortDescription] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }
}
