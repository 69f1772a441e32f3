/// The numbers that a program prefers for a session's sound.
package struct SoundPreferences: Sendable, Hashable {
    package var sampleRate: Int?
    package var ioBufferDuration: Duration?
    package var inputChannels: Int?
    package var outputChannels: Int?

    package static let rates = 1...768_000
    package static let longestBuffer = Duration.seconds(1)

    package init() {}

    package subscript(channels direction: PortDirection) -> Int? {
        get { direction == .output ? outputChannels : inputChannels }
        set { if direction == .output { outputChannels = newValue } else { inputChannels = newValue } }
    }

    /// Returns the preferred I/O buffer in frames; `nil` without a preference.
    package func frames(at rate: Int) -> Int? {
        ioBufferDuration.map { max(1, Int(($0 / .seconds(1) * Double(rate)).rounded())) }
    }

    /// Returns the properties by which the session's streams request their rate and latency.
    ///
    /// PipeWire takes the smallest latency that any stream of the graph requests, and a rate only
    /// if its settings permit it.
    /// - Parameter old: The former preferences of running streams. A property cannot be removed, so
    ///   a preference that has ended requests the default.
    package func streamProperties(_ clock: ClockSettings, instead old: Self = Self()) -> [(String, String)] {
        var properties: [(String, String)] = []
        let rate = sampleRate ?? clock.rate
        if let frames = frames(at: rate) {
            properties.append(("node.latency", "\(frames)/\(rate)"))
        } else if old.ioBufferDuration != nil {
            properties.append(("node.latency", "\(clock.quantum)/\(clock.rate)"))
        }
        if sampleRate != nil || old.sampleRate != nil { properties.append(("node.rate", "1/\(rate)")) }
        return properties
    }

    // MARK: Checks

    package static func check(sampleRate: Int?) throws(AudioSessionError) {
        guard let sampleRate, !rates.contains(sampleRate) else { return }
        throw AudioSessionError(
            .badParam, rule: "The sample rate must be 1 to 768000 frames per second, and it is \(sampleRate).",
            fix: "Set 48000, or nil for no preference.")
    }

    package static func check(ioBufferDuration: Duration?) throws(AudioSessionError) {
        guard let ioBufferDuration, ioBufferDuration <= .zero || ioBufferDuration > longestBuffer else { return }
        throw AudioSessionError(
            .badParam,
            rule: "The I/O buffer must be longer than zero and at most a second, and it is \(ioBufferDuration).",
            fix: "Set some milliseconds, or nil for no preference.")
    }

    package static func check(channels: Int?, of maximum: Int) throws(AudioSessionError) {
        guard let channels, !(1...max(1, maximum)).contains(channels) || maximum == 0 else { return }
        throw AudioSessionError(
            .badParam,
            rule: maximum == 0
                ? "No port is in use that could have \(channels) channels."
                : "The port in use has \(maximum) channels, and \(channels) were requested.",
            fix: "Set a number from 1 to the port's maximum, after the route is known.")
    }
}
