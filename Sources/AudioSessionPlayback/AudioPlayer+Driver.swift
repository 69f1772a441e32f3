import AudioSessions
import PipeWireGraph

/// The door between the player's state machine and the world: events go in here, actions are done here.
extension AudioPlayer {
    /// What may be read from anywhere.
    struct Snapshot: Sendable {
        var configuration: Configuration
        var state = State.stopped
        var queue: [Item] = []
        var current: Int?
        var place = PlaybackTimeline.Place(item: 0, frame: 0)
        /// With `ring`, tells the place from what was read.
        var timeline: PlaybackTimeline?
        var ring: FrameRing?
        var volume: Float = 1
        /// Of streams that are gone.
        var formerUnderruns = 0
        var route: RouteDescription
        /// The nodes of the stream that runs.
        var streams: Set<ObjectID> = []

        var item: Item? { current.flatMap { queue.indices.contains($0) ? queue[$0] : nil } }

        var underruns: Int { formerUnderruns + Int(ring?.underruns ?? 0) }

        var position: Duration {
            var place = place
            if let timeline, let ring { place = timeline.place(at: ring.read) ?? place }
            guard queue.indices.contains(place.item) else { return .zero }
            return Duration(frames: place.frame, rate: queue[place.item].format.sampleRate)
        }
    }

    /// Tells the machine, and does what it says. An action may cause an event at once; that one waits for its turn.
    func receive(_ event: PlayerEvent) {
        inbox.append(event)
        guard !isReceiving else { return }
        isReceiving = true
        while !inbox.isEmpty {
            let actions = machine.receive(inbox.removeFirst(), counters)
            publish()
            for action in actions { perform(action) }
        }
        isReceiving = false
    }

    private var counters: PlayerCounters {
        PlayerCounters(read: ring?.read ?? 0, cycles: stream?.report.cycles ?? 0)
    }

    private func publish() {
        snapshot.withLock { snapshot in
            snapshot.state = machine.state
            snapshot.queue = machine.queue
            snapshot.current = machine.current
            snapshot.place = machine.place
            snapshot.timeline = machine.isPlaced ? machine.timeline : nil
        }
    }

    private func perform(_ action: PlayerAction) {
        switch action {
        case .openStream(let item): openStream(item, Decoder.makeRing(for: item.format))
        case .renewStream(let item):
            dropStream()
            openStream(item, ring)
        case .releaseStream: dropStream()
        case .closeStream: closeStream()
        case .name(let item): stream?.setProperties(names(of: item))
        case .setActive(let isActive): stream?.setActive(isActive)
        case .setGate(let isClosed): stream?.setGate(closed: isClosed)
        case .setStreams(let streams): setStreams(streams)
        case .setQueue(let items): decoder?.post(.setQueue(items))
        case .decode(let place, let generation):
            if let ring { decoder?.post(.decode(place, ring, generation: generation)) }
        case .keepDecoding(let keeps): decoder?.post(.keepDecoding(keeps))
        case .endDecoding: decoder?.post(.end)
        case .wake(let wakeUp): wake(after: wakeUp)
        case .tell(let event):
            if case .routeChanged(let change) = event { snapshot.withLock { $0.route = change.current } }
            if case .stateChanged = event { session.assumeIsolated { $0.participantChanged(self) } }
            broadcaster.send(event)
        }
    }

    // MARK: Stream

    var linearVolume: Float {
        let volume = volume
        return volume * volume * volume
    }

    var isReady: Bool { environment.isReady(manager.sharedConnection) }

    private func openStream(_ item: Item, _ ring: FrameRing?) {
        do throws(PlaybackError) {
            guard let ring else {
                throw PlaybackError(.resourcesExhausted, "There is no memory for a second of sound.")
            }
            target = session.assumeIsolated { $0.target(.output) }
            let request = StreamRequest(
                ring: ring, rate: item.format.sampleRate, properties: properties(for: item))
            let receive: (PlaybackStream.Status) -> Void = { [weak self] status in
                self?.assumeIsolated { $0.streamChanged(status) }
            }
            let stream = try environment.open(manager.sharedConnection, request, receive)
            stream.setVolume(linearVolume)
            stream.setDuck(session.gain)
            stream.setGuard(guarded)
            self.stream = stream
            self.ring = ring
            snapshot.withLock { $0.ring = ring }
        } catch {
            inbox.append(.streamFailed(error))
        }
    }

    private func dropStream() {
        if var report = stream?.report {
            report.lastSoundTime = report.lastSoundTime ?? formerReport.lastSoundTime
            if report.gateTime == nil {
                (report.gateTime, report.gateEventTime) = (formerReport.gateTime, formerReport.gateEventTime)
            }
            formerReport = report
        }
        stream = nil
    }

    private func closeStream() {
        dropStream()
        snapshot.withLock { snapshot in
            snapshot.formerUnderruns = snapshot.underruns
            snapshot.ring = nil
        }
        ring = nil
    }

    private func streamChanged(_ status: PlaybackStream.Status) {
        switch status.state {
        case .streaming: receive(.streamRuns(status.node))
        case .paused: receive(.streamPaused(status.node))
        case .connecting: break
        case .unconnected, .error:
            let reason = status.message ?? "the server ended it"
            receive(.streamFailed(PlaybackError(.outputFailed, "The stream to PipeWire failed: \(reason).")))
        }
        if status.state != .error, let message = status.message {
            receive(
                .streamUnserved(
                    PlaybackError(
                        .noOutput,
                        "PipeWire has nothing to play to (\(message)). Connect an output; it plays on there.")))
        }
    }

    private func properties(for item: Item) -> [(String, String)] {
        var properties = showsRole ? [("media.role", configuration.role.rawValue)] : []
        properties += manager.streamNames(application: configuration.applicationName, node: configuration.nodeName)
        properties += session.assumeIsolated { $0.streamProperties(.output) }
        return properties + names(of: item)
    }

    /// Those whom other sessions lower or interrupt would be lowered twice by a session manager that goes by roles. The others'
    /// roles are how streams of programs without sessions are lowered there.
    private var showsRole: Bool {
        let use = session.configuration
        return use.ducksOthers || use.effectivePriority > .media
            || !manager.assumeIsolated { $0.sparesStreamsWithoutRole }
    }

    private func names(of item: Item) -> [(String, String)] {
        let title = item.title ?? item.fileName
        return [
            ("media.name", item.artist.map { "\($0) - \(title)" } ?? title), ("media.title", title),
            ("media.artist", item.artist ?? ""), ("media.filename", item.path),
        ]
    }

    // MARK: Time

    private func wake(after wakeUp: WakeUp?) {
        guard let wakeUp else {
            timer?.disarm()
            return
        }
        if timer == nil {
            timer = manager.environment.makeTimer { [weak self] in self?.assumeIsolated { $0.receive(.timer) } }
        }
        switch wakeUp {
        case .cycles: timer?.arm(after: cycleTime)
        case .time(let time): timer?.arm(after: time)
        // Frames are read a cycle at a time: looking sooner than the next one would find nothing new.
        case .frames(let frames, let rate):
            timer?.arm(after: max(Duration(frames: Int64(clamping: frames), rate: rate), cycleTime / 2))
        }
    }

    /// Of the graph that runs the stream.
    private var cycleTime: Duration {
        guard let report = stream?.report, report.graphRate > 0, report.quantum > 0 else { return .milliseconds(20) }
        return max(Duration(frames: Int64(report.quantum), rate: report.graphRate), .milliseconds(1))
    }

    /// What the real-time side of the stream that plays, or of the last one, did. Times outlive streams.
    public var statistics: Statistics {
        let report = stream?.report ?? formerReport
        let gate = report.gateTime == nil ? formerReport : report
        var statistics = Statistics()
        statistics.cycles = report.cycles
        statistics.quantum = report.quantum
        statistics.graphRate = report.graphRate
        statistics.latency = report.delay
        statistics.lastSoundTime = report.lastSoundTime ?? formerReport.lastSoundTime
        statistics.gateTime = gate.gateTime
        if let event = gate.gateEventTime { statistics.gateDelay = gate.gateTime?.since(event) }
        return statistics
    }

    // MARK: Decoder

    func startDecoder() throws(PlaybackError) -> Decoder {
        if let decoder { return decoder }
        do {
            let decoder = try Decoder()
            self.decoder = decoder
            Task { await decoder.run() }
            Task { [weak self] in
                for await event in decoder.events { await self?.receive(.decoder(event)) }
            }
            return decoder
        } catch {
            throw PlaybackError(
                .resourcesExhausted, "\(error). Close files or threads, or raise the process's limits.")
        }
    }

    // MARK: End

    func shutDown() {
        guard !isClosed else { return }
        isClosed = true
        receive(.close)
        timer = nil
        if let follower { manager.assumeIsolated { $0.unfollow(follower) } }
        if hasJoined {
            let id = ObjectIdentifier(self)
            session.assumeIsolated { $0.leave(id) }
        }
        decoder?.finish()
        decoder = nil
        broadcaster.finish()
    }
}
