import AudioSessionPlayback
import AudioSessions
import Testing

@Suite struct RecordingWriterTests {
    /// Without memory for a ring the writer never begins, and `stop()` waits for the end.
    @Test(.timeLimit(.minutes(10))) func aRecordingThatNeverBeganIsFinished() async throws {
        let format = AudioRecorder.Configuration().format
        let writer = try RecordingWriter(format, listeners: EventBroadcaster())
        let run = Task { await writer.run() }
        writer.post(.finish(recording: 3))
        var events = writer.events.makeAsyncIterator()
        let nothing = AudioRecorder.Recording(path: nil, frameCount: 0, format: format)
        #expect(await events.next() == .finished(3, nothing))
        writer.finish()
        await run.value
    }
}
