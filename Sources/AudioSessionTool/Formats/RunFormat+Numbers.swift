import AudioSessions
import PipeWireGraph

/// The numeric values of a session in the lines of `audiosession run`.
extension RunFormat {
    static func numbers(_ session: AudioSession) -> [(String, JSONValue)] {
        hardware(session.hardwareFormat)
            + volume(OutputVolume(level: session.outputVolume, isMuted: session.isOutputMuted))
            + [
                ("inputGain", session.isInputGainSettable ? number(session.inputGain) : .null),
                (
                    "preferred",
                    .object([
                        ("sampleRate", integer(session.preferredSampleRate)),
                        ("ioBufferDuration", session.preferredIOBufferDuration.map(seconds) ?? .null),
                        ("inputChannels", integer(session.preferredInputNumberOfChannels)),
                        ("outputChannels", integer(session.preferredOutputNumberOfChannels)),
                    ])
                ),
            ]
    }

    static func volume(_ volume: OutputVolume) -> [(String, JSONValue)] {
        [("volume", number(volume.level)), ("muted", .bool(volume.isMuted))]
    }

    static func hardware(_ format: HardwareFormat) -> [(String, JSONValue)] {
        [
            ("sampleRate", integer(format.sampleRate)), ("ioBufferDuration", seconds(format.ioBufferDuration)),
            ("inputLatency", seconds(format.inputLatency)), ("outputLatency", seconds(format.outputLatency)),
            ("inputChannels", integer(format.inputNumberOfChannels)),
            ("outputChannels", integer(format.outputNumberOfChannels)),
            ("maximumInputChannels", integer(format.maximumInputNumberOfChannels)),
            ("maximumOutputChannels", integer(format.maximumOutputNumberOfChannels)),
        ]
    }

    private static func integer(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }

    /// Returns the duration in seconds, rounded to millionths.
    private static func seconds(_ duration: Duration) -> JSONValue {
        .double((duration / .seconds(1) * 1_000_000).rounded() / 1_000_000)
    }
}
