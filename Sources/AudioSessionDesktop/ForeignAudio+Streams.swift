import AudioSessionCore
import AudioSessions
import DesktopBus
import PipeWireGraph

/// Players that play on after they were told to pause.
extension ForeignAudio {
    func allowTime(_ owner: String) {
        deadlines.append((time: MonotonicTime.now + ForeignPlayers.timeToObey, owner: owner))
        if deadlineTimer == nil {
            deadlineTimer = LoopTimer(on: executor) { [weak self] in self?.assumeIsolated { $0.passDeadlines() } }
        }
        if deadlines.count == 1 { deadlineTimer?.arm(after: ForeignPlayers.timeToObey) }
    }

    private func passDeadlines() {
        let now = MonotonicTime.now
        while let first = deadlines.first, first.time <= now {
            deadlines.removeFirst()
            receive(.timeOver(owner: first.owner))
        }
        if let first = deadlines.first { deadlineTimer?.arm(after: first.time.since(now)) }
    }

    /// For a hosted program the muter is there all the time, because it lowers its streams, too, and shows who hosts it.
    func watchStreams(_ isWatching: Bool) {
        isWatchingStreams = isWatching
        guard !scope.isHosted else { return hear(muter?.audible) }
        guard isWatching || muter != nil else { return }
        let muter = self.muter ?? makeMuter()
        self.muter = muter
        if isWatching { muter.begin() } else { muter.end() }
    }

    func makeMuter() -> StreamDucker {
        StreamDucker(
            remote: world.remote, connect: world.connect, on: executor, scope: scope, gain: TokenTraits.fullGain,
            tell: { [weak self] events, ducked in self?.assumeIsolated { $0.tell(events, ducked) } },
            hear: { [weak self] streams in self?.assumeIsolated { $0.hear(streams) } },
            changed: { [weak self] in self?.assumeIsolated { $0.finishIfIdle() } })
    }

    private func hear(_ streams: [ObjectID: StreamProcess?]?) {
        guard isWatchingStreams else { return }
        audible = streams
        guard let streams else {
            traces = [:]
            return receive(.streams(nil))
        }
        let processes = Set(streams.values.compactMap(\.self))
        traces = traces.filter { processes.contains($0.key) }
        let unknown = processes.filter { traces[$0] == nil }
        guard unknown.isEmpty else { return read(unknown) }
        receive(
            .streams(
                streams.sorted { $0.key < $1.key }.compactMap { id, process in
                    process.flatMap { traces[$0] }.map { ForeignPlayers.AudibleStream(id: id, program: $0) }
                }))
    }

    /// The programs behind streams are read elsewhere, because that may take time. What becomes audible meanwhile
    /// waits, so that a program whose streams come and go all the time delays no one for longer.
    private func read(_ processes: Set<StreamProcess>) {
        guard hearing == nil else { return }
        hearing = Task { [weak self, sandboxes] in
            let traces = await sandboxes.traces(of: processes)
            await self?.learn(traces)
        }
    }

    private func learn(_ found: [StreamProcess: ProgramTrace]) {
        hearing = nil
        guard !isClosed, isWatchingStreams, audible != nil else { return }
        traces.merge(found) { $1 }
        hear(audible)
    }
}
