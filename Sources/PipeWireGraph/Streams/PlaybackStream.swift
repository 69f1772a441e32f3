import AudioSessionCore
import CPipeWireShim

/// A stream that plays the frames of a ring, or what a callback renders.
package final class PlaybackStream: GraphStream {
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
        var report = commonReport
        report.lastSoundTime = .init(shim: cpw_playback_last_sound_time(handle))
        return report
    }
}
