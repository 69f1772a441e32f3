import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// Recording from the virtual cards' microphones, which deliver a tone of 440 Hz at full scale.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct RecordingTests {
    private struct Scene {
        let stage: Stage
        let recorder: AudioRecorder
        let log = EventLog<AudioRecorder.Event>()
        private let observation: EventObservation

        init(_ stage: Stage, _ configuration: AudioRecorder.Configuration = .init()) {
            self.stage = stage
            recorder = AudioRecorder(manager: stage.manager, configuration: configuration)
            observation = recorder.observe { [log] in log.append($0.timeless) }
        }

        func path(_ name: String) -> String { stage.pipeWire.directory + "/" + name }

        /// Waits until this many frames have been recorded.
        func waitUntilRecorded(_ frames: Int64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let heard = EventLog<Int64>()
            let buffers = recorder.buffers()
            let listening = Task {
                for await buffer in buffers { heard.append(buffer.firstFrame + Int64(buffer.frameCount)) }
            }
            defer { listening.cancel() }
            do {
                try await heard.wait(for: "sound") { $0.last ?? 0 >= frames }
            } catch {
                Issue.record("\(recorder.state), after \(log.events)", sourceLocation: sourceLocation)
                throw error
            }
        }

        func finish() async throws -> (recording: AudioRecorder.Recording, reason: AudioRecorder.FinishReason) {
            try await log.wait(for: "the end") { $0.end != nil }
            return try #require(log.events.end)
        }
    }

    @Test func aPreferredMicrophoneIsRecordedAndMayChangeMeanwhile() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            let scene = Scene(stage)
            let session = scene.recorder.session
            let inputs = stage.manager.availableInputs
            let (own, headset) = (
                try #require(inputs.first { $0.type == .builtInMic }),
                try #require(inputs.first { $0.type == .usbAudio })
            )
            try await session.setPreferredInput(own)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(4_800)
            #expect(scene.recorder.input?.uid == own.uid)
            try await session.setPreferredInput(headset)
            try await scene.log.wait(for: "the headset") { events in
                events.contains { if case .inputChanged(let port, _) = $0 { port.uid == headset.uid } else { false } }
            }
            try await scene.waitUntilRecorded(24_000)
            let recording = try #require(await scene.recorder.stop())
            #expect(recording.frameCount >= 24_000)
            #expect(try Sound(recording.path ?? "").file.frameCount == recording.frameCount)
            #expect(session.routeChoice.input?.reason == .preferred)
            await scene.recorder.close()
        }
    }

    @Test(arguments: AudioRecorder.FileType.allCases, [1, 2])
    func theFileHasTheSamplesOfTheMicrophone(type: AudioRecorder.FileType, channels: Int) async throws {
        try await Stage.with(.builtIn()) { stage in
            let scene = Scene(stage, .init(format: .init(channelCount: channels, bitsPerSample: 24)))
            let path = scene.path("memo.\(type.rawValue)")
            try await scene.recorder.record(to: path)
            #expect(scene.recorder.state == .recording)
            #expect(scene.recorder.session.state == .active)
            try await scene.waitUntilRecorded(24_000)
            var levels: [AudioRecorder.Level] = []
            try await waitUntil("the levels are a sine's: \(levels)") {
                levels = await scene.recorder.currentLevels
                return levels.count == channels
                    && levels.allSatisfy { level in
                        // A sine's mean is 3 dB below its peak.
                        abs(level.peakPower - level.averagePower - 3) < 0.2 && (-20..<0.1).contains(level.peakPower)
                    }
            }
            let recording = try #require(await scene.recorder.stop())
            #expect(recording.path == path)
            #expect(recording.frameCount >= 24_000)
            let sound = try Sound(path)
            #expect(sound.file.frameCount == recording.frameCount)
            #expect(sound.file.format.channelCount == channels)
            #expect(sound.samples.count == Int(recording.frameCount) * channels)
            for channel in 0..<channels { #expect(abs(sound.pitch(of: channel) - 440) < 5) }
            #expect(await scene.recorder.statistics.droppedFrames == 0)
            let port = try #require(scene.recorder.input)
            #expect(port.type == .builtInMic)
            try await scene.log.wait(for: "the end") { $0.end != nil }
            #expect(
                scene.log.events == [
                    .stateChanged(.recording), .inputChanged(port), .stateChanged(.stopped),
                    .finished(recording, reason: .stopped, at: .never),
                ])
            await scene.recorder.close()
        }
    }

    /// No frame of the internal microphone gets into the file, though the session manager moves the
    /// stream there.
    @Test func aPulledMicrophoneEndsTheRecordingAndTheFileIsComplete() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            let scene = Scene(stage)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(10_000)
            let port = try #require(scene.recorder.input)
            #expect(port.type == .headsetMic || port.type == .usbAudio, "\(port.type)")
            _ = try await stage.cards[1].remove()
            let end = try await scene.finish()
            #expect(end.reason == .microphoneLost)
            #expect(scene.log.events.contains(.microphoneLost(port)))
            #expect(await scene.recorder.statistics.gateDelay != nil)
            #expect(scene.recorder.state == .stopped)
            #expect(try Sound(scene.path("memo.wav")).file.frameCount == end.recording.frameCount)
            #expect(end.recording.frameCount >= 10_000)
            // The other one is used on request.
            try await scene.recorder.record(to: scene.path("next.wav"))
            try await scene.waitUntilRecorded(1_000)
            #expect(scene.recorder.input?.type == .builtInMic)
            await scene.recorder.close()
        }
    }

    @Test func aHeadsetMicrophoneThatIsUnpluggedEndsTheRecording() async throws {
        try await Stage.with(.builtIn()) { stage in
            // In this order, because a card without a microphone gets another profile, and then
            // there is none for a moment.
            try await stage.card.plug("headset-mic")
            try await stage.card.unplug("mic")
            try await stage.card.wait(for: "the headset's microphone") { card in
                card.nodes.contains { $0.port == "headset-mic" }
            }
            try await stage.managerLog.wait(for: "the headset's microphone alone") { _ in
                stage.manager.availableInputs.map(\.type) == [.headsetMic]
            }
            let scene = Scene(stage)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(10_000)
            let port = try #require(scene.recorder.input)
            #expect(port.type == .headsetMic)
            try await stage.card.setAvailability(.unknown, of: "mic")
            try await stage.card.unplug("headset-mic")
            #expect(try await scene.finish().reason == .microphoneLost)
            #expect(scene.log.events.contains(.microphoneLost(port)))
            await scene.recorder.close()
        }
    }

    @Test func withoutAMicrophoneNoRecordingBegins() async throws {
        try await Stage.with() { stage in
            let scene = Scene(stage)
            await expect(.noMicrophone) { try await scene.recorder.record(to: scene.path("memo.wav")) }
            #expect(scene.recorder.session.state == .inactive)
            await scene.recorder.close()
        }
    }

    @Test func aMuteIsNotifiedAtTheStartAndWhenItChanges() async throws {
        try await Stage.with(.builtIn()) { stage in
            let scene = Scene(stage)
            try await stage.pipeWire.mix(.defaultInput, isMuted: true)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.log.wait(for: "the mute") { $0.contains(.microphoneMuted(by: .user)) }
            #expect(scene.recorder.session.silenceReasons.contains(.inputMuted))
            try await stage.pipeWire.mix(.defaultInput, isMuted: false)
            try await scene.log.wait(for: "the sound") { $0.contains(.microphoneUnmuted(by: .user)) }
            #expect(!scene.recorder.session.silenceReasons.contains(.inputMuted))
            await scene.recorder.close()
        }
    }

    @Test func aProgramThatMutesItselfRecordsZerosWithAReason() async throws {
        try await Stage.with(.builtIn()) { stage in
            let scene = Scene(stage)
            await stage.manager.setInputMuted(true)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(10_000)
            #expect(scene.log.events.contains(.microphoneMuted(by: .program)))
            #expect(await scene.recorder.currentLevels == [.silence])
            #expect(scene.recorder.session.silenceReasons == [.inputMuted])
            _ = await scene.recorder.stop()
            #expect(try Sound(scene.path("memo.wav")).samples.allSatisfy { $0 == 0 })
            await stage.manager.setInputMuted(false)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(10_000)
            _ = await scene.recorder.stop()
            #expect(try Sound(scene.path("memo.wav")).samples.contains { abs($0) > 0.1 })
            await scene.recorder.close()
        }
    }

    @Test(arguments: [true, false])
    func anInterruptedRecordingKeepsItsFramesAndContinuesOnRequest(continues: Bool) async throws {
        try await Stage.with(.builtIn()) { stage in
            let scene = Scene(stage, .init(continuesAfterInterruption: continues))
            let manager = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
            let call = try AudioSession(
                manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat, group: "Phone"))
            try await scene.recorder.record(to: scene.path("memo.flac"))
            try await scene.waitUntilRecorded(20_000)
            try await call.activate()
            try await scene.log.wait(for: "the interruption") { !$0.pauses.isEmpty }
            // The file's header is written after the event.
            try await waitUntil("the file is complete") {
                (try? Sound(scene.path("memo.flac")).samples.count >= 20_000 - 4_096) ?? false
            }
            let atInterruption = try Sound(scene.path("memo.flac")).samples.count
            try await call.deactivate()
            if continues {
                #expect(scene.log.events.pauses == [.paused(reason: .interrupted)])
                try await scene.log.wait(for: "the rest") { $0.last == .stateChanged(.recording) }
                try await scene.waitUntilRecorded(Int64(atInterruption) + 20_000)
                _ = await scene.recorder.stop()
                #expect(try Sound(scene.path("memo.flac")).samples.count >= atInterruption + 20_000)
            } else {
                #expect(try await scene.finish().reason == .interrupted)
                #expect(scene.recorder.state == .stopped)
            }
            await scene.recorder.close()
            await manager.close()
        }
    }

    @Test func aRecordingEndsWithPipeWireAndCanBeginAgain() async throws {
        try await Stage.with(.builtIn()) { stage in
            let scene = Scene(stage)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(10_000)
            await stage.pipeWire.killDaemon()
            let end = try await scene.finish()
            #expect(end.reason == .mediaServicesLost)
            #expect(try Sound(scene.path("memo.wav")).file.frameCount == end.recording.frameCount)
            await expect(.mediaServicesFailed) { try await scene.recorder.record() }
            await scene.recorder.close()
        }
    }

    /// A session manager removes the microphones at its end, which is no loss while it restarts.
    @Test func aRestartedSessionManagerIsNoLostMicrophone() async throws {
        try await Stage.with(.builtIn()) { stage in
            let scene = Scene(stage)
            try await scene.recorder.record(to: scene.path("memo.wav"))
            try await scene.waitUntilRecorded(10_000)
            let cycles = await scene.recorder.statistics.cycles
            try await stage.pipeWire.restartSessionManager()
            // The session manager may link the stream again, or one of three replacements.
            // Otherwise the recording reports it.
            try await waitUntil("sound, or an event: \(scene.log.events)", within: .seconds(30)) {
                guard scene.recorder.state == .recording else { return true }
                return await scene.recorder.statistics.cycles >= cycles + 50
            }
            _ = await scene.recorder.stop()
            let (recording, reason) = try await scene.finish()
            #expect([.stopped, .microphoneLost].contains(reason))
            let isReported = scene.log.events.contains { if case .microphoneLost = $0 { true } else { false } }
            #expect(isReported == (reason == .microphoneLost), "\(scene.log.events)")
            #expect(try Sound(scene.path("memo.wav")).file.frameCount == recording.frameCount)
            await scene.recorder.close()
        }
    }
}

/// A file, read completely.
private struct Sound {
    let file: SoundFile
    let samples: [Float]

    init(_ path: String) throws {
        file = try SoundFile(path: path)
        var samples: [Float] = []
        var buffer = [Float](repeating: 0, count: 4096 * file.format.channelCount)
        while case let count = try file.read(4096, into: &buffer), count > 0 {
            samples += buffer.prefix(count * file.format.channelCount)
        }
        self.samples = samples
    }

    /// The frequency in hertz, from the median distance of upward zero crossings in the second
    /// half: a busy computer loses cycles, which changes only some distances.
    func pitch(of channel: Int) -> Double {
        let count = file.format.channelCount
        let frames = Array(
            stride(from: channel, to: samples.count, by: count).map { samples[$0] }.suffix(samples.count / count / 2))
        let crossings = frames.indices.dropFirst().filter { frames[$0 - 1] < 0 && frames[$0] >= 0 }
        let distances = zip(crossings, crossings.dropFirst()).map { $1 - $0 }.sorted()
        return distances.isEmpty ? 0 : Double(file.format.sampleRate) / Double(distances[distances.count / 2])
    }
}

extension [AudioRecorder.Event] {
    fileprivate var end: (recording: AudioRecorder.Recording, reason: AudioRecorder.FinishReason)? {
        for case .finished(let recording, let reason, _) in self { return (recording, reason) }
        return nil
    }

    /// Stops the recording, and waits for its end.
    fileprivate var pauses: [AudioRecorder.State] {
        compactMap { event in
            switch event {
            case .stateChanged(.recording, _): nil
            case .stateChanged(let state, _): state
            default: nil
            }
        }
    }
}

private func expect(
    _ code: AudioSessionError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    let error = await #expect(throws: AudioSessionError.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
