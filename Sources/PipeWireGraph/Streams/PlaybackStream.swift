package import AudioSessionCore
import CPipeWireShim

/// A stream that plays the frames of a ring, or what a callback renders.
package final class PlaybackStream: GraphStream {
    /// The activity of the real-time thread, as of its last cycle. Each number is exact, but two of
    /// them may be of different cycles.
    package struct Report: Sendable, Hashable, GraphStreamReport {
        /// The number of calls of the process callback.
        package var cycles: UInt64 = 0
        /// The number of frames passed to PipeWire, including silence.
        package var frames: UInt64 = 0
        /// The start of the last cycle that played a frame of the ring or of the callback.
        package var lastSoundTime: MonotonicTime?
        /// The start of the callback whose event closed the gate.
        package var gateEventTime: MonotonicTime?
        /// The time at which the gate closed.
        package var gateTime: MonotonicTime?
        /// The number of frames in a cycle of the graph, at the graph's rate.
        package var quantum = 0
        /// The sample rate of the graph, in frames per second.
        package var graphRate = 0
        /// The latency from the process callback to the device, as PipeWire reports it.
        package var delay: Duration = .zero

        package init() {}
    }

    /// Creates a stream that plays the samples of `exchange`.
    ///
    /// - Parameters:
    ///   - active: Whether the graph runs the stream from the start.
    ///   - properties: The properties of its node: `media.role`, `media.name`, `node.name` …
    ///   - receive: Called on the loop's thread, synchronously from PipeWire's callback.
    package init(
        on connection: Connection, exchange: SampleExchange, rate: Int, active: Bool = false,
        properties: [(String, String)], receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        try super.init(
            on: connection, exchange: exchange, rate: rate, active: active, properties: properties, receive: receive,
            create: cpw_playback_create)
    }

    /// Makes the graph run the stream, or stop running it. An inactive stream costs no processor
    /// time.
    package func setActive(_ active: Bool) { _ = cpw_playback_set_active(handle, active) }

    /// Sets the user's volume, a linear factor from 0 to 8. Other values are ignored.
    package func setVolume(_ volume: Float) { cpw_playback_set_volume(handle, volume) }

    /// Sets the gain of ducking, a linear factor from 0 to 1, which multiplies the volume. The
    /// stream ramps to it. Other values are ignored.
    package func setDuck(_ gain: Float) { cpw_playback_set_duck(handle, gain) }

    package var report: Report {
        var report = Report()
        report.note(shimReport)
        report.lastSoundTime = .init(shim: cpw_playback_last_sound_time(handle))
        return report
    }
}
