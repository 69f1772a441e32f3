import AudioSessionCore
import AudioSessions
import DesktopBus
import PipeWireGraph

/// Mutes the streams of players that continue after *Pause*.
extension UnmanagedAudio {
    func allowTime(_ owner: String) {
        deadlines.append((time: MonotonicTime.now + UnmanagedPlayers.pauseTimeout, owner: owner))
        if deadlines.count == 1 { arm(.deadline, after: UnmanagedPlayers.pauseTimeout) }
    }

    func passDeadlines() {
        let now = MonotonicTime.now
        while let first = deadlines.first, first.time <= now {
            deadlines.removeFirst()
            receive(.timeOver(owner: first.owner))
        }
        if let first = deadlines.first { arm(.deadline, after: first.time.since(now)) }
    }

    /// Starts or stops reporting audible streams. A hosted program keeps its muter all the time,
    /// because the muter also ducks its streams and publishes its host.
    func watchStreams(_ isWatching: Bool) {
        isWatchingStreams = isWatching
        guard !scope.followsSession else { return audibleChanged(muter?.audible) }
        guard isWatching || muter != nil else { return }
        let muter = self.muter ?? makeMuter()
        self.muter = muter
        if isWatching { muter.begin() } else { muter.end() }
    }

    func makeMuter() -> StreamDucker {
        StreamDucker(
            remote: environment.remote, connect: environment.connect, on: executor, scope: scope,
            gain: TokenTraits.fullGain,
            notify: { [weak self] events, ducked in self?.assumeIsolated { $0.notify(events, ducked) } },
            audibleChanged: { [weak self] streams in self?.assumeIsolated { $0.audibleChanged(streams) } },
            hostedChanged: { [weak self] streams in self?.assumeIsolated { $0.follow(streams) } },
            removed: { [weak self] id in self?.assumeIsolated { $0.removed(id) } },
            changed: { [weak self] in self?.assumeIsolated { $0.finishIfIdle() } },
            overruled: { [weak self] in self?.assumeIsolated { $0.overrule() } })
    }

    private func audibleChanged(_ streams: [ObjectID: StreamProcess?]?) {
        guard isWatchingStreams else { return }
        audible = streams
        guard streams != nil else {
            traces = [:]
            return receive(.streams(nil))
        }
        let unknown = updateTraces()
        if unknown.isEmpty { reportStreams() } else { read(unknown) }
    }

    /// Removes the traces of processes without audible streams.
    ///
    /// - Returns: The processes with audible streams whose programs are unknown.
    private func updateTraces() -> Set<StreamProcess> {
        let streams: [ObjectID: StreamProcess?] = audible ?? [:]
        let processes = Set(streams.values.compactMap(\.self))
        traces = traces.filter { processes.contains($0.key) }
        return processes.filter { traces[$0] == nil }
    }

    /// Reports the audible streams whose programs are known.
    private func reportStreams() {
        let streams: [ObjectID: StreamProcess?] = audible ?? [:]
        receive(
            .streams(
                streams.sorted { $0.key < $1.key }.compactMap { id, process in
                    process.flatMap { traces[$0] }.map { UnmanagedPlayers.AudibleStream(id: id, program: $0) }
                }))
    }

    /// Reads the programs behind streams on another thread, because that may take time. Streams
    /// that become audible during a read wait for the next one.
    private func read(_ processes: Set<StreamProcess>) {
        guard traceTask == nil else { return }
        traceTask = Task { [weak self, sandboxes] in
            let traces = await sandboxes.traces(of: processes)
            await self?.learn(traces)
        }
    }

    /// Reports the streams that are known after a read, before the next read begins. A program that
    /// makes streams of new processes all the time therefore delays the others by no more than two
    /// reads.
    private func learn(_ found: [StreamProcess: ProgramTrace]) {
        traceTask = nil
        guard !isClosed, isWatchingStreams, audible != nil else { return }
        traces.merge(found) { $1 }
        let unknown = updateTraces()
        reportStreams()
        if !unknown.isEmpty, traceTask == nil { read(unknown) }
    }
}
