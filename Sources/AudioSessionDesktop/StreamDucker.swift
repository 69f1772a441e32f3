import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// Ducks and mutes streams as `UnmanagedStreams` decides, over a PipeWire connection of its own.
///
/// The connection exists only while it is needed. The object must be made, used and released on the
/// loop's thread. When it is released, its connection closes, and the watchdog performs its last
/// orders, as it does when the process ends.
final class StreamDucker {
    typealias Connect = (
        LoopExecutor, @escaping (GraphEvent) -> Void, @escaping (String) -> Void
    ) throws -> any GraphConnection

    private let remote: String?
    private let connect: Connect
    private let executor: LoopExecutor
    private let gain: UInt16
    private let notify: ([UnmanagedAudioEvent], [UnmanagedStream]) -> Void
    private let audibleChanged: ([ObjectID: StreamProcess?]?) -> Void
    private let hostedChanged: (HostedStreams?) -> Void
    private let removed: (ObjectID) -> Void
    private(set) var audible: [ObjectID: StreamProcess?]?
    private var hosted: HostedStreams?
    private var machine: UnmanagedStreams
    /// The events that arrived while actions are performed; they are handled afterwards.
    private var pending: [UnmanagedStreams.Event] = []
    private var isReceiving = false
    private var connection: (any GraphConnection)?
    private let changed: () -> Void
    private let overruled: () -> Void
    private var announcedMark: (any AnnouncedObject)?
    /// The marks of the muted streams, by serial.
    private var mutingMarks: [String: any AnnouncedObject] = [:]
    private var watchdog: StreamWatchdog?
    private var orders = WatchdogOrders()
    private var orderTimer: LoopTimer?
    private var timer: LoopTimer?
    private var handoverTimer: LoopTimer?

    /// Makes a ducker that does nothing until ``begin()``.
    ///
    /// - Parameters:
    ///   - remote: The daemon's socket; `nil` for the one that the environment names.
    ///   - connect: Connects to the daemon.
    ///   - executor: The executor of the loop on whose thread the object is used.
    ///   - scope: The programs whose streams are ducked.
    ///   - gain: The gain of ducked streams in thousandths. With full gain no stream is ducked, and
    ///     only those of ``mute(_:)`` are muted.
    ///   - notify: Called with new events and all ducked streams.
    ///   - audibleChanged: Called when the set of audible streams changes. Streams that are muted
    ///     here count as audible. The argument is `nil` when the set is unknown.
    ///   - hostedChanged: Called when the streams that follow a session of this program change. The
    ///     argument is `nil` when they are unknown.
    ///   - removed: Called with each object that PipeWire has removed, if streams follow a session
    ///     of this program.
    ///   - changed: Called when ``isIdle`` may have changed.
    ///   - overruled: Called when the user changed a stream that follows a session of this program,
    ///     or started one again.
    init(
        remote: String?, connect: @escaping Connect, on executor: LoopExecutor, scope: UnmanagedScope, gain: UInt16,
        notify: @escaping ([UnmanagedAudioEvent], [UnmanagedStream]) -> Void = { _, _ in },
        audibleChanged: @escaping ([ObjectID: StreamProcess?]?) -> Void = { _ in },
        hostedChanged: @escaping (HostedStreams?) -> Void = { _ in },
        removed: @escaping (ObjectID) -> Void = { _ in },
        changed: @escaping () -> Void = {}, overruled: @escaping () -> Void = {}
    ) {
        machine = UnmanagedStreams(scope)
        self.changed = changed
        self.overruled = overruled
        self.remote = remote
        self.connect = connect
        self.executor = executor
        self.gain = gain
        self.notify = notify
        self.audibleChanged = audibleChanged
        self.hostedChanged = hostedChanged
        self.removed = removed
    }

    /// Sends the orders that wait, which the watchdog then performs.
    deinit { sendOrders() }

    func begin() {
        let name = Announcement.Kind.mark.deviceAPI + "." + String(UInt64.random(in: 0...(.max)), radix: 16)
        receive(.turnBegan(DuckingMark(name: name, gain: gain)))
    }

    /// Mutes these streams, and unmutes all others.
    func mute(_ streams: Set<ObjectID>) { receive(.mute(streams)) }

    /// Mutes all streams of the hosted program for a lost output, or no longer does so.
    func muteForLoss(_ mutes: Bool) { receive(.mutesForLoss(mutes)) }

    /// Mutes all streams that follow a session of this program, for another reason than a lost
    /// output, or no longer does so.
    func muteAll(_ mutes: Bool) { receive(.mutesAll(mutes)) }

    /// Ducks the streams that follow a session of this program to its gain, in thousandths.
    func duckHosted(to gain: UInt16) { receive(.hostedGain(gain)) }

    func end() { receive(.turnEnded) }

    /// Whether no stream is ducked or muted, and PipeWire has processed the last write.
    var isIdle: Bool { machine.isIdle }

    private func receive(_ event: UnmanagedStreams.Event) {
        pending.append(event)
        guard !isReceiving else { return }
        isReceiving = true
        while !pending.isEmpty { handle(pending.removeFirst()) }
        isReceiving = false
        changed()
        let hosted = machine.hosted
        if hosted != self.hosted {
            self.hosted = hosted
            hostedChanged(hosted)
        }
        let audible = machine.audible
        guard audible != self.audible else { return }
        self.audible = audible
        audibleChanged(audible)
    }

    private func handle(_ event: UnmanagedStreams.Event) {
        // The connection knows its client from the first barrier on.
        if case .graph(.barrier) = event { machine.client = connection?.identity.client }
        let actions = machine.receive(event)
        let events = actions.compactMap { if case .notify(let event) = $0 { event } else { nil } }
        if !events.isEmpty { notify(events, machine.ducked) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: UnmanagedStreams.Action) {
        switch action {
        case .open: open()
        case .close:
            announcedMark = nil
            mutingMarks = [:]
            connection = nil
        case .show(let mark): show(mark.announcement)
        case .showHosting(let mark): show(mark.announcement)
        case .identify(let processes):
            // These files are the kernel's own, so no program can block the read. There are at
            // most 16 for each process.
            let traces = processes.map { ($0, ProgramTrace($0)) }
            receive(.identified(Dictionary(uniqueKeysWithValues: traces)))
        case .showMuted(let serials): showMuted(serials)
        case .graph(let command): connection?.perform(command)
        case .restoreAtExit(let new):
            // A running watchdog receives the orders at once, so that a kill leaves nothing muted.
            perform(orders.receive(.changed(new, isUrgent: watchdog == nil && machine.isUrgent)))
        case .restoreByWatchdog:
            sendOrders()
            watchdog = nil
            orders = WatchdogOrders()
        case .wait(let isWaiting): wait(isWaiting)
        case .notify: break
        case .awaitOthers:
            if handoverTimer == nil {
                handoverTimer = LoopTimer(on: executor) { [weak self] in self?.receive(.othersRestored) }
            }
            handoverTimer?.arm(after: UnmanagedStreams.handover)
        case .reportRemoval(let id): removed(id)
        case .overruled: overruled()
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

    /// Publishes the mark. Without it, two programs that duck the same streams do not detect each
    /// other, and the first to end restores the streams too early.
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

    private func perform(_ actions: [WatchdogOrders.Action]) {
        for action in actions {
            switch action {
            case .send(let new): send(new)
            case .wait:
                if orderTimer == nil { orderTimer = LoopTimer(on: executor) { [weak self] in self?.sendOrders() } }
                if let orderTimer { orderTimer.arm(after: WatchdogOrders.delay) } else { sendOrders() }
            }
        }
    }

    /// Sends the orders that wait, if any.
    private func sendOrders() { perform(orders.receive(.timer)) }

    /// Sends orders to the watchdog, if the system has a process left for it.
    ///
    /// This thread waits for the start of the watchdog, mostly for some milliseconds, so that no
    /// stream stays ducked if the process ends right after a write. The gates of this process's own
    /// streams are closed on other threads. The only urgent write of this thread, the mute of a
    /// hosted program whose output may be lost, is sent before a watchdog is started.
    private func send(_ new: WatchdogOrders.Orders) {
        if watchdog == nil, !new.isEmpty { watchdog = StreamWatchdog(remote: remote) }
        watchdog?.restoreAtExit(new, mark: machine.mark?.name ?? "")
        if new.isEmpty { watchdog = nil }
    }

    /// Starts or stops the timer after which the connection to PipeWire is tried again.
    private func wait(_ isWaiting: Bool) {
        guard isWaiting else {
            timer?.disarm()
            return
        }
        if timer == nil { timer = LoopTimer(on: executor) { [weak self] in self?.receive(.timer) } }
        timer?.arm(after: .seconds(1))
    }
}
