import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// Lowers or mutes streams as ``ForeignStreams`` decides, over a connection of its own, which exists only meanwhile. To be
/// made, used and dropped on the loop's thread.
///
/// When it is dropped its connection goes, and the watchdog puts back what it was told last, as it does when the process ends.
final class StreamDucker {
    typealias Connect = (
        LoopExecutor, @escaping (GraphEvent) -> Void, @escaping (String) -> Void
    ) throws -> any GraphConnection

    private let remote: String?
    private let connect: Connect
    private let executor: LoopExecutor
    private let gain: UInt16
    private let tell: ([ForeignAudioEvent], [ForeignStream]) -> Void
    private let hear: ([ObjectID: StreamProcess?]?) -> Void
    private(set) var audible: [ObjectID: StreamProcess?]?
    private var machine: ForeignStreams
    /// What happened while actions are performed; handled after them.
    private var pending: [ForeignStreams.Event] = []
    private var isReceiving = false
    private var connection: (any GraphConnection)?
    private let changed: () -> Void
    private var announcedMark: (any AnnouncedObject)?
    /// Of the streams that are muted, by serial.
    private var mutingMarks: [String: any AnnouncedObject] = [:]
    private var watchdog: StreamWatchdog?
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - remote: the daemon's socket; `nil` as the environment says.
    ///   - connect: connects to it.
    ///   - scope: whose streams.
    ///   - gain: what streams are lowered to; full: none is, unless ``mute(_:)`` names it.
    ///   - tell: what happened, and all that are lower now.
    ///   - hear: called when other streams can be heard than before, apart from what is muted here; with `nil` when that
    ///     is unknown.
    ///   - changed: called when ``isIdle`` may be another.
    init(
        remote: String?, connect: @escaping Connect, on executor: LoopExecutor, scope: ForeignScope, gain: UInt16,
        tell: @escaping ([ForeignAudioEvent], [ForeignStream]) -> Void = { _, _ in },
        hear: @escaping ([ObjectID: StreamProcess?]?) -> Void = { _ in },
        changed: @escaping () -> Void = {}
    ) {
        machine = ForeignStreams(scope)
        self.changed = changed
        self.remote = remote
        self.connect = connect
        self.executor = executor
        self.gain = gain
        self.tell = tell
        self.hear = hear
    }

    func begin() {
        let name = Announcement.Kind.mark.deviceAPI + "." + String(UInt64.random(in: 0...(.max)), radix: 16)
        receive(.turnBegan(DuckingMark(name: name, gain: gain)))
    }

    /// These are to be silent, instead of those before.
    func mute(_ streams: Set<ObjectID>) { receive(.mute(streams)) }

    /// The hosted program's streams are to be as loud as its session.
    func duckHosted(to gain: UInt16) { receive(.hostedGain(gain)) }

    func end() { receive(.turnEnded) }

    /// Whether nothing is lowered or muted, and PipeWire has taken note.
    var isIdle: Bool { machine.isIdle }

    private func receive(_ event: ForeignStreams.Event) {
        pending.append(event)
        guard !isReceiving else { return }
        isReceiving = true
        while !pending.isEmpty { handle(pending.removeFirst()) }
        isReceiving = false
        changed()
        let audible = machine.audible
        guard audible != self.audible else { return }
        self.audible = audible
        hear(audible)
    }

    private func handle(_ event: ForeignStreams.Event) {
        if case .graph(.barrier) = event { machine.client = connection?.identity.client }
        let actions = machine.receive(event)
        let events = actions.compactMap { if case .tell(let event) = $0 { event } else { nil } }
        if !events.isEmpty { tell(events, machine.lowered) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: ForeignStreams.Action) {
        switch action {
        case .open: open()
        case .close:
            announcedMark = nil
            mutingMarks = [:]
            connection = nil
        case .show(let mark): show(mark.announcement)
        case .showHosting(let mark): show(mark.announcement)
        case .identify(let processes):
            // The kernel's own files, which no program can hold up; at most 16 for each process.
            let traces = processes.map { ($0, ProgramTrace(process: $0.id)) }
            receive(.identified(Dictionary(uniqueKeysWithValues: traces)))
        case .showMuted(let serials): showMuted(serials)
        case .graph(let command): connection?.perform(command)
        case .entrust(let charges): entrust(charges)
        case .wait(let isWaiting): wait(isWaiting)
        case .tell: break
        }
    }

    private func open() {
        do {
            connection = try connect(
                executor, { [weak self] in self?.receive(.graph($0)) },
                { [weak self] in self?.receive(.failed("PipeWire: " + $0)) })
            try connection?.watch()
        } catch {
            receive(.failed("\(error)"))
        }
    }

    /// Without a mark two who lower the same streams know nothing of each other; one of them puts them back too early.
    private func show(_ announcement: Announcement) { announcedMark = try? connection?.announce(announcement) {} }

    private func showMuted(_ serials: Set<String>) {
        guard let name = machine.mark?.name else { return }
        mutingMarks = mutingMarks.filter { serials.contains($0.key) }
        for serial in serials where mutingMarks[serial] == nil {
            mutingMarks[serial] = try? connection?.announce(
                MutingMark(name: name, serial: serial).announcement
            ) {}
        }
    }

    private func entrust(_ charges: [ForeignStreams.Charge]) {
        if watchdog == nil, !charges.isEmpty { watchdog = StreamWatchdog(remote: remote) }
        watchdog?.entrust(charges, mark: machine.mark?.name ?? "")
        if charges.isEmpty { watchdog = nil }
    }

    /// Until PipeWire is asked for again.
    private func wait(_ isWaiting: Bool) {
        guard isWaiting else {
            timer?.disarm()
            return
        }
        if timer == nil { timer = LoopTimer(on: executor) { [weak self] in self?.receive(.timer) } }
        timer?.arm(after: .seconds(1))
    }
}
