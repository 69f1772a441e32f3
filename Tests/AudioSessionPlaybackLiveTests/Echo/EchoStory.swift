import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// What is played and said in a room, and recorded with and without the canceller.
struct EchoStory {
    var quantum = 1024
    var rate = 48_000
    var room: RoomNode.Options
    /// How long a program plays, in seconds.
    var farEnd = 24.0
    /// When the voice is alone.
    var voice = 24.5...28.5
    /// When the voice speaks while the program plays.
    var doubleTalk: ClosedRange<Double>? = 16...22

    init(quantum: Int = 1024, rate: Int = 48_000) {
        (self.quantum, self.rate) = (quantum, rate)
        room = .office(rate: rate)
    }

    /// From the first sound of the program on, at the graph's rate.
    var voiceSamples: [Float] {
        var noise = SpeechNoise(seed: 7, rate: rate)
        var samples = [Float](repeating: 0, count: Int((voice.upperBound + 0.5) * Double(rate)))
        for range in [doubleTalk, voice].compactMap(\.self) where range.upperBound <= voice.upperBound {
            let part = noise.samples(seconds: range.upperBound - range.lowerBound, level: -26)
            let first = Int(range.lowerBound * Double(rate))
            samples.replaceSubrange(first..<first + part.count, with: part)
        }
        return samples
    }

    /// Plays and records the story.
    /// - Parameter meanwhile: Called while the program plays.
    func run(_ meanwhile: (VirtualRoom) async throws -> Void = { _ in }) async throws -> EchoFigures {
        var options = PrivatePipeWire.Options()
        (options.quantum, options.rate) = (quantum, rate)
        let pipeWire = try await PrivatePipeWire(options)
        do {
            let figures = try await run(in: pipeWire, meanwhile)
            await pipeWire.stop()
            return figures
        } catch {
            await pipeWire.stop()
            throw error
        }
    }

    private func run(
        in pipeWire: PrivatePipeWire, _ meanwhile: (VirtualRoom) async throws -> Void
    ) async throws -> EchoFigures {
        var options = room
        options.voice = voiceSamples
        let room = try await VirtualRoom(options, loudspeakers: 2, in: pipeWire)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Call"))
        try await waitUntil("a microphone and an output") {
            !manager.availableInputs.isEmpty && manager.availableOutputs.count == 2
        }
        let session = try AudioSession(manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
        let format = AudioInput.Format(channelCount: 1)
        let seconds = Int(voice.upperBound) + 10
        let tapes = (plain: Tape(seconds: seconds), cancelled: Tape(seconds: seconds))
        defer {
            tapes.plain.free()
            tapes.cancelled.free()
        }
        let plain = AudioInput(session: session, configuration: .init(format: format), receive: tapes.plain.callback)
        let cancelled = AudioInput(
            session: session, configuration: .init(prefersEchoCancelledInput: true),
            receive: tapes.cancelled.callback)
        #expect(cancelled.format == format)
        try await plain.start()
        try await cancelled.start()
        let output = AudioOutput(session: session, configuration: .init(format: format))
        let port = manager.availableOutputs.first { $0.nodeName == VirtualRoom.loudspeaker(1) }
        try await session.setPreferredOutput(port)
        try await output.start()
        try await waitUntil("the output's sound") { await cancelled.isEchoCancelledInputEnabled }
        var noise = SpeechNoise(seed: 3, rate: 48_000)
        let samples = noise.samples(seconds: farEnd, level: -20)
        async let played: Void = output.write(samples)
        try await meanwhile(room)
        try await played
        try await waitUntil("the voice", within: .seconds(60)) { await room.spokenFrames == options.voice.count }
        await output.close()
        await plain.close()
        await cancelled.close()
        await manager.close()
        await room.close()
        let delay = Double(options.paths.first?.delay ?? 0) / Double(rate)
        return EchoFigures(plain: tapes.plain, cancelled: tapes.cancelled, delay: delay, voice: voice)
    }
}

extension EchoFigures {
    /// Checks what the documentation promises.
    func expect(
        _ story: EchoStory, cancellation seconds: ClosedRange<Double>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (cancelled, level) = (cancellation(seconds), voiceLevel(story.voice))
        let latency = addedLatency(story.voice)
        #expect(cancelled >= 40, "dB", sourceLocation: sourceLocation)
        #expect(abs(level) <= 1, "dB", sourceLocation: sourceLocation)
        #expect(latency.usual <= 40, "ms", sourceLocation: sourceLocation)
    }

    func line(_ name: String, _ story: EchoStory) -> String {
        let values = [0.2...1, 1...2, 2...4, 4...8, 8...16].map { rounded(cancellation($0)) }
        let latency = addedLatency(story.voice)
        var line =
            "aec: quantum \(story.quantum) at \(story.rate) Hz\(name.isEmpty ? "" : ", \(name)"): "
            + "\(values.joined(separator: " ")) dB less in 0.2-1, 1-2, 2-4, 4-8, 8-16 s, least in half a second after "
            + "2 s \(rounded(leastCancellation(2...16))); voice \(rounded(voiceLevel(story.voice))) dB"
        if let seconds = story.doubleTalk {
            let (level, lost) = doubleTalk(seconds, voice: story.voiceSamples, voiceRate: story.rate)
            line += ", beside the echo \(rounded(level)) dB with \(rounded(lost)) % of it lost"
        }
        return line + "; \(rounded(latency.mean)) ms later, 95 % within \(rounded(latency.usual)), most "
            + "\(rounded(latency.most)); longest gap \(rounded(longestGap)) ms"
    }

    private func rounded(_ value: Double) -> String {
        value.isFinite ? "\((value * 10).rounded() / 10)" : "-"
    }
}
