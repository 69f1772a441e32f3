import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// The door between the recorder's state machine and the world: events go in here, actions are done here.
extension AudioRecorder {
    /// What may be read from anywhere.
    struct Snapshot: Sendable {
        var state = State.stopped
        var input: PortDescription?
        var isMuted = false
        var source: ObjectID?
        var path: String?
    }

    /// Tells the machine, and does what it says. An action may cause an event at once; that one waits for its turn.
    func receive(_ event: RecorderEvent) {
        inbox.append(event)
        guard !isReceiving else { return }
        isReceiving = true
        while !inbox.isEmpty {
            let actions = machine.receive(inbox.removeFirst(), counters, now: manager.environment.now())
            let wasMuted = snapshot.withLock(\.isMuted)
            publish()
            // What can be read before listeners: whoever hears of it finds it true.
            if machine.isMuted != wasMuted { session.assumeIsolated { $0.participantMuted(self) } }
            for action in actions { perform(action) }
        }
        isReceiving = false
    }

    private var counters: RecorderCounters {
        let report = stream?.report ?? CaptureStream.Report()
        return RecorderCounters(frames: report.frames, dropped: report.dropped)
    }

    private func publish() {
        snapshot.withLock { snapshot in
            snapshot.state = machine.state
            snapshot.input = machine.input
            snapshot.isMuted = machine.isMuted
        }
    }

    private func perform(_ action: RecorderAction) {
        switch action {
        case .openStream(let number): openStream(number)
        case .closeStream: dropStream()
        case .setGate(let isClosed): stream?.setGate(closed: isClosed)
        case .setMuted(let isMuted): stream?.setMuted(isMuted)
        case .observe(let observes): observe(observes)
        case .pauseWriting: writer?.post(.pause)
        case .finishWriting(let number): writer?.post(.finish(recording: number))
        case .wake(let time): wake(at: time)
        case .tell(let event): tell(event)
        }
    }

    private func tell(_ event: Event) {
        if case .stateChanged = event { session.assumeIsolated { $0.participantChanged(self) } }
        if case .finished(let recording, _) = event { last = recording }
        broadcaster.send(event)
    }

    // MARK: Stream

    private func openStream(_ number: UInt64) {
        do throws(RecordingError) {
            guard let ring = RecordingWriter.makeRing(for: configuration.format) else {
                throw RecordingError(.resourcesExhausted, "There is no memory for some seconds of sound.")
            }
            writer?.post(.begin(ring, recording: number))
            target = session.assumeIsolated { $0.target(.input) }
            let request = StreamRequest(
                ring: ring, rate: configuration.format.sampleRate, properties: properties)
            let receive: (CaptureStream.Status) -> Void = { [weak self] status in
                self?.assumeIsolated { $0.streamChanged(status) }
            }
            stream = try environment.open(manager.sharedConnection, request, receive)
        } catch {
            inbox.append(.streamFailed(error))
        }
    }

    private var properties: [(String, String)] {
        // Without normalization one channel of a stereo microphone would be 3 dB louder than full scale.
        var properties = [
            ("media.name", path?.split(separator: "/").last.map(String.init) ?? "Recording"),
            ("channelmix.normalize", "true"),
        ]
        properties += manager.streamNames(application: configuration.applicationName, node: configuration.nodeName)
        properties += session.assumeIsolated { $0.streamProperties(.input) }
        return properties
    }

    private func dropStream() {
        if let report = stream?.report { formerReport = report }
        let old = stream
        stream = nil
        node = nil
        withExtendedLifetime(old) {}
    }

    private func streamChanged(_ status: CaptureStream.Status) {
        node = status.node
        switch status.state {
        case .streaming, .paused, .connecting: break
        case .unconnected, .error:
            let reason = status.message ?? "the server ended it"
            receive(.streamFailed(RecordingError(.inputFailed, "The stream from PipeWire failed: \(reason).")))
        }
        look()
    }

    // MARK: Microphone

    private func observe(_ observes: Bool) {
        guard hasJoined else { return }
        manager.assumeIsolated { observes ? $0.follow(input: self) : $0.unfollow(input: ObjectIdentifier(self)) }
        setObserved(nil)
        guard observes else { return }
        // It may have been muted or unmuted while nothing was recorded.
        receive(.muted(manager.isInputMuted))
        look()
    }

    private func setObserved(_ new: InputObservation?) {
        observed = new
        snapshot.withLock { $0.source = new?.source }
    }

    /// The gate is guarded before anybody thinks about what was seen.
    func look() {
        guard machine.state != .stopped, stream != nil else { return }
        let (node, former) = (node, machine.input)
        let new = manager.assumeIsolated { $0.observeInput(of: node, former: former) }
        guard new != observed else { return }
        setObserved(new)
        stream?.setGuard(new.source.map { [$0] } ?? [])
        // Numbers before what is recorded in them.
        session.assumeIsolated { $0.participantMoved(self) }
        receive(.observed(new))
        inputChosen()
    }

    // MARK: Time

    private func wake(at time: MonotonicTime?) {
        guard let time else {
            timer?.disarm()
            return
        }
        if timer == nil {
            timer = manager.environment.makeTimer { [weak self] in self?.assumeIsolated { $0.receive(.timer) } }
        }
        timer?.arm(after: max(.zero, time.since(manager.environment.now())))
    }

    /// What the real-time side of the stream that records, or of the last one, did.
    public var statistics: Statistics {
        let report = stream?.report ?? formerReport
        var statistics = Statistics()
        statistics.cycles = report.cycles
        statistics.droppedFrames = report.dropped
        statistics.gateTime = report.gateTime
        if let event = report.gateEventTime { statistics.gateDelay = report.gateTime?.since(event) }
        return statistics
    }

    // MARK: Writer

    func startWriter() throws(RecordingError) -> RecordingWriter {
        if let writer { return writer }
        do {
            let writer = try RecordingWriter(configuration.format, listeners: listeners)
            self.writer = writer
            Task { await writer.run() }
            Task { [weak self] in
                for await event in writer.events { await self?.written(event) }
                await self?.answerAll()
            }
            return writer
        } catch {
            throw RecordingError(
                .resourcesExhausted, "\(error). Close files or threads, or raise the process's limits.")
        }
    }

    private func written(_ event: WriterEvent) {
        receive(.writer(event))
        guard case .finished(let number, let recording) = event else { return }
        for continuation in waiting.removeValue(forKey: number) ?? [] { continuation.resume(returning: recording) }
    }

    /// Nothing will be finished any more.
    private func answerAll() {
        let open = waiting
        waiting = [:]
        for continuation in open.values.joined() { continuation.resume(returning: last) }
    }

    // MARK: End

    func shutDown() {
        guard !isClosed else { return }
        isClosed = true
        receive(.stop)
        timer = nil
        if hasJoined {
            let id = ObjectIdentifier(self)
            session.assumeIsolated { $0.leave(id) }
        }
        hasJoined = false
        writer?.finish()
        writer = nil
        broadcaster.finish()
        listeners.finish()
    }
}
