import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// An output on a fake computer with headphones in its jack, with a stream that reads at the test's
/// request.
final class OutputStage: Sendable {
    let system: FakeAudioSystem
    let manager: AudioSessionManager
    let session: AudioSession
    let output: AudioOutput
    let outputs: FakeOutputs
    let story = EventLog<AudioOutput.Event>()
    private let observation: EventObservation

    init(
        _ configuration: AudioOutput.Configuration = .init(
            format: .init(channelCount: 1), bufferDuration: .milliseconds(10)),
        session: AudioSession.Configuration = .init(.playback)
    ) async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let outputs = FakeOutputs(try #require(system.environment.executor as? InlineExecutor))
        self.system = system
        self.outputs = outputs
        manager = try await system.connect(.init(applicationName: "Stage"))
        self.session = try AudioSession(manager: manager, configuration: session)
        output = AudioOutput(
            self.session, configuration,
            in: PlayerEnvironment(
                isReady: { _ in outputs.isReady.withLock(\.self) },
                open: { (_, request, receive) throws(AudioSessionError) in try outputs.open(request, receive) }))
        observation = output.observe { [story] in story.append($0.timeless) }
    }

    var calls: [PlayerStage.Call] { outputs.calls.withLock(\.self) }

    /// The stream runs, linked to the headphones.
    func run() {
        let node = ObjectID(outputs.node.withLock(\.self))
        system.send(
            .linkAppeared(Link(id: ObjectID(node.rawValue + 1000), outputNode: node, inputNode: ObjectID(41))))
        outputs.notify(.init(state: .streaming, node: node))
    }

    func start() async throws {
        try await output.start()
        run()
    }

    /// The real-time thread's next cycle: as many frames as the ring has, up to `frames`.
    @discardableResult
    func runCycle(_ frames: Int) -> [Float] {
        outputs.cycles.withLock { $0 += 1 }
        guard let ring = outputs.ring.withLock(\.self), !outputs.isGateClosed.withLock(\.self) else { return [] }
        var buffer = [Float](repeating: 0, count: frames * ring.channels)
        var span = buffer.mutableSpan
        let count = ring.take(into: &span)
        return Array(buffer.prefix(count * ring.channels))
    }

    /// Lets the output check its ring.
    func tick() { system.advance(by: .seconds(1)) }

    func pullHeadphones() { system.setAvailable(false, route: FakeLaptop.headphones) }
}

func expectFailure(
    _ code: AudioSessionError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    let error = await #expect(throws: AudioSessionError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
