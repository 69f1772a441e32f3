import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import TestSupport
import Testing

@testable import PipeWireGraph

private let ringSeconds = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_RING"].flatMap { Int($0) }
private let soakRuns = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_OUTPUT"].flatMap { Int($0) } ?? 3

/// Outputs and inputs on a real graph: sinks receive what was rendered, and nothing else.
@Suite(.live, .serialized, .timeLimit(.minutes(10 + soakRuns / 10 + (ringSeconds ?? 0) / 30)))
struct OutputLiveTests {
    fileprivate static let analog = "alsa_output.pci-virtual_0.analog-stereo"
    private static let usb = "alsa_output.usb-Virtual_USB_Headset_0-00.analog-stereo"

    /// A computer with a tap at each sink, and a session.
    fileprivate struct Scene {
        let pipeWire: PrivatePipeWire
        let cards: [VirtualCard]
        let manager: AudioSessionManager
        let session: AudioSession
        let log = EventLog<AudioOutput.Event>()

        static func with(
            _ descriptions: VirtualCardDescription..., configuration: AudioSession.Configuration = .init(.playback),
            quantum: Int? = nil, _ body: (Scene) async throws -> Void
        ) async throws {
            var options = PrivatePipeWire.Options()
            options.quantum = quantum
            let pipeWire = try await PrivatePipeWire(options)
            do {
                var cards: [VirtualCard] = []
                for description in descriptions {
                    cards.append(try await VirtualCard(description, remote: pipeWire.remote))
                }
                let manager = try await AudioSessionManager.connect(
                    .init(remote: pipeWire.remote, applicationName: "Engine"))
                let session = try AudioSession(manager: manager, configuration: configuration)
                try await body(Scene(pipeWire: pipeWire, cards: cards, manager: manager, session: session))
                await manager.close()
                for card in cards { await card.close() }
            } catch {
                await pipeWire.stop()
                throw error
            }
            await pipeWire.stop()
        }

        func tap(_ sink: String, threshold: Float = 0.001) async throws -> SinkTap {
            try await SinkTap(sink: sink, remote: pipeWire.remote, threshold: threshold)
        }

        func other(_ configuration: AudioSession.Configuration) async throws -> AudioSession {
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Other"))
            return try AudioSession(manager: manager, configuration: configuration)
        }
    }

    /// Renders 0.25 in all channels. It is a function of Swift without a context, at the test's own
    /// risk.
    private static let constant = AudioOutput.RenderCallback({ _, samples, frames, channels, _, _ in
        for index in 0..<Int(frames * channels) { samples[index] = 0.25 }
    })

    @Test(arguments: [nil, 128, 1024]) func aSinkReceivesWhatACallbackRenders(quantum: Int?) async throws {
        try await Scene.with(.builtIn(), quantum: quantum) { scene in
            let tap = try await scene.tap(Self.analog)
            let output = AudioOutput(session: scene.session, render: Self.constant)
            #expect(output.format == .init(sampleRate: 48_000, channelCount: 2))
            try await output.start()
            try await tap.waitUntilLoud()
            let report = try await tap.waitUntilHeard(frames: 48_000)
            #expect(report.peak == 0.25)
            #expect(output.position > 0)
            let statistics = await output.statistics
            #expect(statistics.graphRate == 48_000 && statistics.quantum > 0)
            if let quantum { #expect(statistics.quantum == quantum) }
            #expect(await output.latency == statistics.latency, "nothing waits in a ring")
            await output.stop()
            await tap.close()
        }
    }

    /// Each frame encodes its number, so that a missing, doubled or changed one is found.
    ///
    /// The computer can delay even a real-time thread. A late output adds whole cycles of silence,
    /// and a late recorder loses whole cycles, so only that is tolerated.
    @Test func aSinkReceivesEachWrittenFrameOnce() async throws {
        try await Scene.with(.builtIn()) { scene in
            let output = AudioOutput(session: scene.session, configuration: .init(bufferDuration: .seconds(1)))
            let recorder = try await SinkRecorder(sink: Self.analog, remote: scene.pipeWire.remote)
            try await output.start()
            try await output.write(counting(1..<32_001))
            try await output.drain()
            // Any cycle may be lost, also the one with this frame, but not all of the last ones.
            let heard = try await recorder.samples(until: 24_000)
            // The first cycle ramps up from silence, as it does when a gate opens.
            let start = try #require(heard.firstIndex { $0 >= Float(4_097) / 4_194_304 })
            let end = try #require(heard.lastIndex { $0 >= Float(24_000) / 4_194_304 })
            let numbers = heard[start...end].map { Int($0 * 4_194_304) }
            #expect(numbers.map { Float($0) / 4_194_304 } == Array(heard[start...end]))
            let cycle = await output.statistics.quantum
            #expect(numbers.count { $0 == 0 }.isMultiple(of: cycle))
            let sounding = numbers.filter { $0 != 0 }
            let lost = zip(sounding, sounding.dropFirst()).map { $1 - $0 - 1 }
            #expect(lost.allSatisfy { $0 >= 0 && $0.isMultiple(of: cycle) }, "\(lost.filter { $0 != 0 })")
            #expect(output.missingFrameCount == 0)
            await output.close()
            await recorder.close()
        }
    }

    /// `Scripts/soak output` removes the sink more often.
    @Test(arguments: [1024, 128]) func nothingIsHeardElsewhereWhenTheSinkIsRemoved(quantum: Int) async throws {
        try await Scene.with(.builtIn(), .usb(), quantum: quantum) { scene in
            let (speaker, headset) = (try await scene.tap(Self.analog), try await scene.tap(Self.usb))
            let output = AudioOutput(session: scene.session, render: Self.constant)
            let observation = output.observe { [log = scene.log] in log.append($0.timeless) }
            try await output.start()
            try await headset.waitUntilLoud()
            var (leaked, delays): (UInt64, [Duration]) = (0, [])
            for _ in 0..<soakRuns {
                await speaker.reset()
                scene.log.clear()
                _ = try await scene.cards[1].remove()
                try await scene.log.wait(for: "the other route") { $0.routes.contains { $0.isOn(.builtInSpeaker) } }
                #expect(output.state == .paused(reason: .routeLost))
                let heard = await speaker.report.frames
                leaked += try await speaker.waitUntilHeard(frames: heard + 4_800).loudFrames
                delays.append(try #require(await output.statistics.gateDelay))
                // It plays there if the program requests it, and follows the headset when that is
                // back.
                try await output.start()
                try await speaker.waitUntilLoud()
                scene.log.clear()
                try await scene.cards[1].add()
                try await scene.log.wait(for: "the headset") { $0.routes.contains { $0.isOn(.usbAudio) } }
                await headset.reset()
                try await headset.waitUntilLoud()
                // A device that is removed within half a second of its return counts as a contact
                // that bounces.
                try await headset.waitUntilHeard(frames: 28_800)
            }
            #expect(leaked == 0)
            delays.sort()
            let (median, most) = (delays[delays.count / 2], delays[delays.count - 1])
            print(
                "output: quantum \(quantum), \(delays.count) removals: \(leaked) frames elsewhere; from PipeWire's "
                    + "callback to the gate \(median / .microseconds(1)) us (median), \(most / .microseconds(1)) us (maximum)"
            )
            withExtendedLifetime(observation) {}
            await output.close()
            await speaker.close()
            await headset.close()
        }
    }

    /// A job that runs within a callback of PipeWire destroys no stream: that waits for the next
    /// jobs. The real-time thread calls the program's callback until then.
    @Test func theEndOfStreamsIsAfterTheLastCallOfACallback() async throws {
        try await Scene.with(.builtIn()) { scene in
            let tap = try await scene.tap(Self.analog)
            let output = AudioOutput(session: scene.session, render: Self.constant)
            try await output.start()
            try await tap.waitUntilLoud()
            let executor = try #require(scene.manager.environment.executor as? LoopExecutor)
            let (hasBegun, isClosed, isEnded) = (Locked(false), Locked(false), Locked(false))
            let found = Locked<String?>(nil)
            let callback = LoopCallback(executor)
            await callback.run {
                hasBegun.withLock { $0 = true }
                let deadline = ContinuousClock.now + .seconds(30)
                while !isClosed.withLock(\.self), .now < deadline { executor.runJobs() }
                let position = output.position
                while output.position < position + 4_800, .now < deadline {}
                let result =
                    ContinuousClock.now < deadline ? "called, ended \(isEnded.withLock(\.self))" : "not called"
                found.withLock { $0 = result }
            }
            try await waitUntil("the callback") { hasBegun.withLock(\.self) }
            await output.close(isClosed, isEnded)
            let position = output.position
            #expect(found.withLock(\.self) == "called, ended false")
            try await tap.waitUntilHeard(frames: await tap.report.frames + 9_600)
            #expect(output.position == position)
            await tap.close()
        }
    }

    @Test func anInterruptedOutputResumes() async throws {
        try await Scene.with(.builtIn()) { scene in
            let tap = try await scene.tap(Self.analog)
            let output = AudioOutput(session: scene.session, render: Self.constant)
            let observation = output.observe { [log = scene.log] in log.append($0.timeless) }
            try await output.start()
            try await tap.waitUntilLoud()
            let call = try await scene.other(.init(.playAndRecord, mode: .voiceChat, group: "Phone"))
            try await call.activate()
            try await scene.log.wait(for: "the interruption") { $0.states.last == .paused(reason: .interrupted) }
            // Frames that were on their way when the gate closed.
            await tap.reset()
            try await tap.waitUntilHeard(frames: 9_600)
            await tap.reset()
            #expect(try await tap.waitUntilHeard(frames: 24_000).loudFrames == 0)
            try await call.deactivate()
            try await scene.log.wait(for: "resuming") { $0.states.last == .playing }
            try await tap.waitUntilLoud()
            await call.manager.close()
            withExtendedLifetime(observation) {}
            await tap.close()
        }
    }

    @Test func afterARestartOfPipeWireItPlaysAgain() async throws {
        try await Scene.with(.builtIn()) { scene in
            let output = AudioOutput(session: scene.session, render: Self.constant)
            let delivered = EventLog<AudioSessionManager.Event>()
            let observation = scene.manager.observe { delivered.append($0.timeless) }
            try await output.start()
            await scene.pipeWire.killDaemon()
            try await delivered.wait(for: "the loss") { $0.contains(.mediaServicesLost(at: .never)) }
            #expect(output.state == .paused(reason: .mediaServicesLost))
            try await scene.pipeWire.startDaemon()
            try await delivered.wait(for: "the reset") { $0.contains(.mediaServicesReset(at: .never)) }
            try await scene.cards[0].reconnect()
            try await delivered.wait(for: "the speaker") { [manager = scene.manager] _ in
                manager.currentRoute.outputs.contains { $0.type == .builtInSpeaker }
            }
            let tap = try await scene.tap(Self.analog)
            try await output.start()
            try await tap.waitUntilLoud()
            withExtendedLifetime(observation) {}
            await tap.close()
        }
    }

    /// A soak, because a kernel that is not preemptible can delay even a real-time thread by more
    /// than a cycle. The sink is then silent with no frame missing.
    @Test(.enabled(if: ringSeconds != nil, "run by Scripts/soak ring"))
    func missingFramesAreReportedBesideBusyLoops() async throws {
        let seconds = try #require(ringSeconds)
        try await Scene.with(.builtIn(), quantum: 1024) { scene in
            // They end with PipeWire.
            for _ in 0..<2 {
                Task { [pipeWire = scene.pipeWire] in
                    _ = try? await pipeWire.run("/bin/sh", ["-c", "while :; do :; done"])
                }
            }
            let ring = Duration.seconds(4 * 1024) / 48_000
            let output = AudioOutput(
                session: scene.session,
                configuration: .init(format: .init(sampleRate: 48_000, channelCount: 2), bufferDuration: ring))
            let tap = try await scene.tap(Self.analog)
            try await output.start()
            let piece = [Float](repeating: 0.25, count: 2 * 1_024)
            for _ in 0..<seconds * 48_000 / 1_024 { try await output.write(piece) }
            try await output.drain()
            let missing = output.missingFrameCount
            let quantum = UInt64(await output.statistics.quantum)
            try await tap.waitUntilHeard(frames: await tap.report.frames + 4 * quantum)
            let report = await tap.report
            print(
                "ring: \(seconds) s beside two busy loops, \(report.loudFrames) frames heard, \(report.gapFrames) "
                    + "missing at the sink, \(missing) reported")
            let gaps = report.gapFrames
            #expect(gaps <= missing + quantum && missing <= gaps + quantum)
            #expect(report.loudFrames == UInt64(seconds * 48_000 / 1_024 * 1_024))
            await tap.close()
        }
    }

    /// The virtual card's microphone delivers a tone of 440 Hz at full scale.
    @Test func inACallAnInputCapturesAndAnOutputPlays() async throws {
        let configuration = AudioSession.Configuration(.playAndRecord, mode: .voiceChat)
        try await Scene.with(.builtIn(), configuration: configuration) { scene in
            let input = AudioInput(session: scene.session, configuration: .init(format: .init(channelCount: 1)))
            let output = AudioOutput(session: scene.session, configuration: .init(format: .init(channelCount: 1)))
            let tap = try await scene.tap(Self.analog)
            let buffers = input.buffers()
            try await input.start()
            try await output.start()
            var heard: [Float] = []
            for await buffer in buffers {
                #expect(buffer.firstFrame == Int64(heard.count))
                heard += buffer.samples
                try await output.write(buffer.samples)
                if heard.count >= 48_000 { break }
            }
            let second = Array(heard.suffix(24_000))
            let crossings = (1..<second.count).filter { second[$0 - 1] < 0 && second[$0] >= 0 }
            // Most periods are whole: a late input loses some cycles of the graph.
            let periods = zip(crossings, crossings.dropFirst()).map { $1 - $0 }.sorted()
            let period = try #require(periods.dropFirst(periods.count / 2).first)
            #expect((109...110).contains(period), "440 Hz are 109.1 frames, not \(period)")
            try await tap.waitUntilLoud()
            #expect(scene.session.currentRoute.inputs.map(\.type) == [.builtInMic])
            #expect(buffers.droppedCount == 0)
            #expect(await input.latency >= .zero)
            await input.close()
            await tap.close()
        }
    }

    @Test func anInputWithACallbackReportsTheFramesOfEachStart() async throws {
        try await Scene.with(.builtIn(), configuration: .init(.record)) { scene in
            let tape = Tape(seconds: 60)
            let input = AudioInput(
                session: scene.session, configuration: .init(format: .init(channelCount: 1)), receive: tape.callback)
            let log = EventLog<AudioInput.Event>()
            let observation = input.observe { log.append($0.timeless) }
            for count in 1...2 {
                try await input.start()
                try await waitUntil("sound") { await input.currentLevels[0].peakPower > -100 }
                await input.stop()
                try await log.wait(for: "the end") { $0.frameCounts.count == count }
            }
            withExtendedLifetime(observation) {}
            await input.close()
            await input.waitForEndOfStreams()
            let (counts, received) = (log.events.frameCounts, Int64(tape.samples.count))
            #expect(counts.allSatisfy { $0 > 0 })
            // A cycle may end after the event.
            #expect((0...2 * 8192).contains(received - counts.reduce(0, +)), "\(counts) of \(received)")
            tape.free()
        }
    }

    @Test func aLostMicrophoneIsFollowedByAnotherThatIsReportedFirst() async throws {
        try await Scene.with(.builtIn(), .usb(), configuration: .init(.record)) { scene in
            let input = AudioInput(session: scene.session)
            let log = EventLog<AudioInput.Event>()
            let observation = input.observe { log.append($0.timeless) }
            try await waitUntil("the headset is the default") {
                scene.manager.currentRoute.inputs.map(\.type) == [.usbAudio]
            }
            try await input.start()
            try await log.wait(for: "the headset") { $0.microphones.count == 1 }
            let port = try #require(log.events.microphones.first)
            _ = try await scene.cards[1].remove()
            try await log.wait(for: "the built-in microphone") { $0.microphones.count == 2 }
            #expect(log.events.contains(.microphoneLost(port)))
            #expect(log.events.microphones.last?.type == .builtInMic)
            let buffers = input.buffers()
            for await _ in buffers { break }
            #expect(input.state == .recording)
            withExtendedLifetime(observation) {}
            await input.close()
        }
    }
}

/// What an output counts, and what a sink receives. The sink misses whole cycles beside other live
/// suites, which the output cannot count.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10))) struct MissingFrameTests {
    /// The frames that the sink did not receive are those reported as missing, to within a cycle.
    @Test func missingFramesAreThoseThatTheSinkDidNotReceive() async throws {
        try await OutputLiveTests.Scene.with(.builtIn(), quantum: 1024) { scene in
            let output = AudioOutput(session: scene.session, configuration: .init(bufferDuration: .milliseconds(200)))
            let observation = output.observe { [log = scene.log] in log.append($0.timeless) }
            let tap = try await scene.tap(OutputLiveTests.analog)
            try await output.start()
            let piece = [Float](repeating: 0.25, count: 2 * 4_800)
            try await output.write(piece)
            try await tap.waitUntilLoud()
            try await waitUntil("a gap of a tenth of a second") { output.missingFrameCount > 4_800 }
            try await output.write(piece)
            try await output.drain()
            let missing = output.missingFrameCount
            let quantum = UInt64(await output.statistics.quantum)
            try await tap.waitUntilHeard(frames: await tap.report.frames + 4 * quantum)
            let silent = await tap.report.gapFrames
            #expect(
                silent <= missing + quantum && missing <= silent + quantum, "\(silent) silent, \(missing) missing")
            try await scene.log.wait(for: "the report of all of them") { events in
                events.reduce(0) { sum, event in
                    if case .underrun(let frames, _) = event { sum + frames } else { sum }
                } == Int(missing)
            }
            withExtendedLifetime(observation) {}
            await tap.close()
        }
    }
}

extension [AudioOutput.Event] {
    fileprivate var routes: [RouteDescription] {
        compactMap { if case .routeChanged(let change) = $0 { change.current } else { nil } }
    }

    /// A slow computer adds other events, such as underruns.
    fileprivate var states: [AudioOutput.State] {
        compactMap { if case .stateChanged(let state, _) = $0 { state } else { nil } }
    }
}

extension RouteDescription {
    fileprivate func isOn(_ type: PortType) -> Bool { outputs.map(\.type) == [type] }
}

extension [AudioInput.Event] {
    fileprivate var microphones: [PortDescription] {
        compactMap { if case .inputChanged(let port, _) = $0 { port } else { nil } }
    }

    fileprivate var frameCounts: [Int64] {
        compactMap { if case .finished(let recording, _, _) = $0 { recording.frameCount } else { nil } }
    }
}

/// Runs code in a callback of a loop.
private actor LoopCallback {
    private let executor: LoopExecutor
    private var timer: LoopTimer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ executor: LoopExecutor) { self.executor = executor }

    isolated deinit { timer = nil }

    func run(_ body: @escaping @Sendable () -> Void) {
        timer = LoopTimer(on: executor, fired: body)
        timer?.arm(after: .zero)
    }
}

/// Keeps the first channel of what one sink receives.
private actor SinkRecorder {
    private let executor: LoopExecutor
    private let ring: FrameRing
    private var stream: CaptureStream?
    private var connection: Connection?
    private var heard: [Float] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens a tap at the sink with this `node.name`.
    init(sink: String, remote: String) async throws {
        executor = try LoopExecutor()
        ring = try #require(FrameRing(channels: 2, capacity: 480_000))
        let connection = try Connection(Connection.Options(remote: remote, applicationName: "tape"), on: executor)
        stream = try CaptureStream(
            on: connection, exchange: .ring(ring), rate: 48_000,
            properties: [("node.name", "tape"), ("target.object", sink), ("stream.capture.sink", "true")],
            receive: { _ in })
        self.connection = connection
        try await waitUntil("the monitor is heard") { stream?.report.frames ?? 0 > 0 }
    }

    isolated deinit { close() }

    func close() {
        stream = nil
        connection = nil
    }

    /// The samples received until the frame with this number or a later one, without silence at the
    /// beginning.
    func samples(until number: Int) async throws -> [Float] {
        let last = Float(number) / 4_194_304
        try await waitUntil("frame \(number), after \(heard.count) frames") {
            var buffer = [Float](repeating: 0, count: 2 * 4_096)
            var span = buffer.mutableSpan
            let count = ring.take(into: &span)
            heard += stride(from: 0, to: 2 * count, by: 2).map { buffer[$0] }
            return heard.contains { $0 >= last }
        }
        return Array(heard.drop { $0 == 0 })
    }
}

extension AudioOutput {
    /// Closes the output and waits for the end of its streams, without a hop between the two.
    fileprivate func close(_ isClosed: Locked<Bool>, _ isEnded: Locked<Bool>) async {
        close()
        isClosed.withLock { $0 = true }
        await waitForEndOfStreams()
        isEnded.withLock { $0 = true }
    }
}
