package import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// Executes what ``RecorderStateMachine`` decides, for a recording without a file.
extension AudioInput: CaptureParticipant {
    /// Where the sound goes.
    enum Source: Sendable {
        case buffers
        case callback(SampleCallback)
        /// There was no memory for the callback.
        case missing

        init(_ receive: ReceiveCallback, _ format: Format) {
            let callback = SampleCallback(
                receiving: receive.function, context: receive.context.pointer,
                channels: format.isSupported ? format.channelCount : 0, destroy: receive.context.destroy)
            self = callback.map { .callback($0) } ?? .missing
        }

        /// The number of frames that the callback has received; 0 without a callback.
        var received: UInt64 { if case .callback(let callback) = self { callback.frames } else { 0 } }
    }

    package nonisolated var prefersEchoCancelledInput: Bool { configuration.prefersEchoCancelledInput }

    package func readPolicies() {
        driver.machine.continuesAfterInterruption = session.configuration.resumesAfterInterruption
    }

    package func perform(_ action: RecorderAction) {
        switch action {
        case .openStream: openStream()
        case .closeStream: closeStream()
        case .setGate(let isClosed): stream?.setGate(closed: isClosed)
        case .setMuted(let isMuted): stream?.setMuted(isMuted)
        case .pauseWriting: endDraining()
        case .finishWriting(let number):
            endDraining()
            let format = AudioRecorder.Format(sampleRate: format.sampleRate, channelCount: format.channelCount)
            let count = frames + Int64(source.received - formerFrames)
            handle(.writer(.finished(number, .init(path: nil, frameCount: count, format: format))))
        case .wake(let time): wake(at: time)
        case .activate: Task { await activateToResume() }
        case .notify(let event): broadcaster.send(event)
        case .send: break
        }
    }

    private func openStream() {
        observed = nil
        do throws(AudioSessionError) {
            let exchange: SampleExchange
            switch source {
            case .callback(let callback): exchange = .callback(callback)
            case .missing: throw .noMemory
            case .buffers:
                guard makeDrainTimer() else { throw .noTimer }
                // A second of sound fits, because a busy loop may drain the ring late.
                guard
                    let ring = FrameRing(
                        channels: format.channelCount, capacity: format.sampleRate, isForCapture: true)
                else {
                    throw .noMemory
                }
                self.ring = ring
                exchange = .ring(ring)
            }
            try openCapture(
                exchange, rate: format.sampleRate,
                properties: [("media.name", configuration.title)]
                    + manager.streamNames(application: configuration.applicationName, node: configuration.nodeName))
            if ring != nil { armDrain() }
        } catch {
            handle(.streamFailed(error))
        }
    }

    package func finish() {
        drainTimer = nil
        broadcaster.finish()
        listeners.finish()
    }

    package func checkUsable() throws(AudioSessionError) {
        guard driver.isClosed else { return }
        throw AudioSessionError(.closed, "The input was closed. Make another one.")
    }

    func checkSource() throws(AudioSessionError) {
        guard format.isSupported else {
            throw AudioSessionError(.unsupportedRecordingFormat, format.unsupportedMessage(for: "captured"))
        }
        if case .missing = source { throw .noMemory }
    }

    // MARK: Buffers

    /// A clock, because the real-time thread wakes no other thread.
    private func armDrain() { drainTimer?.arm(after: drainInterval) }

    /// Makes the timer that empties the ring if there is none yet.
    /// - Returns: Whether the system granted the timer.
    private func makeDrainTimer() -> Bool {
        if drainTimer == nil {
            drainTimer = manager.environment.makeTimer { [weak self] in
                self?.assumeIsolated {
                    $0.drain()
                    if $0.ring != nil { $0.armDrain() }
                }
            }
        }
        return drainTimer != nil
    }

    /// The graph's cycle, within bounds.
    private var drainInterval: Duration {
        guard let report = stream?.report, report.graphRate > 0, report.quantum > 0 else { return .milliseconds(10) }
        let cycle = Duration(frames: Int64(report.quantum), rate: report.graphRate)
        return min(max(cycle, .milliseconds(2)), .milliseconds(20))
    }

    private func endDraining() {
        drain()
        ring = nil
        drainTimer?.disarm()
    }

    private func drain() {
        guard let ring, case let count = ring.written - ring.read, count > 0 else { return }
        var samples = [Float](repeating: 0, count: Int(count) * ring.channels)
        var span = samples.mutableSpan
        // All that was there, because nothing else takes from it.
        _ = ring.take(into: &span)
        // A NaN or infinity of another program would remain in everything that is computed from it.
        for index in samples.indices where !samples[index].isFinite { samples[index] = 0 }
        let buffer = Buffer(
            samples: samples, channelCount: ring.channels, sampleRate: format.sampleRate, firstFrame: frames)
        frames += Int64(buffer.frameCount)
        listeners.send(buffer)
    }
}

extension AudioSessionError {
    fileprivate static let noMemory = AudioSessionError(
        .resourcesExhausted, "There is no memory for a second of sound. Close what needs much of it.")
}
