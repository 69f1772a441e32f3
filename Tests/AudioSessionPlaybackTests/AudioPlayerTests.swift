@_spi(Compatibility) import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import Dispatch
import PipeWireGraph
import TestSupport
import Testing

/// The player as a program uses it, on a fake computer with headphones in its jack.
@Suite(.timeLimit(.minutes(10))) struct AudioPlayerTests {
    @Test func aFileIsPlayedToItsEnd() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        var events = stage.player.events().makeAsyncIterator()
        try await stage.start([try scratch.sound(counting(0..<3000), as: "a.wav")])
        #expect(stage.player.state == .playing)
        #expect(stage.runCycles(1000) == counting(0..<1000))
        #expect(stage.player.position == .init(frames: 1000, rate: 48000))
        #expect(stage.runCycles(5000) == counting(1000..<3000))
        while stage.player.state == .playing {
            _ = stage.runCycles(10)
            stage.system.advance(by: .milliseconds(50))
        }
        var seen: [AudioPlayer.Event] = []
        while seen.last != .finished(at: .never), let event = await events.next() { seen.append(event.timeless) }
        let item = try #require(stage.player.currentItem)
        #expect(
            seen == [
                .itemChanged(item), .stateChanged(.playing), .stateChanged(.finished), .finished(at: .never),
            ])
        #expect(stage.player.position == stage.player.duration)
        #expect(stage.player.underrunCount == 0)
    }

    /// A program may delete a temporary file as soon as the player has loaded it.
    @Test(arguments: [false, true]) func aDeletedFileIsPlayed(isEnqueued: Bool) async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let path = try scratch.sound(counting(0..<3000), as: "a.wav")
        if isEnqueued { try await stage.player.enqueue([path]) } else { try await stage.player.load([path]) }
        scratch.remove(path)
        for _ in 0..<2 {
            #expect(try await sound(of: stage) == counting(0..<3000))
            await stage.player.stop()
        }
        // Another file of that name is not the one that was loaded.
        _ = try scratch.sound(counting(5000..<8000), as: "a.wav")
        #expect(try await sound(of: stage) == counting(0..<3000))
        try await stage.player.load([path])
        #expect(try await sound(of: stage) == counting(5000..<8000))
    }

    /// Plays, and returns the 3000 frames of the current file.
    private func sound(of stage: PlayerStage) async throws -> [Float] {
        try await stage.player.play()
        await stage.until { stage.ring?.written == 3000 }
        return stage.runCycles(3000)
    }

    @Test func pulledHeadphonesCloseTheGateBeforeAnyNotification() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        #expect(stage.player.route.outputs.map(\.type) == [.headphones])
        let calls = Locked<[[PlayerStage.Call]]>([])
        let noisy = stage.player.observe { [stage] event in
            if case .becameNoisy = event { calls.withLock { $0.append(stage.calls) } }
        }
        defer { _ = noisy }
        stage.pullHeadphones()
        #expect(stage.player.state == .paused(reason: .routeLost))
        #expect(calls.withLock(\.count) == 1)
        #expect(calls.withLock { $0.first?.contains(.gate(closed: true)) } == true)
        #expect(stage.calls.last == .active(false))
        #expect(stage.player.route.outputs.map(\.type) == [.builtInSpeaker])
        stage.plugHeadphones()
        #expect(stage.player.state == .paused(reason: .routeLost))
        try await stage.player.play()
        try await stage.untilActive()
        #expect(stage.player.state == .playing)
        #expect(stage.runCycles(100) == counting(0..<100))
    }

    /// The player pauses before the session receives the loss, and its pause changes the reasons of
    /// silence.
    @Test func theTimesOfALossNeverGoBackwards() async throws {
        let scratch = try Scratch()
        let ticks = Locked<UInt64>(0)
        let stage = try await PlayerStage(now: {
            ticks.withLock {
                $0 += 1
                return MonotonicTime(nanoseconds: $0)
            }
        })
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        let times = Locked<[MonotonicTime]>([])
        let observation = stage.session.observe { event in
            switch event {
            case .becameNoisy(_, let time), .silenceReasonsChanged(_, let time): times.withLock { $0.append(time) }
            default: break
            }
        }
        defer { _ = observation }
        stage.pullHeadphones()
        #expect(times.withLock(\.count) == 2)
        #expect(times.withLock { $0 == $0.sorted() }, "\(times.withLock(\.self))")
    }

    /// The gate triggers belong to the route. They do not change with the stream, so they are set
    /// only once.
    @Test func aStreamThatReplacesAnotherHasItsGateTriggers() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        stage.system.advance(by: .seconds(1))
        #expect(stage.gateTriggers == [ObjectID(41)])
        let old = stage.node
        let headphones = try #require(stage.player.route.outputs.first)
        try await stage.session.setPreferredOutput(headphones)
        #expect(stage.node != old)
        #expect(stage.gateTriggers == [ObjectID(41)])
    }

    @Test func theStreamHasTheNamesThatMixersShow() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage(.init(role: .movie, nodeName: "node"))
        try await stage.start([try scratch.sound(tone(frames: 100), as: "film.wav")])
        let properties = stage.properties()
        #expect(properties["media.role"] == "Movie")
        #expect(properties["application.name"] == "Stage")
        #expect(properties["node.name"] == "node")
        #expect(properties["media.name"] == "film.wav")
    }

    @Test func anUntitledFileCanHaveAnotherNameThanItsFile() async throws {
        let scratch = try Scratch()
        var configuration = AudioPlayer.Configuration()
        configuration.nameOfUntitledFiles = "Program"
        let stage = try await PlayerStage(configuration)
        try await stage.start([try scratch.sound(tone(frames: 100), as: "7")])
        #expect(stage.properties()["media.name"] == "Program")
        #expect(stage.properties()["media.title"] == "Program")
    }

    /// No stream is ducked twice: by the session manager, and by the session that ducks it.
    @Test func musicHasNoRoleForTheSessionManager() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let sink = Node(
            id: ObjectID(700),
            properties: [.nodeName: "role", .mediaClass: MediaClass.sink.rawValue, .roleTarget: "true"])
        stage.system.send(.nodeProperties(sink.id, sink.properties))
        try await stage.start([try scratch.sound(tone(frames: 100), as: "a.wav")])
        #expect(stage.properties()["media.role"] == nil)
        await stage.player.stop()
        try await stage.session.configure(.init(.playback, options: .duckOthers))
        try await stage.start([try scratch.sound(tone(frames: 100), as: "b.wav")])
        #expect(stage.properties()["media.role"] == "Music", "its role ducks programs without sessions")
    }

    @Test func volumesAreCubicAndClamped() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.player.setVolume(0.5)
        try await stage.start([try scratch.sound(tone(frames: 100), as: "a.wav")])
        #expect(stage.calls.contains(.volume(0.125)))
        try await stage.player.setVolume(7)
        #expect(stage.player.volume == 1)
        let error = await #expect(throws: AudioSessionError.self) { try await stage.player.setVolume(.nan) }
        #expect(error?.code == .badParam)
        #expect(stage.player.volume == 1)
        try await stage.player.setVolume(-1)
        #expect(stage.calls.last == .volume(0))
    }

    @Test func thePlayerMovesInTheQueue() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let paths = try ["a.wav", "b.wav"].map { try scratch.sound(counting(0..<2000), as: $0) }
        try await stage.player.load([paths[0]])
        try await stage.player.enqueue([paths[1]])
        try await stage.player.skipToNext()
        #expect(stage.player.currentItem?.path == paths[1])
        await #expect(code(.noSuchItem) { try await stage.player.skipToNext() })
        try await stage.player.skipToPrevious()
        await #expect(code(.noSuchItem) { try await stage.player.skipToPrevious() })
        await #expect(code(.noSuchItem) { try await stage.player.skip(to: 2) })
        try await stage.player.seek(to: .milliseconds(25))
        #expect(stage.player.position == .milliseconds(25))
        try await stage.player.play()
        try await stage.untilActive()
        #expect(stage.runCycles(10) == counting(1200..<1210))
        await stage.player.pause()
        #expect(stage.player.state == .paused(reason: .user))
        await stage.player.stop()
        #expect(stage.player.state == .stopped)
        #expect(stage.player.position == .zero)
    }

    @Test func impossibleCallsAreErrors() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let player = stage.player
        await #expect(code(.nothingLoaded) { try await player.play() })
        await #expect(code(.nothingLoaded) { try await player.seek(to: .zero) })
        await #expect(code(.fileNotFound) { try await player.load([scratch.name("none.wav")]) })
        let path = try scratch.sound(tone(frames: 100), as: "a.wav")
        let many = Array(repeating: path, count: AudioPlayer.maximumQueueLength + 1)
        await #expect(code(.tooManyItems) { try await player.load(many) })
        try await player.load([path])
        stage.setReady(false)
        await #expect(code(.mediaServicesFailed) { try await player.play() })
        stage.setReady(true)
        stage.refuseOutput(AudioSessionError(.outputFailed, "made up"))
        try await player.play()
        #expect(player.state == .paused(reason: .outputFailed))
        try await player.play()
        try await stage.untilActive()
        #expect(player.state == .playing)
        await player.close()
        await player.close()
        await #expect(code(.closed) { try await player.play() })
        await #expect(code(.closed) { try await player.load([path]) })
    }

    /// The decoder has to keep the ring full while files are loaded.
    @Test func filesAreLoadedOnAnotherThreadThanTheDecoders() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let path = try scratch.sound(counting(0..<10), as: "a.wav")
        try await stage.player.load([path])
        let decoder = try #require(await stage.player.decoder)
        let isBusy = Locked(false)
        let end = DispatchSemaphore(value: 0)
        let work = Task { await decoder.work(until: end, isBusy) }
        await stage.until { isBusy.withLock(\.self) }
        try await stage.player.enqueue([path])
        #expect(stage.player.queue.count == 2)
        end.signal()
        await work.value
    }

    @Test func filesThatAreAppendedAtTheSameTimeDoNotExceedTheLimit() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        let path = try scratch.sound(counting(0..<10), as: "a.wav")
        try await stage.player.load(Array(repeating: path, count: AudioPlayer.maximumQueueLength - 1))
        let calls = Locked<[Task<Void, any Error>]>([])
        // Both calls begin before one of them has read its file.
        stage.executor.run { [player = stage.player] in
            for _ in 0..<2 {
                let call = Task.immediate { try await player.enqueue([path]) }
                calls.withLock { $0.append(call) }
            }
        }
        var failures = 0
        for call in calls.withLock(\.self) where await code(.tooManyItems, { try await call.value }) { failures += 1 }
        #expect(failures == 1)
        #expect(stage.player.queue.count == AudioPlayer.maximumQueueLength)
    }

    /// Without a timer, a player would play, and its end would not be detected.
    @Test func aPlayerWithoutATimerFails() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.player.load([scratch.sound(counting(0..<3000), as: "a.wav")])
        let codes = Locked<[AudioSessionError.Code]>([])
        let observation = stage.player.observe { event in
            if case .failed(let error, _) = event { codes.withLock { $0.append(error.code) } }
        }
        defer { observation.cancel() }
        stage.hasTimers.withLock { $0 = false }
        try await stage.player.play()
        #expect(stage.player.state == .paused(reason: .outputFailed))
        #expect(codes.withLock(\.self) == [.resourcesExhausted])
        stage.hasTimers.withLock { $0 = true }
        #expect(try await sound(of: stage) == counting(0..<3000))
    }

    @Test func theRouteIsKnownBeforeThePlayerPlays() async throws {
        let stage = try await PlayerStage()
        #expect(stage.player.route.outputs.map(\.type) == [.headphones])
        stage.pullHeadphones()
        stage.system.advance(by: .seconds(1))
        #expect(stage.player.route.outputs.map(\.type) == [.builtInSpeaker])
        try await stage.session.configure(.init(.record))
        #expect(stage.player.route.outputs.isEmpty)
    }

    @Test func theRouteIsKnownAfterARestartOfPipeWire() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        stage.system.fail()
        #expect(stage.player.route.outputs.map(\.type) == [.headphones], "the last one is kept")
        stage.pullHeadphones()
        stage.system.restart()
        stage.system.advance(by: .seconds(2))
        #expect(stage.player.state == .paused(reason: .mediaServicesLost))
        #expect(stage.player.route.outputs.map(\.type) == [.builtInSpeaker])
    }

    @Test func losingPipeWirePauses() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        _ = stage.runCycles(480)
        stage.system.fail()
        #expect(stage.player.state == .paused(reason: .mediaServicesLost))
        #expect(stage.player.position == .milliseconds(10))
    }

    /// Another object of the restarted PipeWire may have the number of the former output.
    @Test func aStreamAfterARestartOfPipeWireHasNoFormerGateTriggers() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        stage.system.advance(by: .seconds(1))
        #expect(stage.gateTriggers == [ObjectID(41)])
        let calls = stage.calls.count
        stage.system.fail()
        stage.system.restart()
        stage.system.advance(by: .seconds(2))
        try await stage.player.play()
        await stage.until { stage.calls[calls...].contains(.active(true)) }
        #expect(stage.gateTriggers == [])
    }

    /// The player pauses before, and would otherwise be reported as paused without a cause.
    @Test func theLossOfPipeWireIsNotifiedBeforeItsConsequences() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        let events = Locked<[AudioSession.Event]>([])
        let observation = stage.session.observe { event in events.withLock { $0.append(event.timeless) } }
        defer { observation.cancel() }
        stage.system.fail()
        #expect(
            events.withLock(\.self) == [
                .mediaServicesLost(at: .never), .silenceReasonsChanged([.daemonLost], at: .never),
                .silenceReasonsChanged([.daemonLost, .paused], at: .never),
            ])
    }

    @Test func anErrorOfTheStreamPausesAndAWarningDoesNot() async throws {
        let scratch = try Scratch()
        let stage = try await PlayerStage()
        var events = stage.player.events().makeAsyncIterator()
        try await stage.start([try scratch.sound(counting(0..<30000), as: "a.wav")])
        stage.notify(.init(state: .paused, node: nil, message: "no target node available"))
        #expect(stage.player.state == .playing)
        stage.notify(.init(state: .error, node: nil, message: "made up"))
        #expect(stage.player.state == .paused(reason: .outputFailed))
        var codes: [AudioSessionError.Code] = []
        while codes.count < 2, let event = await events.next() {
            if case .failed(let error, _) = event { codes.append(error.code) }
        }
        #expect(codes == [.noOutput, .outputFailed])
    }

    private func code(_ code: AudioSessionError.Code, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return (error as? AudioSessionError)?.code == code
        }
    }
}

extension Decoder {
    fileprivate func work(until end: DispatchSemaphore, _ isBusy: Locked<Bool>) {
        isBusy.withLock { $0 = true }
        end.wait()
    }
}
