package import AudioSessionCore
package import AudioSessions
package import PipeWireGraph

extension PlayerStateMachine: StreamStateMachine {
    package typealias Stream = any PlaybackOutput
}

/// This extension executes the actions of ``PlayerStateMachine``.
extension AudioPlayer: StreamParticipant {
    /// The values that can be read from any thread.
    struct Snapshot: Sendable {
        var configuration: Configuration
        var state = State.stopped
        var queue: [Item] = []
        var current: Int?
        var place = PlaybackTimeline.Place(item: 0, frame: 0)
        /// The map from frames of `ring` to places in the queue.
        var timeline: PlaybackTimeline?
        var ring: FrameRing?
        var volume: Float = 1
        /// The underruns of earlier streams.
        var formerUnderruns = 0
        var route: RouteDescription
        /// The facts that the player reports to its session.
        var facts = ParticipantFacts()

        var item: Item? { current.flatMap { queue.indices.contains($0) ? queue[$0] : nil } }

        var underruns: Int { formerUnderruns + Int(ring?.underruns ?? 0) }

        var position: Duration {
            var place = place
            if let timeline, let ring { place = timeline.place(at: ring.read) ?? place }
            guard queue.indices.contains(place.item) else { return .zero }
            return Duration(frames: place.frame, rate: queue[place.item].format.sampleRate)
        }
    }

    package static var direction: PortDirection { .output }

    package var counters: PlayerCounters {
        PlayerCounters(read: ring?.read ?? 0, cycles: stream?.report.cycles ?? 0)
    }

    package func publish() {
        let machine = machine
        snapshot.withLock { snapshot in
            snapshot.state = machine.state
            snapshot.queue = machine.queue
            snapshot.current = machine.current
            snapshot.place = machine.place
            snapshot.timeline = machine.isPlaced ? machine.timeline : nil
            snapshot.facts = machine.facts
        }
    }

    package func perform(_ action: PlayerAction) {
        switch action {
        case .openStream(let item): openStream(item, Decoder.makeRing(for: item.format))
        case .renewStream(let item):
            releaseStream()
            openStream(item, ring)
        case .releaseStream: releaseStream()
        case .closeStream: closeStream()
        case .name(let item): stream?.setProperties(names(of: item))
        case .setActive(let isActive): stream?.setActive(isActive)
        case .setGate(let isClosed): stream?.setGate(closed: isClosed)
        case .setQueue(let items): decoder?.post(.setQueue(items))
        case .decode(let place, let generation):
            if let ring { decoder?.post(.decode(place, ring, generation: generation)) }
        case .keepDecoding(let keeps): decoder?.post(.keepDecoding(keeps))
        case .endDecoding: decoder?.post(.end)
        case .wake(let wakeUp): armTimer(after: wakeUp.map(duration))
        case .activate(let activation): Task { await activate(activation) }
        case .tell(let event):
            if case .routeChanged(let change) = event { snapshot.withLock { $0.route = change.current } }
            broadcaster.send(event)
        case .send: break
        }
    }

    // MARK: Stream

    var linearVolume: Float {
        let volume = volume
        return volume * volume * volume
    }

    private func openStream(_ item: Item, _ ring: FrameRing?) {
        do throws(PlaybackError) {
            guard let ring else {
                throw PlaybackError(
                    .resourcesExhausted, "There is no memory for a second of sound. Free some, then play again.")
            }
            try openStream(.ring(ring), rate: item.format.sampleRate) { sparesStreamsWithoutRole in
                properties(of: item, showsRole: outranksOthers || !sparesStreamsWithoutRole)
            }
            stream?.setVolume(linearVolume)
            stream?.setDuck(session.gain)
            stream?.setGateTriggers(gateTriggers)
            self.ring = ring
            snapshot.withLock { $0.ring = ring }
        } catch {
            handle(.streamFailed(error))
        }
    }

    private func releaseStream() {
        if var report = stream?.report {
            report.lastSoundTime = report.lastSoundTime ?? formerReport.lastSoundTime
            if report.gateTime == nil {
                (report.gateTime, report.gateEventTime) = (formerReport.gateTime, formerReport.gateEventTime)
            }
            formerReport = report
        }
        dropStream()
    }

    private func closeStream() {
        releaseStream()
        snapshot.withLock { snapshot in
            snapshot.formerUnderruns = snapshot.underruns
            snapshot.ring = nil
        }
        ring = nil
    }

    package func streamChanged(_ status: GraphStream.Status) {
        switch status.state {
        case .streaming: handle(.streamRuns(status.node))
        case .paused: handle(.streamPaused(status.node))
        case .connecting: break
        case .unconnected, .error:
            let reason = status.message ?? "the server ended the stream"
            handle(.streamFailed(PlaybackError(.outputFailed, "The stream to PipeWire failed: \(reason).")))
        }
        if status.state != .error, let message = status.message {
            handle(
                .streamUnserved(
                    PlaybackError(
                        .noOutput,
                        "PipeWire has no output (\(message)). Connect one; the player continues there.")))
        }
    }

    private func properties(of item: Item, showsRole: Bool) -> [(String, String)] {
        let role = showsRole ? [("media.role", configuration.role.rawValue)] : []
        return role + names(of: item)
            + manager.streamNames(application: configuration.applicationName, node: configuration.nodeName)
    }

    /// Whether the session ducks or outranks others. Otherwise other sessions duck or interrupt it,
    /// and a session manager that ducks by roles would duck its streams twice.
    private var outranksOthers: Bool {
        let use = session.configuration
        return use.ducksOthers || use.effectivePriority > .media
    }

    private func names(of item: Item) -> [(String, String)] {
        let title = item.title ?? item.fileName
        return [
            ("media.name", item.artist.map { "\($0) - \(title)" } ?? title), ("media.title", title),
            ("media.artist", item.artist ?? ""), ("media.filename", item.path),
        ]
    }

    // MARK: Time

    private func duration(of wakeUp: WakeUp) -> Duration {
        switch wakeUp {
        case .cycles: cycleTime
        case .time(let time): time
        // Frames are read one cycle at a time, so nothing changes before the next cycle.
        case .frames(let frames, let rate):
            max(Duration(frames: Int64(clamping: frames), rate: rate), cycleTime / 2)
        }
    }

    /// The duration of a cycle of the graph that runs the stream.
    private var cycleTime: Duration {
        guard let report = stream?.report, report.graphRate > 0, report.quantum > 0 else { return .milliseconds(20) }
        return max(Duration(frames: Int64(report.quantum), rate: report.graphRate), .milliseconds(1))
    }

    package var streamTiming: ParticipantTiming {
        guard machine.state == .playing, let report = stream?.report else { return ParticipantTiming() }
        return ParticipantTiming(
            output: StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay))
    }

    /// The activity of the current stream's real-time thread, or of the last one's. Times are kept
    /// from earlier streams.
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
                for await event in decoder.events { await self?.handle(.decoder(event)) }
            }
            return decoder
        } catch {
            throw PlaybackError(
                .resourcesExhausted, "\(error). Close files or threads, or raise the process's limits.")
        }
    }

    package func finish() {
        decoder?.finish()
        decoder = nil
        broadcaster.finish()
    }
}
