package import AudioSessionCore
import CPipeWireShim

/// A stream that plays what is in a ring.
package final class PlaybackStream: GraphStream {
    /// What the real-time thread last did; each figure for itself is exact, together they may be of two cycles.
    package struct Report: Sendable, Hashable, GraphStreamReport {
        /// Times that the process callback ran.
        package var cycles: UInt64 = 0
        /// Frames handed to PipeWire, silence included.
        package var frames: UInt64 = 0
        /// Start of the last cycle.
        package var cycleTime: MonotonicTime?
        /// Start of the last cycle that handed out a frame of the ring.
        package var lastSoundTime: MonotonicTime?
        /// When the callback began that brought the news that closed the gate.
        package var gateEventTime: MonotonicTime?
        /// When the gate closed.
        package var gateTime: MonotonicTime?
        /// Frames of the graph's cycle, at the graph's rate.
        package var quantum = 0
        package var graphRate = 0
        /// From the process callback to the device, as PipeWire reports it.
        package var delay: Duration = .zero

        package init() {}
    }

    /// - Parameters:
    ///   - active: Whether the graph runs the stream from the start.
    ///   - properties: What others see of it: `media.role`, `media.name`, `node.name` …
    ///   - receive: Called on the loop's thread, synchronously from PipeWire's callback.
    package init(
        on connection: Connection, ring: FrameRing, rate: Int, active: Bool = false,
        properties: [(String, String)], receive: @escaping (Status) -> Void
    ) throws(PipeWireError) {
        try super.init(
            on: connection, ring: ring, rate: rate, active: active, properties: properties, receive: receive,
            create: cpw_playback_create)
    }

    /// Lets the graph run the stream, or stop running it: an inactive one costs no processor time.
    package func setActive(_ active: Bool) { _ = cpw_playback_set_active(handle, active) }

    /// A linear factor, 0 to 8; anything else is ignored.
    package func setVolume(_ volume: Float) { cpw_playback_set_volume(handle, volume) }

    /// Ducking: a linear factor, 0 to 1, besides the volume; anything else is ignored. Moves there evenly.
    package func setDuck(_ gain: Float) { cpw_playback_set_duck(handle, gain) }

    package var report: Report {
        let raw = shimReport
        var report = Report()
        report.note(raw)
        report.cycleTime = .init(shim: raw.cycle_time)
        report.lastSoundTime = .init(shim: cpw_playback_last_sound_time(handle))
        return report
    }
}
