import AudioSessionCore
import Testing

/// The output that one session uses, by examples.
@Suite struct RouteChoiceTests: RouteChoiceFixtures {
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
}
