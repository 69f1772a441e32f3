package import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// Executes the actions of ``OutputStateMachine``.
extension AudioOutput: PlaybackParticipant {
    /// The values that can be read from any thread.
    struct Snapshot: Sendable {
        var state = State.stopped
        var volume: Float = 1
        /// The last route that the manager reported; `nil` before the first one.
        var route: RouteDescription?
        /// The facts that were reported to the session.
        var facts = ParticipantFacts()
    }

    /// The source of the sound.
    enum Source: Sendable {
        case writer(OutputWriter)
        case callback(SampleCallback)
        /// No source, because the format is out of bounds or memory was lacking.
        case missing(AudioSessionError)

        init(_ format: Format, holding duration: Duration) {
            guard format.isSupported else {
                self = .missing(.noSource(format))
                return
            }
            let frames = min(max(duration, .milliseconds(1)), .seconds(10)).frames(rate: format.sampleRate)
            let ring = FrameRing(channels: format.channelCount, capacity: max(1, Int(frames)))
            self = ring.map { .writer(OutputWriter($0)) } ?? .missing(.noSource(format))
        }

        init(_ render: RenderCallback, _ format: Format, isTimed: Bool) {
            // With an illegal rate, no channels are requested, so that the context is destroyed at
            // once.
            let callback = SampleCallback(
                rendering: render.function, context: render.context.pointer,
                channels: format.isSupported ? format.channelCount : 0, destroy: render.context.destroy)
            callback?.setTimed(isTimed)
            self = callback.map { .callback($0) } ?? .missing(.noSource(format))
        }

        var writer: OutputWriter? { if case .writer(let writer) = self { writer } else { nil } }

        var exchange: SampleExchange? {
            switch self {
            case .writer(let writer): .ring(writer.ring)
            case .callback(let callback): .callback(callback)
            case .missing: nil
            }
        }

        var position: UInt64 {
            switch self {
            case .writer(let writer): writer.ring.read
            case .callback(let callback): callback.frames
            case .missing: 0
            }
        }

        var missing: UInt64 { writer?.ring.missing ?? 0 }

        var lateCalls: UInt64 { if case .callback(let callback) = self { callback.lateCalls } else { 0 } }
    }

    package var counters: OutputCounters {
        OutputCounters(
            missing: source.missing, lateCalls: source.lateCalls, awaited: source.writer?.awaited,
            drained: source.writer?.drained, cycles: stream?.report.cycles ?? 0,
            now: manager.environment.now())
    }

    /// The output's values at one moment, for callers that read several.
    package nonisolated var values: (state: State, volume: Float) { snapshot.withLock { ($0.state, $0.volume) } }
    package nonisolated var facts: ParticipantFacts { snapshot.withLock(\.facts) }
    package nonisolated var role: AudioPlayer.Role { configuration.role }

    package nonisolated func noteRoute(_ route: RouteDescription) { snapshot.withLock { $0.route = route } }

    package func publish() {
        let machine = machine
        snapshot.withLock { snapshot in
            snapshot.state = machine.state
            snapshot.facts = machine.facts
        }
    }

    package func sessionEnded() {
        hasSessionEnded = true
        source.writer?.end(.stopped)
    }

    package func perform(_ action: OutputAction) {
        switch action {
        case .openStream: openStream()
        case .renewStream:
            releaseStream()
            openStream()
        case .releaseStream, .closeStream: releaseStream()
        case .setActive(let isActive): stream?.setActive(isActive)
        case .setGate(let isClosed): stream?.setGate(closed: isClosed)
        case .serveWriters: source.writer?.serve()
        case .endDrain: source.writer?.endDrain()
        case .endWriting: source.writer?.end(driver.isClosed ? .outputClosed : .stopped)
        case .wake(let wakeUp): armTimer(after: wakeUp.map(duration))
        case .activate(let activation): Task { await activate(activation) }
        case .notify(let event):
            if case .routeChanged(let change) = event { noteRoute(change.current) }
            broadcaster.send(event)
        case .send: break
        }
    }

    private func openStream() {
        do throws(AudioSessionError) {
            guard let exchange = source.exchange else { throw .noSource(format) }
            try openPlayback(
                exchange, rate: format.sampleRate,
                properties: [("media.name", configuration.title)]
                    + manager.streamNames(application: configuration.applicationName, node: configuration.nodeName))
        } catch {
            handle(.streamFailed(error))
        }
    }

    package func finish() { broadcaster.finish() }

    package func checkUsable() throws(AudioSessionError) {
        if driver.isClosed { throw .outputClosed }
    }

    nonisolated func checkSource() throws(AudioSessionError) {
        if case .missing(let error) = source { throw error }
    }
}

extension AudioOutput.Format {
    /// Makes the format of the session's output or input hardware. Unknown values are 48 kHz, and
    /// stereo for an output, mono for an input.
    init(_ direction: PortDirection, of session: AudioSession) {
        let hardware = session.hardwareFormat
        let isOutput = direction == .output
        let channels = isOutput ? hardware.outputNumberOfChannels : hardware.inputNumberOfChannels
        self.init(
            sampleRate: hardware.sampleRate > 0 ? hardware.sampleRate : 48_000,
            channelCount: channels > 0 ? min(channels, FrameRing.maximumChannels) : isOutput ? 2 : 1)
    }

    package var isSupported: Bool {
        (1...FrameRing.maximumRate).contains(sampleRate) && (1...FrameRing.maximumChannels).contains(channelCount)
    }

    func unsupportedMessage(for purpose: String) -> String {
        "\(channelCount) channels of \(sampleRate) Hz cannot be \(purpose). Use 1 to "
            + "\(FrameRing.maximumChannels) channels of 1 to \(FrameRing.maximumRate) Hz."
    }
}

extension AudioSessionError {
    fileprivate static func noSource(_ format: AudioOutput.Format) -> Self {
        guard !format.isSupported else {
            return Self(.resourcesExhausted, "There is no memory for the output's buffer. Make a shorter one.")
        }
        return Self(.unsupportedFormat, format.unsupportedMessage(for: "played"))
    }

    fileprivate static let outputClosed = AudioSessionError(.closed, "The output was closed. Make another one.")
}
