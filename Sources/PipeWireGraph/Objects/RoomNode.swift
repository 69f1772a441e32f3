import CPipeWireShim

/// The acoustic path from a loudspeaker to a microphone, for tests. It is created, used and
/// released on the loop's thread.
package final class RoomNode {
    /// The acoustics of the room, at the rate of the graph.
    package struct Options: Sendable {
        /// A path of the sound, with its delay in frames.
        package struct Path: Sendable {
            package var delay: Int
            package var gain: Float

            package init(delay: Int, gain: Float) {
                self.delay = delay
                self.gain = gain
            }
        }

        /// The paths of the sound, at most 64.
        package var paths: [Path] = []
        /// The amplitude of the noise that is always present.
        package var noise: Float = 0
        /// The latency that the node reports to the streams behind it.
        package var latency = Duration.zero
        /// The rate by which the microphone's clock is faster: 0.0001 is 100 ppm.
        package var drift: Float = 0
        /// The speech in the room, from the first sample of the loudspeaker on that is louder than
        /// the threshold.
        package var voice: [Float] = []
        package var threshold: Float = 0.0001

        package init() {}
    }

    private let object: ShimObject<OwnNodeEvent>

    /// Creates the node, with the ports `in` and `out`, which are not linked.
    package init(
        properties: [(String, String)], _ options: Options, over connection: Connection,
        receive: @escaping (OwnNodeEvent) -> Void
    ) throws(PipeWireError) {
        object = try ShimObject(
            over: connection, during: .creatingNode, receive: receive, destroy: { cpw_room_destroy($0) }
        ) { user, code in
            withProperties(properties) { properties, count in
                options.voice.withUnsafeBufferPointer { voice in
                    var raw = cpw_room_options()
                    raw.path_count = options.paths.count
                    let paths = options.paths.prefix(Int(CPW_ROOM_MAX_PATHS)).enumerated()
                    withUnsafeMutableBytes(of: &raw.delays) { bytes in
                        let delays = bytes.bindMemory(to: UInt32.self)
                        for (index, path) in paths { delays[index] = UInt32(clamping: path.delay) }
                    }
                    withUnsafeMutableBytes(of: &raw.gains) { bytes in
                        let gains = bytes.bindMemory(to: Float.self)
                        for (index, path) in paths { gains[index] = path.gain }
                    }
                    raw.noise = options.noise
                    raw.drift = options.drift
                    raw.latency = Int64(options.latency / .nanoseconds(1))
                    raw.voice = voice.baseAddress
                    raw.voice_count = voice.count
                    raw.threshold = options.threshold
                    var events = OwnNodeEvent.shim
                    return cpw_room_create(connection.handle, properties, count, &raw, &events, user, &code)
                }
            }
        }
    }

    /// The number of frames of the voice that were spoken.
    package var spokenFrames: Int { Int(cpw_room_said(object.handle)) }
}
