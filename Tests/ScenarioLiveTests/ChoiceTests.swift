import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

/// How long a stream is silent while it moves.
@Suite(.liveAlone, .timeLimit(.minutes(10)))
struct ChoiceGapTests {
    @Test func aPreferredOutputMovesThisStreamAndNothingElse() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.play(on: Sinks.usb)
            await stage.clearHistory()
            let before = stage.player.position
            try await stage.prefer(.builtInSpeaker)
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            try await stage.log.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            #expect(stage.log.events.routeChanges.map(\.summary) == ["override: usbAudio -> builtInSpeaker"])
            #expect(stage.log.events.count == 1, "no pause: \(stage.log.events)")
            #expect(stage.managerLog.events == [])
            #expect(stage.player.session.routeChoice.output?.reason == .preferred)
            #expect(stage.player.position - before < .seconds(5) && stage.player.underrunCount == 0)
            let gap = try await stage.gap(from: Sinks.usb, to: Sinks.analog)
            #expect(gap < .milliseconds(500), "silent for \(gap)")
            await stage.resetTaps()
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [Sinks.analog])
            try await stage.player.session.setPreferredOutput(nil)
            try await stage.tap(at: Sinks.usb).waitUntilLoud()
        }
    }
}

/// A session chooses its output, on a computer with another default output.
@Suite(.live, .serialized, .timeLimit(.minutes(10)))
struct ChoiceTests {
    /// WirePlumber would store that the stream follows the default, and move it to each new
    /// default.
    @Test func aPreferredOutputThatIsTheDefaultStaysWhenThatChanges() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.cards[1].remove()
            try await stage.managerLog.wait(for: "the speaker") { $0.areOn(.builtInSpeaker) }
            try await stage.prefer(.builtInSpeaker)
            try await stage.play(on: Sinks.analog)
            #expect(try await !stage.pipeWire.run("pw-metadata").output.contains("target."), "nothing is noted down")
            await stage.clearHistory()
            try await stage.cards[1].add()
            try await stage.managerLog.wait(for: "the headset") {
                !$0.areOn(.builtInSpeaker) && !$0.routeChanges.isEmpty
            }
            try await stage.tap(at: Sinks.usb).wait(untilAttached: true)
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [Sinks.analog])
            // The microphone of the headset changes separately.
            #expect(stage.log.events.routeChanges.allSatisfy { $0.current.isOn(.builtInSpeaker) })
            #expect(stage.log.events.losses == [])
            #expect(stage.player.state == .playing)
        }
    }

    @Test func aPreferredOutputThatReturnsIsUsedAgain() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.prefer(.usbAudio)
            try await stage.play(on: Sinks.usb)
            await stage.clearHistory()
            try await stage.cards[1].remove()
            try await stage.log.wait(for: "the new route") {
                $0.routeChanges.last?.current.isOn(.builtInSpeaker) == true
            }
            #expect(stage.player.state == .paused(reason: .routeLost))
            #expect(stage.player.session.routeChoice.output?.reason == .preferredMissing)
            #expect(stage.player.session.routeChoice.output?.port?.type == .builtInSpeaker)
            try await stage.tapSinks()
            #expect(await stage.loudFrames().keys.allSatisfy { $0 == Sinks.usb })
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.cards[1].add()
            try await stage.log.wait(for: "the headset") { !$0.outputChanges.isEmpty }
            try await stage.tap(at: Sinks.usb).waitUntilLoud()
            #expect(
                stage.log.events.outputChanges.map(\.summary) == ["newDeviceAvailable: builtInSpeaker -> usbAudio"])
            #expect(stage.player.session.routeChoice.output?.reason == .preferred)
        }
    }

    /// The output is chosen before the first frame is played.
    @Test func aPreferenceFromBeforeTheStartAppliesToTheFirstFrame() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.prefer(.builtInSpeaker)
            try await stage.play(on: Sinks.analog)
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [Sinks.analog])
        }
    }

    @Test func aStreamThatTheUserMovesStaysThere() async throws {
        try await Stage.with(.builtIn(), .usb()) { stage in
            try await stage.prefer(.builtInSpeaker)
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.moveByHand(to: Sinks.usb)
            try await stage.tap(at: Sinks.usb).waitUntilLoud()
            try await stage.log.wait(for: "the new route") { !$0.routeChanges.isEmpty }
            await stage.resetTaps()
            try await stage.tapSinks(for: .seconds(1))
            #expect(await Array(stage.loudFrames().keys) == [Sinks.usb])
            #expect(stage.log.events.routeChanges.count == 1)
            await stage.player.pause()
            await stage.resetTaps()
            try await stage.play(on: Sinks.usb)
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [Sinks.usb])
        }
    }

    // MARK: One sink, two ports

    @Test func theSpeakerOverridesHeadphonesUntilTheSessionEnds() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.card.plug("headphones")
            try await stage.managerLog.wait(for: "the headphones") { $0.areOn(.headphones) }
            let session = stage.player.session
            try await session.setCategory(.playAndRecord)
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await session.overrideOutputAudioPort(.speaker)
            try await stage.log.wait(for: "the speaker") { !$0.routeChanges.isEmpty }
            try await stage.managerLog.wait(for: "the speaker") { $0.areOn(.builtInSpeaker) }
            #expect(stage.log.events.routeChanges.map(\.summary) == ["override: headphones -> builtInSpeaker"])
            #expect(
                stage.managerLog.events.routeChanges.map(\.summary)
                    == ["routeConfigurationChange: headphones -> builtInSpeaker"])
            #expect(session.routeChoice.output?.reason == .override)
            #expect(await stage.card.state.nodes.first?.port == "speaker")
            await stage.clearHistory()
            try await session.deactivate()
            try await stage.managerLog.wait(for: "the headphones") { $0.areOn(.headphones) }
            #expect(session.outputOverride == .none)
            #expect(await stage.card.state.nodes.first?.port == "headphones")
        }
    }

    @Test func aSessionThatDefaultsToTheSpeakerDoesNotUseTheReceiver() async throws {
        try await Stage.with(.telephone) { stage in
            let session = stage.player.session
            try await stage.card.wait(for: "the receiver") { $0.nodes.first?.port == "receiver" }
            try await session.setCategory(.playAndRecord)
            try await stage.play(on: Sinks.analog)
            #expect(stage.player.route.isOn(.builtInReceiver))
            #expect(session.routeChoice.output?.reason == .systemDefault)
            await stage.clearHistory()
            try await session.setCategory(.playAndRecord, options: .defaultToSpeaker)
            try await stage.log.wait(for: "the speaker") { !$0.routeChanges.isEmpty }
            #expect(stage.player.route.isOn(.builtInSpeaker))
            #expect(session.routeChoice.output?.reason == .defaultToSpeaker)
            #expect(await stage.card.state.nodes.first?.port == "speaker")
            #expect(stage.log.events.losses == [])
            #expect(stage.player.state == .playing)
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            try await session.deactivate()
            try await stage.card.wait(for: "the receiver again") { $0.nodes.first?.port == "receiver" }
        }
    }

    /// The screen needs another profile of the card, without an analog output.
    @Test(arguments: [false, true])
    func anOutputOfAnotherProfileIsPreferredWithNothingOnTheSpeaker(isPlaying: Bool) async throws {
        var card = VirtualCardDescription.builtIn().with("hdmi")
        card.profiles.removeAll { $0.name == "HiFi" }
        try await Stage.with(card, .usb()) { stage in
            let session = stage.player.session
            let screen = try #require(stage.manager.availableOutputs.first { $0.type == .hdmi })
            #expect(screen.needsProfileChange && screen.nodeName == nil)
            if isPlaying {
                try await stage.play(on: Sinks.usb)
                try await stage.tapSinks()
            }
            await stage.clearHistory()
            try await session.setPreferredOutput(screen)
            if !isPlaying { try await stage.player.play() }
            try await stage.card.wait(for: "the screen's sink") { $0.nodes.map(\.name) == [Sinks.hdmi] }
            let tap = try await SinkTap(sink: Sinks.hdmi, remote: stage.pipeWire.remote)
            try await tap.waitUntilLoud()
            try await stage.log.wait(for: "the screen") { !$0.routeChanges.isEmpty }
            #expect(session.currentRoute.isOn(.hdmi) && session.routeChoice.output?.reason == .preferred)
            try await stage.tapSinks()
            let heard = await stage.loudFrames()
            #expect(heard[Sinks.analog] == nil && (isPlaying || heard[Sinks.usb] == nil), "\(heard)")
            #expect(stage.log.events.losses == [] && stage.player.state == .playing)
            #expect(stage.log.events.routeChanges.map(\.summary) == ["override: usbAudio -> HDMI"])
            #expect(stage.manager.availableOutputs.filter(\.needsProfileChange).map(\.type) == [.builtInSpeaker])
            try await session.deactivate()
            try await stage.card.wait(for: "the analog output again") { $0.nodes.map(\.name) == [Sinks.analog] }
            await tap.close()
        }
    }

    @Test func aSwitchOfTheCardByAnotherProgramStays() async throws {
        try await Stage.with(.builtIn()) { stage in
            try await stage.prefer(.builtInSpeaker)
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.card.plug("headphones")
            try await stage.log.wait(for: "the headphones") { !$0.routeChanges.isEmpty }
            try await stage.tapSinks(for: .seconds(1))
            #expect(
                stage.log.events.routeChanges.map(\.summary) == ["newDeviceAvailable: builtInSpeaker -> headphones"]
            )
            let choice = try #require(stage.player.session.routeChoice.output)
            #expect(choice.reason == .cardSwitched)
            #expect(choice.port?.type == .headphones)
            #expect(choice.wanted?.type == .builtInSpeaker)
            // A new request switches the card again.
            await stage.clearHistory()
            try await stage.prefer(.builtInSpeaker)
            try await stage.log.wait(for: "the speaker") { !$0.routeChanges.isEmpty }
            #expect(stage.log.events.routeChanges.map(\.summary) == ["override: headphones -> builtInSpeaker"])
        }
    }

    @Test func anotherMicrophoneOfTheSamePortIsAnotherConfiguration() async throws {
        try await Stage.with(.twoMicrophones) { stage in
            let session = stage.player.session
            try await session.setCategory(.playAndRecord)
            try await stage.play(on: Sinks.analog)
            let sources = session.inputDataSources
            #expect(sources.map(\.orientation) == [.front, .back])
            #expect(session.inputDataSource?.orientation == .front)
            await stage.clearHistory()
            try await session.setInputDataSource(sources.last)
            try await stage.log.wait(for: "the back microphone") { !$0.routeChanges.isEmpty }
            let change = try #require(stage.log.events.routeChanges.first)
            #expect(change.reason == .routeConfigurationChange)
            #expect(change.current.inputs.map(\.name) == ["Internal Back Microphone"])
            #expect(session.inputDataSource?.orientation == .back)
            #expect(session.routeChoice.input?.reason == .dataSource)
        }
    }

    // MARK: Headset

    /// All sinks are recorded from before the first switch until after the second, and what the
    /// others receive is kept.
    @Test func aCallSwitchesTheHeadsetToHandsFreeAndBackWithoutTheSpeaker() async throws {
        try await Stage.with(.builtIn(), .bluetooth()) { stage in
            let session = stage.player.session
            let headset = try stage.tap(at: Sinks.bluetooth)
            try await stage.play(on: Sinks.bluetooth)
            #expect(stage.player.route.isOn(.bluetoothA2DP))
            await stage.clearHistory()
            let began = ContinuousClock.now
            try await session.setCategory(.playAndRecord, mode: .voiceChat)
            try await stage.log.wait(for: "hands-free") {
                $0.routeChanges.last?.current.isOn(.bluetoothHFP) == true
            }
            #expect(await stage.cards[1].state.profile == "headset-head-unit")
            await headset.reset()
            try await headset.waitUntilLoud()
            #expect(stage.player.state == .playing)
            #expect(stage.log.events.losses == [])
            stage.log.clear()
            try await session.setCategory(.playback)
            try await stage.log.wait(for: "A2DP") { $0.routeChanges.last?.current.isOn(.bluetoothA2DP) == true }
            #expect(await stage.cards[1].state.profile == "a2dp-sink")
            await headset.reset()
            try await headset.waitUntilLoud()
            try await stage.tapSinks()
            let turn = (ContinuousClock.now - began) / .seconds(1)
            let speaker = try await stage.tap(at: Sinks.analog).report
            #expect(speaker.loudFrames == 0, "\(speaker.loudFrames) frames of \(speaker.frames) on the speaker")
            // The tap misses cycles on a busy computer. Sound on the speaker would last for several
            // cycles, so a tap that received half of all receives some of it.
            #expect(Double(speaker.frames) / 48_000 > turn / 2, "\(speaker.frames) frames heard in \(turn) s")
            #expect(await stage.loudFrames().keys.sorted() == [Sinks.bluetooth])
            #expect(stage.log.events.losses == [])
            #expect(stage.player.state == .playing)
        }
    }

    /// Scenario S-157: the call moves to the headset, and is not interrupted by that.
    @Test func aHeadsetThatConnectsDuringACallThatAllowsItIsUsed() async throws {
        try await Stage.with(.builtIn(), .bluetooth()) { stage in
            try await stage.cards[1].remove()
            try await stage.managerLog.wait(for: "the speaker") { $0.areOn(.builtInSpeaker) }
            try await stage.player.session.setCategory(.playAndRecord, mode: .voiceChat)
            try await stage.play(on: Sinks.analog)
            let session = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { session.append($0.timeless) } }
            defer { _ = observation }
            await stage.clearHistory()
            try await stage.cards[1].add()
            try await stage.log.wait(for: "hands-free") {
                $0.routeChanges.last?.current.isOn(.bluetoothHFP) == true
            }
            try await stage.tap(at: Sinks.bluetooth).waitUntilLoud()
            #expect(await stage.cards[1].state.profile == "headset-head-unit")
            #expect(stage.player.state == .playing)
            #expect(stage.log.events.losses == [])
            let isInterrupted = session.events.contains { event in
                switch event {
                case .interruptionBegan, .stateChanged: true
                default: false
                }
            }
            #expect(!isInterrupted, "\(session.events)")
        }
    }

    @Test func aCallThatDoesNotAllowBluetoothDoesNotUseANewHeadset() async throws {
        try await Stage.with(.builtIn(), .bluetooth()) { stage in
            try await stage.cards[1].remove()
            try await stage.managerLog.wait(for: "the speaker") { $0.areOn(.builtInSpeaker) }
            try await stage.player.session.setCategory(.playAndRecord)
            try await stage.play(on: Sinks.analog)
            await stage.clearHistory()
            try await stage.cards[1].add()
            try await stage.managerLog.wait(for: "the headset") {
                !$0.areOn(.builtInSpeaker) && !$0.routeChanges.isEmpty
            }
            try await stage.tap(at: Sinks.bluetooth).wait(untilAttached: true)
            try await stage.tapSinks()
            #expect(await Array(stage.loudFrames().keys) == [Sinks.analog])
            #expect(stage.player.session.routeChoice.output?.reason == .bluetoothNotAllowed)
            #expect(await stage.cards[1].state.profile == "a2dp-sink")
        }
    }
}

extension [AudioSessionManager.Event] {
    /// Whether the computer uses an output of this type. It may have used it before, while it was
    /// not ready.
    fileprivate func areOn(_ type: PortType) -> Bool { routeChanges.last?.current.isOn(type) ?? false }
}

extension VirtualCardDescription {
    /// A laptop with a receiver, which its session manager prefers to the speaker.
    fileprivate static var telephone: Self {
        var card = builtIn()
        card.routes.append(
            Route(
                port: "receiver", name: "analog-output-earpiece", description: "Earpiece", direction: .output,
                portType: "earpiece", priority: 11000, nodes: ["analog"]))
        return card
    }

    /// A laptop with two microphones of its own, of which it uses one at a time.
    fileprivate static var twoMicrophones: Self {
        var card = builtIn()
        card.routes.removeAll { $0.direction == .input }
        for (index, place) in ["Front", "Back"].enumerated() {
            card.routes.append(
                Route(
                    port: "\(place.lowercased())-mic", name: "analog-input-internal-mic-\(place.lowercased())",
                    description: "Internal \(place) Microphone", direction: .input, portType: "mic",
                    priority: 8900 - index, nodes: ["mic"]))
        }
        return card
    }
}

extension Stage {
    fileprivate func prefer(_ type: PortType) async throws {
        let port = try #require(manager.availableOutputs.first { $0.type == type })
        try await player.session.setPreferredOutput(port)
    }

    /// The silence between the last frame at one sink and the first at another.
    fileprivate func gap(from old: String, to new: String) async throws -> Duration {
        let last = try #require(await tap(at: old).report.lastLoudTime)
        let first = try #require(await tap(at: new).report.firstLoudTime)
        return first.since(last)
    }

    /// Moves the stream as a mixer does.
    fileprivate func moveByHand(to sink: String) async throws {
        let graph = await manager.graph
        let stream = try #require(
            graph.nodes.values.first { $0.mediaClass == .playbackStream && $0.name == "Scenario" })
        let target = try #require(graph.nodes.known(as: sink).first?.properties[.objectSerial])
        _ = try await pipeWire.run("pw-metadata", ["\(stream.id.rawValue)", "target.object", target])
    }
}
