import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// Lowers streams as ``ForeignStreams`` decides, over a connection of its own, which is there only meanwhile. To be made,
/// used and dropped on the loop's thread.
///
/// When it is dropped its connection goes, and the guard puts back what it was told last, as it does when the process ends.
final class StreamDucker {
    private let options: Connection.Options
    private let executor: LoopExecutor
    private let tell: ([ForeignAudioEvent], [ForeignStream]) -> Void
    private var machine = ForeignStreams()
    private var connection: (any GraphConnection)?
    private var token: (any GraphToken)?
    private var guardian: StreamGuard?
    private var timer: LoopTimer?

    /// - Parameter tell: what happened, and all that are lower now.
    init(
        _ options: Connection.Options, on executor: LoopExecutor,
        tell: @escaping ([ForeignAudioEvent], [ForeignStream]) -> Void
    ) {
        self.options = options
        self.executor = executor
        self.tell = tell
    }

    func begin() {
        let name = DuckingMark.deviceAPI + "." + String(UInt64.random(in: 0...(.max)), radix: 16)
        receive(.turnBegan(DuckingMark(name: name)))
    }

    func end() { receive(.turnEnded) }

    private func receive(_ event: ForeignStreams.Event) {
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
            token = nil
            connection = nil
        case .show(let mark): show(mark)
        case .graph(let command): connection?.perform(command)
        case .entrust(let charges): entrust(charges)
        case .wait(let isWaiting): wait(isWaiting)
        case .tell: break
        }
    }

    private func open() {
        do {
            var options = options
            options.interests = RegistryInterest.ofDuckers
            connection = try Connection(
                options, on: executor, receive: { [weak self] in self?.receive(.graph($0)) },
                failed: { [weak self] in self?.receive(.failed("PipeWire: " + $0)) })
            try connection?.watch()
        } catch {
            receive(.failed("\(error)"))
        }
    }

    /// Without a mark two who lower the same streams know nothing of each other; one of them puts them back too early.
    private func show(_ mark: DuckingMark) {
        token = try? connection?.makeToken(mark.properties) {}
    }

    private func entrust(_ charges: [ForeignStreams.Charge]) {
        if guardian == nil, !charges.isEmpty { guardian = StreamGuard(remote: options.remote) }
        guardian?.entrust(charges, mark: machine.mark?.name ?? "")
        if charges.isEmpty { guardian = nil }
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
