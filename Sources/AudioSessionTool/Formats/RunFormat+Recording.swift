import AudioSessionPlayback
import AudioSessions
import PipeWireGraph

/// The lines of `audiosession run` about a recording.
extension RunFormat {
    /// Returns the line of a recorder's event.
    ///
    /// - Returns: The line; `nil` if the session sends an event for the same change.
    static func event(_ event: AudioRecorder.Event) -> JSONValue? {
        switch event {
        case .stateChanged: nil
        case .inputChanged(let port, let time):
            line(time, "event", "inputChanged", [("port", JSONFormat.port(port))])
        case .microphoneMuted(let muter, let time):
            line(time, "event", "microphoneMuted", [("by", .string(muter.rawValue))])
        case .microphoneUnmuted(let muter, let time):
            line(time, "event", "microphoneUnmuted", [("by", .string(muter.rawValue))])
        case .microphoneSilent(let time): line(time, "event", "microphoneSilent", [])
        case .microphoneLost(let port, let time):
            line(time, "event", "microphoneLost", [("port", JSONFormat.port(port))])
        case .overrun(let frames, let time): line(time, "event", "overrun", [("frames", .integer(Int64(frames)))])
        case .failed(let error, let time):
            line(
                time, "event", "recordingFailed",
                [("error", .string(error.code.name)), ("message", .string(error.message))])
        case .finished(let recording, let reason, let time):
            line(
                time, "event", "recordingFinished",
                [("reason", .string(reason.rawValue))] + self.recording(recording))
        }
    }

    /// Returns the values of a recording; `nil` stands for one that has no sound yet.
    static func recording(_ recording: AudioRecorder.Recording?) -> [(String, JSONValue)] {
        guard let recording else { return [("file", .null), ("frames", .integer(0)), ("seconds", .double(0))] }
        let seconds = Double(recording.frameCount) / Double(recording.format.sampleRate)
        return [
            ("file", recording.path.map { .string($0) } ?? .null), ("frames", .integer(recording.frameCount)),
            ("seconds", .double((seconds * 1000).rounded() / 1000)),
        ]
    }
}
