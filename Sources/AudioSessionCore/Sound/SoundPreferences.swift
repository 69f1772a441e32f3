/// How a program wants a session's sound carried.
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

    /// The I/O buffer that is wanted.
    package func frames(at rate: Int) -> Int? {
        ioBufferDuration.map { max(1, Int(($0 / .seconds(1) * Double(rate)).rounded())) }
    }

    /// The properties by which the session's streams, and no others, ask for that. PipeWire takes the smallest latency
    /// that any stream of the graph asks for, and a rate only if its settings allow that.
    /// - Parameter old: what streams that run asked for until now. A property cannot be taken back, so what is not
    ///   wanted any more is what everybody gets.
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
            .badParam, rule: "A sample rate is 1 to 768000 frames per second, and this is \(sampleRate).",
            fix: "Prefer 48000, or none.")
    }

    package static func check(ioBufferDuration: Duration?) throws(AudioSessionError) {
        guard let ioBufferDuration, ioBufferDuration <= .zero || ioBufferDuration > longestBuffer else { return }
        throw AudioSessionError(
            .badParam,
            rule: "An I/O buffer lasts up to a second and more than nothing, and this is \(ioBufferDuration).",
            fix: "Prefer some milliseconds, or none.")
    }

    package static func check(channels: Int?, of maximum: Int) throws(AudioSessionError) {
        guard let channels, !(1...max(1, maximum)).contains(channels) || maximum == 0 else { return }
        throw AudioSessionError(
            .badParam,
            rule: maximum == 0
                ? "There is no port in use that could have \(channels) channels."
                : "The port in use has 1 to \(maximum) channels, and this is \(channels).",
            fix: "Ask for no more than its maximum, after the route is known.")
    }
}
