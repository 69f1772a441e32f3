extension UnmanagedScene {
    /// A playback stream of any program.
    struct Stream: Sendable {
        /// The `object.serial` in the registry. The node's properties have one that its program can
        /// change.
        let serial: String
        /// Whether this process wrote to the stream on an earlier connection.
        let isInherited: Bool
        /// The node; `nil` until all its properties are known.
        var node: Node?
        /// The process of the node, as far as its client is known.
        var process: StreamProcess?
        var volumes: [Float] = []
        var isMuted = false
        var isRunning = false
        var linkCount = 0
        /// Whether the stream stopped while it was linked, which means that its program stopped it.
        /// A stream that loses its output has no link any more when it stops.
        var isStoppedByProgram = false
        var goal = Goal()
        private(set) var written: Written?
        /// Whether another client may have written volumes since, unnoticed. Session managers
        /// restore a stream's own volumes when it starts.
        var isStale = false
        /// Whether the owner of a removed mark may have left this stream changed.
        var isLeft = false

        /// What the scene's aim requires of the stream.
        struct Goal: Sendable, Hashable {
            /// The gain; `nil` leaves the stream as it is. Less than full gain needs a slot.
            var gain: UInt16?
            /// Whether this process ducks the stream.
            var isDucked = false
            /// Whether this process mutes the stream.
            var isMuted = false
        }

        struct Written: Sendable, Hashable {
            var gain: UInt16
            var volumes: [Float]
            var isMuted: Bool
            var isDucked: Bool
        }
    }
}

extension UnmanagedScene.Stream {
    /// Whether this process wrote to the stream.
    var isTouched: Bool { written != nil || isInherited }
    /// Whether this process ducks the stream. Ducking only for another program's mark does not
    /// count.
    var isDucked: Bool { written?.isDucked ?? false }
    var isReduced: Bool { written.map { $0.gain < TokenTraits.fullGain } ?? false }
    /// Whether the stream is audible while it runs.
    var hasSound: Bool { !isMuted && volumes.contains { $0 > 0 } }

    /// Whether the stream can be ducked. Streams of filters do not count, because they are ducked
    /// before the filter. The stream's own role decides nothing.
    private var isDuckable: Bool {
        guard let node, node.mediaClass == .playbackStream, node.properties[.nodeLinkGroup] == nil else {
            return false
        }
        return !volumes.isEmpty
    }

    /// Whether the stream is unmanaged.
    /// - Parameter participants: The processes that have sessions.
    func isUnmanaged(_ participants: [Int: Int]) -> Bool {
        guard isDuckable else { return false }
        return process?.id.map { participants[$0] == nil } ?? true
    }

    /// Whether other code than the library renders the stream in a process. The library's own
    /// streams have gates.
    func isAttached(to process: Int) -> Bool {
        isDuckable && self.process?.id == process && node?.properties.flag(.sessionStream) == false
    }

    /// Returns the command that sets the stream's gain; `nil` if nothing must be written. A stream
    /// written to once is updated from then on, because `softVolumes` replace its own volumes.
    mutating func write(_ gain: UInt16, _ id: ObjectID, isDucked: Bool) -> GraphCommand? {
        let next = Written(gain: gain, volumes: volumes, isMuted: isMuted, isDucked: isDucked)
        guard next != written || isStale else { return nil }
        written = next
        isStale = false
        let factor = Float(gain) / Float(TokenTraits.fullGain)
        return .setSoftVolumes(id, volumes.map { $0 * factor }, isMuted: isMuted)
    }
}
