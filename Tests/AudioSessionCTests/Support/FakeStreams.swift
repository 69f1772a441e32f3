import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import CAudioSession
import PipeWireGraph
import Testing

@testable import AudioSessionC

/// A laptop with headphones and a microphone, whose streams play and capture what the test says.
struct StreamStage {
    let system: FakeAudioSystem
    let manager: OpaquePointer
    let streams = FakeStreams()

    init() async throws {
        system = try FakeLaptop.system(with: [.headphones, .microphone])
        #expect(HandlerQueue.thread.start())
        manager = Manager(try await system.connect(.init(applicationName: "Program")), calledBy: nil).handle()
    }

    func session(_ category: as_category = AS_CATEGORY_PLAYBACK) throws -> OpaquePointer {
        var (configuration, error, session) = (as_configuration.playback, as_error.new, nil as OpaquePointer?)
        configuration.category = category
        #expect(as_session_create(manager, &configuration, &session, &error) == AS_OK, "\(error.text)")
        return try #require(session)
    }

    /// An output with a ring of 480 frames of one channel.
    func output(_ session: OpaquePointer) throws -> OpaquePointer {
        Output(
            AudioOutput(
                try Handles.all.find(session, Session.self).session,
                .init(format: .init(channelCount: 1), bufferDuration: .milliseconds(10)), in: streams.player),
            calledBy: nil
        ).handle()
    }

    /// An input of one channel that keeps 100 frames.
    func input(_ session: OpaquePointer) throws -> OpaquePointer {
        Input(
            AudioInput(
                try Handles.all.find(session, Session.self).session,
                .init(format: .init(sampleRate: 1000, channelCount: 1)), in: streams.recorder),
            keeping: .milliseconds(100), calledBy: nil
        ).handle()
    }

    /// PipeWire makes the capturing stream's node, and the session manager links it.
    func linkMicrophone() {
        let node = ObjectID(100)
        let properties: Properties = [.nodeName: "stage", .mediaClass: MediaClass.captureStream.rawValue]
        system.send(
            .nodeProperties(node, properties),
            .linkAppeared(Link(id: ObjectID(1142), outputNode: ObjectID(42), inputNode: node)))
        notify(.init(state: .streaming, node: node))
    }

    /// The playing stream runs, linked to the headphones.
    func linkHeadphones() {
        let node = ObjectID(101)
        system.send(.linkAppeared(Link(id: ObjectID(1101), outputNode: node, inputNode: ObjectID(41))))
        notify(.init(state: .streaming, node: node))
    }

    private func notify(_ status: GraphStream.Status) {
        guard let executor = system.environment.executor as? InlineExecutor else { return }
        executor.run { streams.state.withLock(\.receive)?(status) }
    }

    /// The microphone captures these samples in one cycle.
    func capture(_ samples: [Float]) {
        _ = streams.state.withLock { $0.ring?.write(samples.span) }
        system.advance(by: .milliseconds(20))
    }

    /// The stream fails, although PipeWire is connected.
    func breakStream() { notify(.init(state: .error, message: "it is broken")) }

    func pullHeadphones() { system.setAvailable(false, route: FakeLaptop.headphones) }

    func close() { #expect(as_manager_close(manager) == AS_OK) }
}

/// The streams of a stage, one at a time.
final class FakeStreams: Sendable {
    struct State {
        var ring: FrameRing?
        var volume: Float?
        // Called on the stage's executor only.
        nonisolated(unsafe) var receive: ((GraphStream.Status) -> Void)?
    }

    let state = Locked(State())

    /// The frames that the real-time thread of an output takes.
    func take(_ frames: Int) -> [Float] {
        guard let ring = state.withLock(\.ring) else { return [] }
        var samples = [Float](repeating: 0, count: frames * ring.channels)
        var span = samples.mutableSpan
        let count = ring.take(into: &span)
        return Array(samples.prefix(count * ring.channels))
    }

    var player: PlayerEnvironment {
        PlayerEnvironment(
            isReady: { _ in true },
            open: { (_, request, receive) throws(AudioSessionError) in
                nonisolated(unsafe) let receive = receive
                self.state.withLock { $0 = State(ring: request.exchange.ring, receive: receive) }
                return Stream(self)
            })
    }

    var recorder: RecorderEnvironment {
        RecorderEnvironment(
            isReady: { _ in true },
            open: { (_, request, receive) throws(AudioSessionError) in
                nonisolated(unsafe) let receive = receive
                self.state.withLock { $0 = State(ring: request.exchange.ring, receive: receive) }
                return CapturingStream()
            })
    }

    private final class Stream: PlaybackOutput {
        let streams: FakeStreams

        init(_ streams: FakeStreams) { self.streams = streams }

        func setVolume(_ volume: Float) { streams.state.withLock { $0.volume = volume } }
        func setActive(_ active: Bool) {}
        func setGate(closed: Bool) {}
        func setGateTriggers(_ nodes: [ObjectID]) {}
        func setDuck(_ gain: Float) {}
        func setProperties(_ properties: [(String, String)]) {}
        var report: PlaybackStream.Report {
            var report = PlaybackStream.Report()
            (report.quantum, report.graphRate, report.delay) = (256, 48_000, .milliseconds(7))
            return report
        }
    }

    private final class CapturingStream: RecordingInput {
        func setGate(closed: Bool) {}
        func setMuted(_ isMuted: Bool) {}
        func setGateTriggers(_ nodes: [ObjectID]) {}
        func setProperties(_ properties: [(String, String)]) {}
        var report: CaptureStream.Report {
            var report = CaptureStream.Report()
            report.delay = .milliseconds(3)
            return report
        }
    }
}

/// Describes what the handler of a stream receives.
func describe(_ event: as_stream_event) -> String {
    switch event.type {
    case AS_STREAM_EVENT_STATE_CHANGED: "state \(event.state.rawValue) reason \(event.pause_reason.rawValue)"
    case AS_STREAM_EVENT_FAILED:
        "failed \(event.status.rawValue) \(event.message.map { String(cString: $0) } ?? "-")"
    case AS_STREAM_EVENT_BECAME_NOISY: "noisy \(String(cString: event.port.pointee.name))"
    case AS_STREAM_EVENT_ROUTE_CHANGED:
        "route \(outputName(event.previous_route)) -> \(outputName(event.current_route)), reason \(event.reason.rawValue)"
    case AS_STREAM_EVENT_UNDERRUN: "underrun \(event.frames)"
    case AS_STREAM_EVENT_INPUT_CHANGED: "input \(String(cString: event.port.pointee.name))"
    case AS_STREAM_EVENT_MICROPHONE_MUTED: "muted \(event.muter.rawValue)"
    case AS_STREAM_EVENT_FINISHED:
        "finished \(event.finish_reason.rawValue) frames \(event.frames) \(event.path.map { String(cString: $0) } ?? "-")"
    case AS_STREAM_EVENT_ITEM_CHANGED: "item \(event.item?.pointee.name.map { String(cString: $0) } ?? "-")"
    case AS_STREAM_EVENT_POSITION_CHANGED: "position \(event.position)"
    default: "event \(event.type.rawValue)"
    }
}

/// The handler of a stream that records each event. Its pointer is a `ReceivedLines`.
let tellStreamEvents: as_output_handler = { _, event, context in
    guard let event, let context else { return }
    Unmanaged<ReceivedLines>.fromOpaque(context).takeUnretainedValue().append(describe(event.pointee))
}

/// The name of a route's first output.
func outputName(_ route: OpaquePointer?) -> String {
    var port = as_port()
    port.size = UInt32(MemoryLayout<as_port>.size)
    guard as_route_port(route, AS_DIRECTION_OUTPUT, 0, &port) == AS_OK else { return "nothing" }
    return String(cString: port.name)
}

/// A struct of C that begins with its size.
func sized<Struct: BitwiseCopyable>(_ value: Struct) -> Struct {
    var value = value
    withUnsafeMutableBytes(of: &value) {
        $0.storeBytes(of: UInt32(MemoryLayout<Struct>.size), as: UInt32.self)
    }
    return value
}
