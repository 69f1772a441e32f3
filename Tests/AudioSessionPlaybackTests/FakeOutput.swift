import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import Testing

/// A player on a fake machine, with an output that reads when the test says so.
final class PlayerStage: Sendable {
    enum Call: Sendable, Hashable {
        case opened(node: UInt32)
        case active(Bool)
        case gate(closed: Bool)
        case volume(Float)
        case name(String?)
    }

    let system: FakeAudioSystem
    let manager: AudioSessionManager
    let player: AudioPlayer
    private let outputs: Outputs

    /// What the output is told, in order.
    var calls: [Call] { outputs.calls.withLock(\.self) }
    var ring: FrameRing? { outputs.ring.withLock(\.self) }

    init(_ configuration: AudioPlayer.Configuration = .init()) async throws {
        let system = FakeAudioSystem(graph: Self.graph)
        let outputs = Outputs(system)
        self.system = system
        self.outputs = outputs
        manager = try await system.connect(.init(applicationName: "Stage"))
        player = AudioPlayer(
            manager: manager, configuration: configuration,
            in: PlayerEnvironment(
                isReady: { _ in outputs.isReady.withLock(\.self) },
                open: { (_, request, receive) throws(PlaybackError) in try outputs.open(request, receive) }))
    }

    func setReady(_ isReady: Bool) { outputs.isReady.withLock { $0 = isReady } }

    /// The next output cannot be made.
    func refuseOutput(_ error: PlaybackError) { outputs.refusal.withLock { $0 = error } }

    func properties() -> [String: String] { outputs.properties.withLock(\.self) }

    /// The real-time thread's next cycles: as many frames as the ring gives, up to `frames`.
    func hear(_ frames: Int) -> [Float] {
        outputs.cycles.withLock { $0 += 3 }
        guard let ring else { return [] }
        var buffer = [Float](repeating: 0, count: frames * ring.channels)
        var span = buffer.mutableSpan
        let count = ring.take(into: &span)
        return Array(buffer.prefix(count * ring.channels))
    }

    /// PipeWire says something about the output that is there.
    func say(_ status: PlaybackStream.Status) {
        outputs.statuses.withLock { $0.append(status) }
        system.advance(by: .zero)
    }

    /// Loads, plays and returns when the output runs.
    func start(_ paths: [String]) async throws {
        try await player.load(paths)
        try await player.play()
        try await untilActive()
    }

    /// Waits for the decoder, which has a thread of its own.
    func untilActive() async throws {
        await until { self.calls.last { if case .active = $0 { true } else { false } } == .active(true) }
        say(.init(state: .streaming, node: ObjectID(outputs.node.withLock(\.self))))
    }

    func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    /// A laptop: speaker and headphones on one card.
    private static var graph: AudioGraph {
        var graph = AudioGraph()
        func route(_ index: Int, _ name: String, _ type: String, _ priority: Int, _ available: Availability) -> DeviceRoute {
            DeviceRoute(
                index: index, direction: .output, name: name, description: name, priority: priority,
                availability: available, portType: type, availabilityGroup: nil, productName: nil, profiles: [0],
                devices: [0], device: index == 1 ? 0 : nil)
        }
        let routes = [
            route(0, "analog-output-speaker", "speaker", 100, .unknown),
            route(1, "analog-output-headphones", "headphones", 200, .yes),
        ]
        for event in [
            GraphEvent.deviceAppeared(
                ObjectID(40), [.deviceName: "alsa_card.pci", .deviceAPI: "alsa", .deviceBus: "pci"]),
            .deviceProperties(
                ObjectID(40), [.deviceName: "alsa_card.pci", .deviceAPI: "alsa", .deviceBus: "pci"]),
            .deviceRoutes(ObjectID(40), routes), .deviceActiveRoutes(ObjectID(40), [routes[1]]),
            .nodeAppeared(ObjectID(41), sink), .nodeProperties(ObjectID(41), sink),
            .defaultChanged(.output, "alsa_output.pci"),
        ] { graph.apply(event) }
        return graph
    }

    private static let sink: Properties = [
        .nodeName: "alsa_output.pci", .mediaClass: "Audio/Sink", .deviceID: "40", .cardProfileDevice: "0",
        .deviceAPI: "alsa",
    ]
}

/// The outputs that a stage's player opens, one at a time.
private final class Outputs: Sendable {
    let calls = Locked<[PlayerStage.Call]>([])
    let ring = Locked<FrameRing?>(nil)
    let node = Locked<UInt32>(100)
    let cycles = Locked<UInt64>(0)
    let properties = Locked<[String: String]>([:])
    let statuses = Locked<[PlaybackStream.Status]>([])
    let isReady = Locked(true)
    let refusal = Locked<PlaybackError?>(nil)
    private let system: FakeAudioSystem

    init(_ system: FakeAudioSystem) { self.system = system }

    func open(
        _ request: PlayerEnvironment.Request, _ receive: @escaping (PlaybackStream.Status) -> Void
    ) throws(PlaybackError) -> any PlaybackOutput {
        if let error = refusal.withLock({ refusal in
            defer { refusal = nil }
            return refusal
        }) {
            throw error
        }
        ring.withLock { $0 = request.ring }
        cycles.withLock { $0 = 0 }
        properties.withLock { $0 = Dictionary(request.properties) { _, last in last } }
        let node = node.withLock { node in
            node += 1
            return node
        }
        calls.withLock { $0.append(.opened(node: node)) }
        return Output(self, system, receive)
    }

    private final class Output: PlaybackOutput {
        let outputs: Outputs
        var timer: (any GraphTimer)?

        init(_ outputs: Outputs, _ system: FakeAudioSystem, _ receive: @escaping (PlaybackStream.Status) -> Void) {
            self.outputs = outputs
            timer = system.environment.makeTimer { [weak self] in
                self?.timer?.arm(after: .zero)
                let statuses = outputs.statuses.withLock { statuses in
                    defer { statuses = [] }
                    return statuses
                }
                if statuses.isEmpty { self?.timer?.arm(after: .milliseconds(1)) }
                for status in statuses { receive(status) }
            }
            timer?.arm(after: .zero)
        }

        func setActive(_ active: Bool) { outputs.calls.withLock { $0.append(.active(active)) } }
        func setGate(closed: Bool) { outputs.calls.withLock { $0.append(.gate(closed: closed)) } }
        func setVolume(_ volume: Float) { outputs.calls.withLock { $0.append(.volume(volume)) } }
        func setProperties(_ properties: [(String, String)]) {
            let properties = Dictionary(properties) { _, last in last }
            outputs.properties.withLock { $0.merge(properties) { _, new in new } }
            outputs.calls.withLock { $0.append(.name(properties["media.name"])) }
        }
        var report: PlaybackStream.Report {
            var report = PlaybackStream.Report()
            report.cycles = outputs.cycles.withLock(\.self)
            report.quantum = 1024
            report.graphRate = 48000
            return report
        }
    }
}
