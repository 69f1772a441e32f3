import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import PipeWireGraph

/// The outputs that a stage's player opens, one at a time.
final class FakeOutputs: Sendable {
    let calls = Locked<[PlayerStage.Call]>([])
    let ring = Locked<FrameRing?>(nil)
    let node = Locked<UInt32>(100)
    let cycles = Locked<UInt64>(0)
    let isGateClosed = Locked(false)
    /// The handler of the output that was opened last.
    let gateTriggers = Locked<[ObjectID]>([])
    let lastSoundTime = Locked<MonotonicTime?>(nil)
    let properties = Locked<[String: String]>([:])
    /// The timing that the real-time thread reads from the graph.
    let timing = Locked((quantum: 1024, rate: 48000, delay: Duration.zero))
    let isReady = Locked(true)
    let refusal = Locked<AudioSessionError?>(nil)
    private let executor: InlineExecutor
    private let current = Locked(Weak())

    private struct Weak {
        weak var output: Output?
    }

    init(_ executor: InlineExecutor) { self.executor = executor }

    /// Delivers a status of PipeWire to the current stream.
    func notify(_ status: PlaybackStream.Status) {
        executor.run { [self] in current.withLock(\.output)?.receive(status) }
    }

    func open(
        _ request: StreamRequest, _ receive: @escaping (PlaybackStream.Status) -> Void
    ) throws(AudioSessionError) -> any PlaybackOutput {
        if let error = refusal.withLock({ refusal in
            defer { refusal = nil }
            return refusal
        }) {
            throw error
        }
        ring.withLock { $0 = request.exchange.ring }
        cycles.withLock { $0 = 0 }
        isGateClosed.withLock { $0 = false }
        gateTriggers.withLock { $0 = [] }
        lastSoundTime.withLock { $0 = nil }
        properties.withLock { $0 = Dictionary(request.properties) { _, last in last } }
        let node = node.withLock { node in
            node += 1
            return node
        }
        calls.withLock { $0.append(.opened(node: node)) }
        let output = Output(self, receive)
        current.withLock { $0.output = output }
        return output
    }

    private final class Output: PlaybackOutput {
        let outputs: FakeOutputs
        let receive: (PlaybackStream.Status) -> Void

        init(_ outputs: FakeOutputs, _ receive: @escaping (PlaybackStream.Status) -> Void) {
            self.outputs = outputs
            self.receive = receive
        }

        func setActive(_ active: Bool) { outputs.calls.withLock { $0.append(.active(active)) } }
        func setGateTriggers(_ nodes: [ObjectID]) { outputs.gateTriggers.withLock { $0 = nodes } }
        func setGate(closed: Bool) {
            outputs.isGateClosed.withLock { $0 = closed }
            outputs.calls.withLock { $0.append(.gate(closed: closed)) }
        }
        func setVolume(_ volume: Float) { outputs.calls.withLock { $0.append(.volume(volume)) } }
        func setDuck(_ gain: Float) { outputs.calls.withLock { $0.append(.duck(gain)) } }
        func setProperties(_ properties: [(String, String)]) {
            let properties = Dictionary(properties) { _, last in last }
            outputs.properties.withLock { $0.merge(properties) { _, new in new } }
            outputs.calls.withLock { $0.append(.name(properties["media.name"])) }
        }
        var report: PlaybackStream.Report {
            var report = PlaybackStream.Report()
            report.cycles = outputs.cycles.withLock(\.self)
            report.lastSoundTime = outputs.lastSoundTime.withLock(\.self)
            (report.quantum, report.graphRate, report.delay) = outputs.timing.withLock(\.self)
            return report
        }
    }
}
