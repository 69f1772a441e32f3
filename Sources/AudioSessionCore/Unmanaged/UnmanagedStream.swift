/// A stream of a program without a session.
package struct UnmanagedStream: Sendable, Hashable {
    /// The program's own name, or else the stream's name.
    package let name: String
    /// The process ID for which PipeWire vouches; `nil` if it is unknown. For streams of
    /// pipewire-pulse it is the program's own claim, and unknown if the program is in a Flatpak.
    package let processID: Int?
    package let id: ObjectID
}
