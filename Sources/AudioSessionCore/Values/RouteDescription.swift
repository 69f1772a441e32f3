/// Where a program's sound goes to and comes from at one moment.
///
/// Counterpart of `AVAudioSessionRouteDescription`.
public struct RouteDescription: Sendable, Hashable {
    /// Empty when nothing can be recorded from.
    public let inputs: [PortDescription]
    /// Empty when there is nothing to play to.
    public let outputs: [PortDescription]

    /// For tests: what a program is told comes from PipeWire.
    public init(inputs: [PortDescription] = [], outputs: [PortDescription] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }
}
