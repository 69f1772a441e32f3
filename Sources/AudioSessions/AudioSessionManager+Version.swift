import PipeWireGraph

extension AudioSessionManager {
    /// The version of PipeWire's library that this program runs with, such as "0.3.65". The
    /// daemon's version may differ.
    public static var pipeWireVersion: String { PipeWireLibrary.version }
}
