import AudioSessionCore
import AudioSessions
import PipeWireGraph

extension RecorderStateMachine: StreamStateMachine {
    package typealias Stream = any RecordingInput
}

/// This extension executes the actions of ``RecorderStateMachine``.
extension AudioRecorder: CaptureParticipant {
    package nonisolated var prefersEchoCancelledInput: Bool { configuration.prefersEchoCancelledInput }

    package func perform(_ action: RecorderAction) {
        switch action {
        case .openStream(let recording, let stream): openStream(stream, of: recording)
        case .closeStream: closeStream()
        case .setGate(let isClosed): stream?.setGate(closed: isClosed)
        case .setMuted(let isMuted): stream?.setMuted(isMuted)
        case .pauseWriting: writer?.post(.pause)
        case .finishWriting(let number): writer?.post(.finish(recording: number))
        case .wake(let time): wake(at: time)
        case .activate: Task { await activateToResume() }
        case .notify(let event):
            if case .finished(let recording, _, _) = event { last = recording }
            broadcaster.send(event)
        case .send: break
        }
    }

    // MARK: Stream

    private func openStream(_ number: UInt64, of recording: UInt64) {
        observed = nil
        do throws(AudioSessionError) {
            guard let ring = RecordingWriter.makeRing(for: configuration.format) else {
                throw AudioSessionError(
                    .resourcesExhausted, "There is no memory for five seconds of sound. Free some, then record again."
                )
            }
            let name = machine.path?.split(separator: "/").last.map(String.init) ?? "Recording"
            try openCapture(
                .ring(ring), rate: configuration.format.sampleRate,
                properties: [("media.name", name)]
                    + manager.streamNames(application: configuration.applicationName, node: configuration.nodeName))
            // Last, because the file replaces an existing one.
            writer?.post(.begin(ring, recording: recording, stream: number))
        } catch {
            handle(.streamFailed(error))
        }
    }

    /// The activity of the current stream's real-time thread, or of the last one's.
    public var statistics: Statistics { streamStatistics }

    // MARK: Writer

    func startWriter() throws(AudioSessionError) -> RecordingWriter {
        if let writer { return writer }
        do {
            let writer = try RecordingWriter(configuration.format, listeners: listeners)
            self.writer = writer
            // Both begin on the manager's thread, because callers that block until the file is
            // closed may occupy the last thread of Swift's pool.
            let executor = manager.environment.taskExecutor
            Task(executorPreference: executor) { await writer.run() }
            Task(executorPreference: executor) { [weak self] in
                for await event in writer.events { await self?.written(event) }
                await self?.answerAll()
            }
            return writer
        } catch {
            throw .noThread(of: "recorder", error)
        }
    }

    private func written(_ event: WriterEvent) {
        handle(.writer(event))
        guard case .finished(let number, let recording) = event else { return }
        for continuation in waiting.removeValue(forKey: number) ?? [] { continuation.resume(returning: recording) }
    }

    /// Answers all calls that wait for a recording, because no further recording will finish.
    private func answerAll() {
        let open = waiting
        waiting = [:]
        for continuation in open.values.joined() { continuation.resume(returning: last) }
    }

    package func finish() {
        writer?.finish()
        writer = nil
        broadcaster.finish()
        listeners.finish()
    }
}
