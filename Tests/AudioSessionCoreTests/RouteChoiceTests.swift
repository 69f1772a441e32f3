import AudioSessionCore
import Testing

/// The output that one session uses, by examples.
@Suite struct RouteChoiceTests {
    private static let playback = AudioSessionConfiguration(.playback)
    private static let both = AudioSessionConfiguration(.playAndRecord, options: .allowBluetoothA2DP)
    private static let call = AudioSessionConfiguration(.playAndRecord, mode: .voiceChat)

    private let analog = CardPort(device: "alsa_card.pci", number: 0, direction: .output)
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func aSessionWithoutPreferencesFollowsTheDefault() {
        var chooser = RouteChooser()
        chooser.evaluate(graph(Laptop.events), Self.playback, isActive: true)
        #expect(chooser.output == nil && chooser.requests.isEmpty)
        chooser.evaluate(graph(Laptop.events), Self.both, isActive: true)
        #expect(chooser.output?.choice.reason == .systemDefault && chooser.target(.output) == nil)
        #expect(chooser.input?.choice.port?.type == .builtInMic)
    }

    @Test func aPreferredPortOfAnotherCardIsRequestedByItsNode() {
        let computer = graph(Laptop.events + Headset.events)
        var chooser = preferring(.usbAudio, computer)
        chooser.evaluate(computer, Self.playback, isActive: true)
        #expect(chooser.output?.choice.reason == .preferred)
        #expect(chooser.target(.output) == Headset.sinkName)
        #expect(chooser.requests.isEmpty, "the card has nothing to switch")
        chooser.prefer(nil, .output)
        chooser.evaluate(computer, Self.playback, isActive: true)
        #expect(chooser.target(.output) == nil)
    }

    @Test func aPreferredPortThatIsRemovedIsStillRequested() {
        let computer = graph(Laptop.events + Headset.events)
        var chooser = preferring(.usbAudio, computer)
        chooser.evaluate(graph(Laptop.events), Self.playback, isActive: true)
        let choice = chooser.output?.choice
        #expect(choice?.reason == .preferredMissing)
        #expect(choice?.port?.type == .builtInSpeaker && choice?.wanted?.type == .usbAudio)
        #expect(chooser.target(.output) == Headset.sinkName)
        chooser.evaluate(computer, Self.playback, isActive: true)
        #expect(chooser.output?.choice.reason == .preferred)
    }

    @Test func aPreferredPortWithAnEmptyJackIsNotRequested() {
        let plugged = graph(listening)
        var chooser = preferring(.headphones, plugged)
        chooser.evaluate(graph(Laptop.events), Self.playback, isActive: true)
        #expect(chooser.output?.choice.reason == .preferredMissing && chooser.target(.output) == nil)
        #expect(chooser.requests.isEmpty)
    }

    @Test(arguments: [AudioSessionConfiguration.RouteSharingPolicy.longFormAudio, .longFormVideo])
    func aLongFormPolicyUsesTheDefaultWhateverIsPreferred(policy: AudioSessionConfiguration.RouteSharingPolicy) {
        let computer = graph(Laptop.events + Headset.events)
        var chooser = preferring(.usbAudio, computer)
        chooser.evaluate(computer, AudioSessionConfiguration(.playback, policy: policy), isActive: true)
        #expect(chooser.output?.choice.reason == .systemDefault && chooser.target(.output) == nil)
        #expect(chooser.output?.choice.port?.type == .builtInSpeaker)
        chooser.evaluate(computer, Self.playback, isActive: true)
        #expect(chooser.output?.choice.reason == .preferred, "the preference is kept")
    }

    // MARK: One card, one sink, two ports

    @Test func anotherPortOfTheSameSinkSwitchesTheCardOnlyWhileActive() {
        let computer = graph(listening)
        var chooser = preferring(.builtInSpeaker, computer)
        chooser.evaluate(computer, Self.playback, isActive: false)
        #expect(chooser.output?.choice.port?.type == .builtInSpeaker && chooser.requests.isEmpty)
        chooser.evaluate(computer, Self.playback, isActive: true)
        #expect(chooser.requests.routes == [analog: "analog-output-speaker"])
        chooser.evaluate(computer, Self.playback, isActive: false)
        #expect(chooser.requests.isEmpty)
    }

    @Test func aLaterSwitchOfTheCardStays() {
        var chooser = preferring(.builtInSpeaker, graph(listening))
        chooser.evaluate(graph(listening), Self.playback, isActive: true)
        chooser.evaluate(graph(listening), Self.playback, isActive: true)
        #expect(!chooser.requests.isEmpty, "the card has not obeyed yet")
        let obeyed = graph(listening + [.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking)])
        chooser.evaluate(obeyed, Self.playback, isActive: true)
        chooser.evaluate(graph(listening), Self.playback, isActive: true)
        let choice = chooser.output?.choice
        #expect(choice?.reason == .cardSwitched && choice?.port?.type == .headphones)
        #expect(choice?.wanted?.type == .builtInSpeaker && chooser.requests.isEmpty)
        chooser.prefer(speaker(graph(listening)), .output)
        chooser.evaluate(graph(listening), Self.playback, isActive: true)
        #expect(chooser.output?.choice.reason == .preferred && !chooser.requests.isEmpty)
    }

    /// Headphones are plugged in and pulled, and the card is on the preferred speaker again.
    @Test func aCardThatReturnsByItselfIsAsBefore() {
        let speaking = Laptop.events + [.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking)]
        var chooser = preferring(.builtInSpeaker, graph(speaking))
        for _ in 1...2 {
            chooser.evaluate(graph(speaking), Self.playback, isActive: true)
            #expect(chooser.output?.choice.reason == .preferred)
            chooser.evaluate(graph(listening), Self.playback, isActive: true)
            #expect(chooser.output?.choice.reason == .cardSwitched && chooser.requests.isEmpty)
        }
    }

    @Test func theSpeakerOverridesUntilAnotherOutputAppears() {
        let computer = graph(listening)
        var chooser = RouteChooser()
        chooser.override(.speaker, computer)
        chooser.evaluate(computer, Self.both, isActive: true)
        #expect(chooser.output?.choice.reason == .override && chooser.input?.choice.reason == .override)
        #expect(chooser.input?.choice.port?.type == .builtInMic)
        #expect(chooser.requests.routes[analog] == "analog-output-speaker")
        chooser.evaluate(graph(listening + Headset.events), Self.both, isActive: true)
        #expect(chooser.preferences.override == .none)
        #expect(chooser.output?.choice.reason == .systemDefault && chooser.requests.isEmpty)
    }

    /// A jack is emptied or a device removed, and occupied or connected again.
    @Test func theOverrideEndsWhenAnOutputReturns() {
        let both = listening + Headset.events
        for without in [Laptop.events + Headset.events, listening] {
            var chooser = RouteChooser()
            chooser.override(.speaker, graph(both))
            for (events, override) in [(both, PortOverride.speaker), (without, .speaker), (both, .none)] {
                chooser.evaluate(graph(events), Self.both, isActive: true)
                #expect(chooser.preferences.override == override)
            }
        }
    }

    /// The devices of a session manager are removed with it, and return one by one.
    @Test func aRestartOfTheSessionManagerEndsNoOverride() {
        let all = graph(listening + Headset.events)
        var chooser = RouteChooser()
        chooser.override(.speaker, all)
        for computer in [all, AudioGraph(), graph(listening), all] {
            chooser.evaluate(computer, Self.both, isActive: true)
            #expect(chooser.preferences.override == .speaker)
        }
    }

    /// The session manager has returned before the program, but not with all devices.
    @Test func aRestartOfPipeWireEndsNoOverride() {
        let all = graph(listening + Headset.events)
        var chooser = RouteChooser()
        chooser.override(.speaker, all)
        chooser.noteRestart()
        for computer in [graph(listening), all] {
            chooser.evaluate(computer, Self.both, isActive: true)
            #expect(chooser.preferences.override == .speaker)
        }
        chooser.evaluate(graph(listening), Self.both, isActive: true)
        chooser.evaluate(all, Self.both, isActive: true)
        #expect(chooser.preferences.override == .none, "all outputs had returned")
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

    @Test func aCardIsSwitchedBackUnlessAnotherProgramSwitchedIt() throws {
        let device = ObjectID(Laptop.device)
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        let requests = CardRequests(routes: [analog: "analog-output-speaker"])
        let obeyed = graph(listening + [.deviceActiveRoutes(device, Laptop.speaking)])
        var cards = CardSwitcher()
        #expect(
            cards.set(requests, of: session, graph(listening), now: now) == [.setRoute(device, index: 0, number: 0)])
        #expect(cards.set(requests, of: session, graph(listening), now: now).isEmpty, "asked once")
        var others = cards
        #expect(cards.set(CardRequests(), of: session, obeyed, now: now) == [.setRoute(device, index: 1, number: 0)])
        #expect(
            others.set(CardRequests(), of: session, graph(listening), now: now).isEmpty,
            "another program has done it already")
        // A card that had the preferred route all the time is not switched back.
        var idle = CardSwitcher()
        #expect(idle.set(requests, of: session, obeyed, now: now).isEmpty)
        #expect(idle.set(CardRequests(), of: session, obeyed, now: now).isEmpty)
    }

    /// WirePlumber writes the volume of each route that becomes active, and by that selects the
    /// route.
    @Test func aWriteThatSelectsAFormerRouteAgainIsUndone() throws {
        let device = ObjectID(Laptop.device)
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        let requests = CardRequests(routes: [analog: "analog-output-speaker"])
        let speaking = graph(listening + [.deviceActiveRoutes(device, Laptop.speaking)])
        var cards = CardSwitcher()
        _ = cards.set(requests, of: session, graph(listening), now: now)
        _ = cards.set(CardRequests(), of: session, speaking, now: now)
        let due = try #require(cards.deadline)
        #expect(due > now && due <= now + .seconds(1))
        let back = [GraphCommand.setRoute(device, index: 1, number: 0)]
        for (state, isNeeded, isWanted, expected) in [
            (speaking, false, false, back), (graph(listening), false, false, []), (speaking, true, false, []),
            (speaking, false, true, []),
        ] {
            var copy = cards
            if isWanted { _ = copy.set(requests, of: session, graph(listening), now: now) }
            #expect(copy.checkRoutes(state, now: now) { _ in isNeeded } == [])
            #expect(copy.checkRoutes(state, now: due) { _ in isNeeded } == expected)
            #expect(copy.deadline == nil, "checked once")
        }
    }

    @Test func theNewestOfTwoSessionsChoosesAndThenTheOther() throws {
        let device = ObjectID(Laptop.device)
        let (one, two) = (
            try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11")),
            try #require(AudioSessionID("c0ffee00-1a2b-4c3d-8e4f-5a6b7c8d9e0f"))
        )
        let obeyed = graph(listening + [.deviceActiveRoutes(device, Laptop.speaking)])
        var cards = CardSwitcher()
        _ = cards.set(CardRequests(routes: [analog: "analog-output-headphones"]), of: one, graph(listening), now: now)
        let speaker = CardRequests(routes: [analog: "analog-output-speaker"])
        #expect(cards.set(speaker, of: two, graph(listening), now: now) == [.setRoute(device, index: 0, number: 0)])
        #expect(cards.set(CardRequests(), of: two, obeyed, now: now) == [.setRoute(device, index: 1, number: 0)])
    }

    // MARK: Bluetooth

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

    @Test func theHeadsetIsSwitchedBackWhenNoSessionRecordsFromIt() throws {
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        let device = ObjectID(Bluetooth.device)
        let requests = CardRequests(headsets: [Bluetooth.name])
        var cards = CardSwitcher()
        let good = graph(Laptop.events + Bluetooth.events(.a2dp))
        #expect(cards.set(requests, of: session, good, now: now) == [.setProfile(device, index: 2)])
        let handsFree = Laptop.events + Bluetooth.events(.handsFree)
        #expect(cards.evaluate(graph(handsFree)).isEmpty)
        let recorder: Properties = [.nodeName: "recorder", .mediaClass: MediaClass.captureStream.rawValue]
        let recorded = graph(
            handsFree + [
                .nodeProperties(ObjectID(90), recorder),
                .linkAppeared(
                    Link(id: ObjectID(91), outputNode: ObjectID(Bluetooth.source), inputNode: ObjectID(90))),
            ])
        #expect(cards.set(CardRequests(), of: session, recorded, now: now).isEmpty, "another program still needs it")
        #expect(cards.isWaiting)
        #expect(cards.evaluate(graph(handsFree)) == [.setProfile(device, index: 1)])
        #expect(!cards.isWaiting)
        var late = CardSwitcher()
        _ = late.set(requests, of: session, good, now: now)
        #expect(
            late.set(CardRequests(), of: session, good, now: now) == [.setProfile(device, index: 1)],
            "the card has not obeyed yet")
    }

    @Test func theWatchdogSwitchesAHeadsetBack() throws {
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        let handsFree = graph(Laptop.events + Bluetooth.events(.handsFree))
        var cards = CardSwitcher()
        #expect(!cards.isSwitching)
        _ = cards.set(
            CardRequests(headsets: [Bluetooth.name]), of: session, graph(Laptop.events + Bluetooth.events(.a2dp)),
            now: now)
        let order = try #require(cards.restoreOrders(handsFree).first)
        #expect(order.mark == CardMark(.headset(Bluetooth.name), choice: "headset-head-unit"))
        #expect(cards.isSwitching && order.chosen == 2 && order.back == 1)
        let codec = DeviceProfile(index: 261, name: "headset-head-unit-msbc", availability: .yes)
        let withCodec = graph(
            Laptop.events + Bluetooth.events(.handsFree)
                + [.deviceActiveProfile(ObjectID(Bluetooth.device), codec)])
        #expect(cards.restoreOrders(withCodec).first?.line == "@261 1 headset;0;bluez_card.02_00;")
        _ = cards.set(CardRequests(), of: session, handsFree, now: now)
        #expect(!cards.isSwitching && cards.restoreOrders(handsFree) == [])
        var other = CardSwitcher()
        _ = other.set(CardRequests(headsets: [Bluetooth.name]), of: session, handsFree, now: now)
        #expect(!other.isSwitching, "another program has switched it")
    }

    @Test func aProgramThatRecordsFromTheHeadsetsOutputDoesNotKeepItHandsFree() throws {
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        var cards = CardSwitcher()
        _ = cards.set(
            CardRequests(headsets: [Bluetooth.name]), of: session, graph(Laptop.events + Bluetooth.events(.a2dp)),
            now: now)
        let recorder: Properties = [.nodeName: "meter", .mediaClass: MediaClass.captureStream.rawValue]
        let metered = graph(
            Laptop.events + Bluetooth.events(.handsFree) + [
                .nodeProperties(ObjectID(90), recorder),
                .linkAppeared(Link(id: ObjectID(91), outputNode: ObjectID(71), inputNode: ObjectID(90))),
            ])
        let commands = cards.set(CardRequests(), of: session, metered, now: now)
        #expect(commands == [.setProfile(ObjectID(Bluetooth.device), index: 1)])
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

    // MARK: Descriptions

    @Test(arguments: PortChoice.Reason.allCases)
    func everyReasonIsASentence(_ reason: PortChoice.Reason) {
        let port = PortDescription(type: .headphones, name: "Headphones", uid: "h", direction: .output)
        let text = PortChoice(port: port, reason: reason, wanted: port).description
        #expect(text.hasPrefix("Headphones, because ") && text.hasSuffix("."))
    }

    @Test func portsOfOneTypeOnOneNodeAreDataSources() throws {
        let routes = [("internal-mic-front", 10), ("internal-mic-rear", 11)].map { name, index in
            DeviceRoute(
                index: index, direction: .input, name: name, description: name, priority: 100 - index,
                portType: "mic",
                profiles: [1], devices: [2], device: 2)
        }
        let id = ObjectID(Laptop.device)
        let computer = graph(
            Laptop.events + [.deviceRoutes(id, routes), .deviceActiveRoutes(id, [routes[0]])])
        let port = try #require(computer.defaultPort(.input))
        let (sources, selected) = computer.dataSources(of: port)
        #expect(sources.map(\.orientation) == [.front, .back] && selected?.id == "internal-mic-front")
        let one = graph(Laptop.events)
        #expect(one.dataSources(of: try #require(one.defaultPort(.output))).sources.isEmpty)
        var chooser = RouteChooser()
        chooser.select(sources[1], .input)
        chooser.evaluate(computer, Self.call, isActive: true)
        #expect(chooser.input?.choice.reason == .dataSource && chooser.target(.input) == nil)
        #expect(chooser.requests.routes.values.sorted() == ["internal-mic-rear"])
    }

    // MARK: Fixtures

    private func graph(_ events: [GraphEvent]) -> AudioGraph { RouteScene(events).registry.graph }

    private var listening: [GraphEvent] {
        Laptop.events + [
            .deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .yes)),
            .deviceActiveRoutes(ObjectID(Laptop.device), Laptop.listening),
        ]
    }

    private func speaker(_ graph: AudioGraph) -> PortDescription? {
        graph.availablePorts(.output).first { $0.type == .builtInSpeaker }
    }

    private func preferring(_ type: PortType, _ graph: AudioGraph) -> RouteChooser {
        var chooser = RouteChooser()
        let port = graph.availablePorts(.output).first { $0.type == type }
        #expect(port != nil)
        chooser.prefer(port, .output)
        return chooser
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

    @Test func aFilterThatFollowsTheCardEndsNoOverride() {
        let nodes = [(UInt32(70), "Audio/Sink"), (71, "Stream/Output/Audio")]
        let filter: [GraphEvent] =
            nodes.map { id, mediaClass in
                .nodeProperties(
                    ObjectID(id), [.nodeName: "f.\(id)", .mediaClass: mediaClass, .nodeLinkGroup: "f"])
            } + [.linkAppeared(Link(id: ObjectID(80), outputNode: ObjectID(71), inputNode: ObjectID(Laptop.analog)))]
        var chooser = RouteChooser()
        chooser.override(.speaker, graph(listening + filter))
        let obeyed = listening + filter + [.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking)]
        for events in [listening + filter, obeyed] {
            chooser.evaluate(graph(events), Self.both, isActive: true)
        }
        #expect(chooser.preferences.override == .speaker)
    }

    @Test func aCardThatAnswersAfterTheSessionsEndIsSwitchedBack() throws {
        let device = ObjectID(Laptop.device)
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        var cards = CardSwitcher()
        let requests = CardRequests(routes: [analog: "analog-output-speaker"])
        _ = cards.set(requests, of: session, graph(listening), now: now)
        _ = cards.set(CardRequests(), of: session, graph(listening), now: now)
        let due = try #require(cards.deadline)
        let late = graph(listening + [.deviceActiveRoutes(device, Laptop.speaking)])
        #expect(cards.checkRoutes(late, now: due) { _ in false } == [.setRoute(device, index: 1, number: 0)])
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
}

/// A Bluetooth headset in one of its profiles, the default of the computer.
private enum Bluetooth {
    static let device: UInt32 = 70
    static let source: UInt32 = 72
    static let name = "bluez_card.02_00"

    enum Mode { case a2dp, handsFree }

    /// The events of a headset in this mode; `nil` while the profile is being switched.
    static func events(_ mode: Mode?, isCar: Bool = false) -> [GraphEvent] {
        let id = ObjectID(device)
        var properties: Properties = [
            .deviceName: name, .deviceAPI: "bluez5", .mediaClass: "Audio/Device", .deviceBus: "bluetooth",
            .bluezAddress: "02:00",
        ]
        if isCar { properties[.deviceFormFactor] = "car" }
        let profiles = ["off", "a2dp-sink", "headset-head-unit"].enumerated().map {
            DeviceProfile(index: $0, name: $1, availability: .yes)
        }
        let card: [GraphEvent] = [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, []),
            .deviceActiveRoutes(id, []), .deviceProfiles(id, profiles),
            .deviceActiveProfile(id, profiles[mode == .a2dp ? 1 : 2]),
        ]
        guard let mode else { return card }
        let profile = mode == .a2dp ? "a2dp-sink" : "headset-head-unit"
        return card + node(71, "bluez_output.02_00.1", .sink, profile)
            + (mode == .handsFree ? node(source, "bluez_input.02_00.0", .source, profile) : [])
            + [.defaultChanged(.output, "bluez_output.02_00.1")]
    }

    private static func node(_ id: UInt32, _ name: String, _ kind: MediaClass, _ profile: String) -> [GraphEvent] {
        let properties: Properties = [
            .nodeName: name, .mediaClass: kind.rawValue, .deviceID: String(device), .bluezProfile: profile,
            .bluezAddress: "02:00", .deviceAPI: "bluez5",
        ]
        return [
            .nodeProperties(ObjectID(id), properties)
        ]
    }
}
