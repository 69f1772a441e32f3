/// The inputs and outputs of a session, or of a program, at one moment.
///
/// Counterpart of `AVAudioSessionRouteDescription`.
public struct RouteDescription: Sendable, Hashable {
    /// The inputs; empty if nothing can be recorded.
    public let inputs: [PortDescription]
    /// The outputs; empty if nothing can be played.
    public let outputs: [PortDescription]

    /// Makes a route for tests. The library makes the routes of sessions.
    ///
    /// Each parameter sets the property of its name.
    public init(inputs: [PortDescription] = [], outputs: [PortDescription] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }
}
