import AudioSessionPlayback
import AudioSessions
import Glibc
import PipeWireGraph
import TestSupport
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

    @Test(.timeLimit(.minutes(10))) func aFileThatCannotReplaceWhatIsThereIsAFailure() async throws {
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        let configuration = AudioRecorder.Configuration()
        let writer = try RecordingWriter(configuration.format, listeners: EventBroadcaster())
        let run = Task { await writer.run() }
        try await writer.open(path, .wav, configuration)
        #expect(mkdir(path, 0o700) == 0)
        let ring = try #require(RecordingWriter.makeRing(for: configuration.format))
        writer.post(.begin(ring, recording: 1, stream: 1))
        let failure = try #require(await writer.waitForCommands())
        #expect(failure.code == .cannotWrite)
        writer.post(.finish(recording: 1))
        var events = writer.events.makeAsyncIterator()
        let nothing = AudioRecorder.Recording(path: nil, frameCount: 0, format: configuration.format)
        #expect(await events.next() == .failed(1, failure))
        #expect(await events.next() == .finished(1, nothing))
        writer.finish()
        await run.value
        #expect(await writer.waitForCommands() == nil)
        #expect(rmdir(path) == 0)
    }

    /// Without a timer, nothing would write the contents of the ring.
    @Test(.timeLimit(.minutes(10))) func aRecordingWithoutATimerFails() async throws {
        let scratch = try Scratch()
        let path = scratch.name("a.wav")
        let configuration = AudioRecorder.Configuration()
        let writer = try RecordingWriter(
            configuration.format, listeners: EventBroadcaster(), makeTimer: { _, _ in nil })
        let run = Task { await writer.run() }
        try await writer.open(path, .wav, configuration)
        let ring = try #require(RecordingWriter.makeRing(for: configuration.format))
        writer.post(.begin(ring, recording: 1, stream: 1))
        let failure = try #require(await writer.waitForCommands())
        #expect(failure.code == .resourcesExhausted)
        #expect(access(path, F_OK) != 0, "a file of that name would be unchanged")
        writer.finish()
        await run.value
    }

    /// After a pause, or on another microphone, the recording has another ring.
    @Test(.timeLimit(.minutes(10))) func zerosAreReportedForEachRing() async throws {
        let format = AudioRecorder.Format(sampleRate: 8000, channelCount: 1)
        let writer = try RecordingWriter(format, listeners: EventBroadcaster())
        let run = Task { await writer.run() }
        var events = writer.events.makeAsyncIterator()
        for stream: UInt64 in 1...2 {
            let ring = try #require(RecordingWriter.makeRing(for: format))
            _ = ring.write([Float](repeating: 0, count: 3 * format.sampleRate).span)
            writer.post(.begin(ring, recording: 1, stream: stream))
            writer.post(.pause)
            #expect(await events.next() == .zeros(stream: stream, true))
        }
        writer.finish()
        await run.value
    }

    @Test(.timeLimit(.minutes(10))) func soundEndsTheReportOfZeros() async throws {
        let format = AudioRecorder.Format(sampleRate: 8000, channelCount: 1)
        let writer = try RecordingWriter(format, listeners: EventBroadcaster())
        let run = Task { await writer.run() }
        var events = writer.events.makeAsyncIterator()
        let ring = try #require(RecordingWriter.makeRing(for: format))
        let frames = [Float](repeating: 0, count: 3 * format.sampleRate) + [0.1]
        #expect(ring.write(frames.span) == frames.count)
        writer.post(.begin(ring, recording: 1, stream: 1))
        writer.post(.finish(recording: 1))
        writer.finish()
        let recording = AudioRecorder.Recording(path: nil, frameCount: Int64(frames.count), format: format)
        #expect(await events.next() == .zeros(stream: 1, true))
        #expect(await events.next() == .zeros(stream: 1, false))
        #expect(await events.next() == .finished(1, recording))
        await run.value
    }
}
