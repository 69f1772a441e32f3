package import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// This extension executes the actions of ``PlayerStateMachine``.
extension AudioPlayer: PlaybackParticipant {
    /// The values that can be read from any thread.
    package struct Snapshot: Sendable {
        package var state = State.stopped
        package var queue: [Item] = []
        package var current: Int?
        var queuePosition = PlaybackTimeline.Position(item: 0, frame: 0)
        /// The map from frames of `ring` to positions in the queue.
        var timeline: PlaybackTimeline?
        var ring: FrameRing?
        package var volume: Float = 1
        /// The underruns of earlier streams.
        var formerUnderruns = 0
        /// The last route that the manager reported; `nil` before the first one.
        var route: RouteDescription?
        /// The facts that the player reports to its session.
        var facts = ParticipantFacts()

        package var item: Item? { current.flatMap { queue.indices.contains($0) ? queue[$0] : nil } }

        package var underruns: Int { formerUnderruns + Int(ring?.underruns ?? 0) }

        package var position: Duration {
            var queuePosition = queuePosition
            if let timeline, let ring { queuePosition = timeline.position(at: ring.read) ?? queuePosition }
            guard queue.indices.contains(queuePosition.item) else { return .zero }
            return Duration(frames: queuePosition.frame, rate: queue[queuePosition.item].format.sampleRate)
        }
    }

    /// The player's values at one moment, for callers that read several.
    package nonisolated var values: Snapshot { snapshot.withLock(\.self) }
    package nonisolated var facts: ParticipantFacts { snapshot.withLock(\.facts) }
    package nonisolated var role: Role { configuration.role }

    package nonisolated func noteRoute(_ route: RouteDescription) { snapshot.withLock { $0.route = route } }

    package var counters: PlayerCounters {
        PlayerCounters(
            read: ring?.read ?? 0, cycles: stream?.report.cycles ?? 0, now: manager.environment.now())
    }

    package func publish() {
        let machine = machine
        snapshot.withLock { snapshot in
            snapshot.state = machine.state
            snapshot.queue = machine.queue
            snapshot.current = machine.current
            snapshot.queuePosition = machine.position
            snapshot.timeline = machine.isTimelineValid ? machine.timeline : nil
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
        case .setQueue(let items):
            decoder?.post(.setQueue(items, first: firstFile))
            queueChanges.send(items.count)
        case .setRepetitions(let count): decoder?.post(.setRepetitions(count))
        case .decode(let position, let generation):
            if let ring { decoder?.post(.decode(position, ring, generation: generation)) }
        case .keepDecoding(let keeps): decoder?.post(.keepDecoding(keeps))
        case .endDecoding: decoder?.post(.end)
        case .wake(let wakeUp): armTimer(after: wakeUp.map(duration))
        case .activate(let activation): Task { await activate(activation) }
        case .notify(let event):
            if case .routeChanged(let change) = event { noteRoute(change.current) }
            broadcaster.send(event)
        case .send: break
        }
    }

    // MARK: Stream

    private func openStream(_ item: Item, _ ring: FrameRing?) {
        do throws(AudioSessionError) {
            guard let ring else {
                throw AudioSessionError(
                    .resourcesExhausted, "There is no memory for a second of sound. Free some, then play again.")
            }
            try openPlayback(
                .ring(ring), rate: item.format.sampleRate,
                properties: names(of: item)
                    + manager.streamNames(application: configuration.applicationName, node: configuration.nodeName))
            self.ring = ring
            snapshot.withLock { $0.ring = ring }
        } catch {
            handle(.streamFailed(error))
        }
    }

    private func closeStream() {
        releaseStream()
        snapshot.withLock { snapshot in
            snapshot.formerUnderruns = snapshot.underruns
            snapshot.ring = nil
        }
        ring = nil
    }

    private func names(of item: Item) -> [(String, String)] {
        let title = item.title ?? configuration.nameOfUntitledFiles ?? item.fileName
        return [
            ("media.name", item.artist.map { "\($0) - \(title)" } ?? title), ("media.title", title),
            ("media.artist", item.artist ?? ""), ("media.filename", item.path),
        ]
    }

    /// The activity of the current stream's real-time thread, or of the last one's. Times outlive
    /// streams.
    public var statistics: Statistics { streamStatistics }

    // MARK: Decoder

    func startDecoder() throws(AudioSessionError) {
        guard decoder == nil else { return }
        do {
            let decoder = try Decoder()
            decoder.post(.setRepetitions(machine.repetitions))
            self.decoder = decoder
            // Both begin on the manager's thread, because callers that block may occupy the last
            // thread of Swift's pool.
            let executor = manager.environment.taskExecutor
            Task(executorPreference: executor) { await decoder.run() }
            Task(executorPreference: executor) { [weak self] in
                for await event in decoder.events { await self?.handle(.decoder(event)) }
            }
        } catch {
            throw .noThread(of: "player", error)
        }
    }

    /// Returns an actor whose thread ends with the calls that use it, because files are seldom
    /// loaded.
    func startInspector() throws(AudioSessionError) -> SoundFileInspector {
        if let inspector { return inspector }
        do {
            let new = try SoundFileInspector()
            inspector = new
            return new
        } catch {
            throw .noThread(of: "player", error)
        }
    }

    package func finish() {
        decoder?.finish()
        decoder = nil
        firstFile = nil
        broadcaster.finish()
        queueChanges.finish()
    }
}
