import AudioSessionCore
import Testing

/// The output and input of one session beside a Bluetooth headset, by examples.
@Suite struct RouteChoiceBluetoothTests: RouteChoiceFixtures {
    @Test func onlyAnActiveSessionThatRecordsAndAllowsItMakesAHeadsetHandsFree() {
        let computer = graph(Laptop.events + Bluetooth.events(.a2dp))
        for (configuration, isActive, isWanted) in [
            (Self.call, true, true), (Self.call, false, false), (Self.both, true, false),
            (Self.playback, true, false),
        ] {
            var chooser = RouteChooser()
            chooser.evaluate(computer, configuration, isActive: isActive)
            #expect(chooser.requests.headsets == (isWanted ? [Bluetooth.name] : []))
        }
    }

    @Test func anotherMicrophoneKeepsTheHeadsetInA2DP() throws {
        let computer = graph(Laptop.events + Bluetooth.events(.a2dp))
        var chooser = RouteChooser()
        chooser.prefer(computer.availablePorts(.input).first { $0.type == .builtInMic }, .input)
        chooser.evaluate(computer, Self.call, isActive: true)
        #expect(chooser.requests.headsets.isEmpty)
    }

    @Test func thePreferenceSurvivesTheSwitchOfTheProfile() {
        var chooser = RouteChooser()
        chooser.evaluate(graph(Laptop.events + Bluetooth.events(.a2dp)), Self.call, isActive: true)
        chooser.evaluate(graph(Laptop.events + Bluetooth.events(nil)), Self.call, isActive: true)
        #expect(chooser.requests.headsets == [Bluetooth.name])
        chooser.evaluate(graph(Laptop.events), Self.call, isActive: true)
        #expect(chooser.requests.headsets.isEmpty, "it is gone")
    }

    /// The user moves the call to the laptop in the desktop's sound settings.
    @Test func aHeadsetThatTheUserLeavesIsNotNeededHandsFree() {
        var chooser = RouteChooser()
        for mode in [Bluetooth.Mode.a2dp, nil, .handsFree] {
            chooser.evaluate(graph(Laptop.events + Bluetooth.events(mode)), Self.call, isActive: true)
            #expect(chooser.requests.headsets == [Bluetooth.name])
        }
        let speaker = "alsa_output.pci.analog"
        let choice: [GraphEvent] = [.configuredDefaultChanged(.output, speaker), .defaultChanged(.output, speaker)]
        let elsewhere = Laptop.events + Bluetooth.events(.handsFree) + choice
        var recording = chooser
        chooser.evaluate(graph(elsewhere), Self.call, isActive: true)
        #expect(chooser.requests.headsets.isEmpty)
        let microphone = GraphEvent.defaultChanged(.input, "bluez_input.02_00.0")
        recording.evaluate(graph(elsewhere + [microphone]), Self.call, isActive: true)
        #expect(recording.requests.headsets == [Bluetooth.name], "its microphone is in use")
    }

    @Test func aSessionThatDoesNotAllowBluetoothPlaysElsewhere() {
        let plain = AudioSessionConfiguration(.playAndRecord)
        var chooser = RouteChooser()
        chooser.evaluate(graph(Laptop.events), plain, isActive: true)
        #expect(chooser.target(.output) == "alsa_output.pci.analog", "before a headset connects")
        chooser.evaluate(graph(Laptop.events + Bluetooth.events(.a2dp)), plain, isActive: true)
        #expect(chooser.output?.choice.reason == .bluetoothNotAllowed)
        #expect(chooser.output?.choice.port?.type.isBuiltIn == true || chooser.output?.choice.port?.type == .hdmi)
    }

    /// WirePlumber offers the microphone of a headset in A2DP, and recording from it ends A2DP.
    @Test func aSessionThatAllowsOnlyA2DPRecordsElsewhere() {
        let microphone: Properties = [
            .nodeName: "bluez_input.02:00", .mediaClass: MediaClass.source.rawValue,
            .deviceID: String(Bluetooth.device), .bluezLoopback: "true",
        ]
        let computer = graph(
            Laptop.events + Bluetooth.events(.a2dp) + [
                .nodeProperties(ObjectID(Bluetooth.source), microphone), .defaultChanged(.input, "bluez_input.02:00"),
            ])
        var chooser = RouteChooser()
        chooser.evaluate(computer, Self.both, isActive: true)
        #expect(chooser.output?.choice.port?.type == .bluetoothA2DP && chooser.target(.output) == nil)
        #expect(chooser.input?.choice.reason == .bluetoothNotAllowed)
        #expect(chooser.input?.choice.port?.type == .builtInMic && chooser.target(.input) == "alsa_input.pci.mic")
        chooser.evaluate(computer, Self.call, isActive: true)
        #expect(chooser.input?.choice.port?.type == .bluetoothHFP, "a call allows hands-free devices")
    }

    /// A session that allows no Bluetooth requests its port by name.
    @Test func aBluetoothHeadsetThatIsNotAllowedDoesNotMoveTheRoute() {
        var (scene, chooser) = (RouteScene(Laptop.events), RouteChooser())
        let call = AudioSessionConfiguration(.playAndRecord)
        func targets() -> RouteTargets {
            chooser.evaluate(scene.registry.graph, call, isActive: true)
            return RouteTargets(output: RouteTarget(chooser.output, isAllowed: true), input: .unused)
        }
        let session = scene.open(targets())
        scene.advance(by: .seconds(10))
        for event in Bluetooth.events(.a2dp) { scene.emit(event) }
        scene.settle()
        scene.run(scene.routes.setTargets(targets(), of: session, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [])
    }

    @Test(arguments: [true, false]) func aHeadsetThatBringsItsMicrophoneForACallIsNotLost(isCar: Bool) {
        var scene = RouteScene(Laptop.events + Bluetooth.events(.a2dp, isCar: isCar))
        scene.advance(by: .seconds(10))
        scene.run(scene.routes.expectSwitch(of: Bluetooth.name, now: scene.now))
        scene.emit(.disappeared(ObjectID(71)))
        for event in Bluetooth.events(.handsFree, isCar: isCar).dropFirst(5) { scene.emit(event) }
        scene.emit(.defaultChanged(.input, "bluez_input.02_00.0"))
        scene.settle()
        scene.advance(by: .seconds(2))
        let music: PortType = isCar ? .carAudio : .bluetoothA2DP
        #expect(scene.takeChanges().last == .change(.routeConfigurationChange, [music], [.bluetoothHFP]))
    }

    /// The headset's hands-free profile is not needed any more.
    @Test(arguments: [true, false]) func aHeadsetThatLeavesHandsFreeEndsNoOverride(isCar: Bool) {
        var chooser = RouteChooser()
        chooser.override(.speaker, graph(Laptop.events + Bluetooth.events(.handsFree, isCar: isCar)))
        for mode in [Bluetooth.Mode.handsFree, nil, .a2dp] {
            chooser.evaluate(graph(Laptop.events + Bluetooth.events(mode, isCar: isCar)), Self.call, isActive: true)
            #expect(chooser.preferences.override == .speaker)
        }
    }
}
