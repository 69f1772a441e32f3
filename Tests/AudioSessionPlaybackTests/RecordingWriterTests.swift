import AudioSessionPlayback
import AudioSessions
import PipeWireGraph
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

    /// After a pause, or on another microphone, the recording has another ring.
    @Test(.timeLimit(.minutes(10))) func zerosAreReportedForEachRing() async throws {
        let format = AudioRecorder.Format(sampleRate: 8000, channelCount: 1)
        let writer = try RecordingWriter(format, listeners: EventBroadcaster())
        let run = Task { await writer.run() }
        var events = writer.events.makeAsyncIterator()
        for _ in 0..<2 {
            let ring = try #require(RecordingWriter.makeRing(for: format))
            _ = ring.write([Float](repeating: 0, count: 3 * format.sampleRate).span)
            writer.post(.begin(ring, recording: 1))
            writer.post(.pause)
            #expect(await events.next() == .zeros(1, true))
        }
        writer.finish()
        await run.value
    }
}
