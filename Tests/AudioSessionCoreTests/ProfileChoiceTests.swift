import Testing

@testable import AudioSessionCore

/// Outputs that need another profile of their card, by examples.
@Suite struct ProfileChoiceTests {
    private static let playback = AudioSessionConfiguration(.playback)
    private static let name = "alsa_card.pci"
    private static let analog = "output:analog-stereo+input:analog-stereo"
    private static let hdmi = "output:hdmi-stereo+input:analog-stereo"
    private static let speaker = "HiFi (HDMI1, Speaker)"

    private let session = AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11")!
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func anOutputOfAnotherProfileIsListedWhileItCanBeUsed() throws {
        #expect(outputs(graph(on: Self.analog)) == ["analog-output-speaker", "hdmi-output-0 *"])
        #expect(outputs(graph(on: Self.hdmi)) == ["analog-output-speaker *", "hdmi-output-0"])
        #expect(outputs(graph(on: Self.analog, screen: .no)) == ["analog-output-speaker"], "there is no screen")
        #expect(outputs(graph(on: "off")) == [], "the user has switched the card off")
        #expect(outputs(graph(on: "pro-audio")) == ["analog-output-speaker"])
        #expect(outputs(graph(on: Self.analog, others: .no)) == ["analog-output-speaker"], "no profile can be chosen")
        let port = try #require(screen(graph(on: Self.analog)))
        #expect(port.type == .hdmi && port.uid == "alsa_card.pci/hdmi-output-0" && port.nodeName == nil)
        #expect(graph(on: Self.analog).availablePorts(.input).allSatisfy { !$0.needsProfileChange })
    }

    /// Without the microphone a call would end.
    @Test func theProfileThatKeepsTheMicrophoneIsChosen() throws {
        let computer = graph(on: Self.analog)
        let device = try #require(computer.device(named: Self.name))
        let route = try #require(device.routes.first { $0.name == "hdmi-output-0" })
        #expect(device.profile(with: route)?.name == Self.hdmi)
        let silent = graph(on: "output:analog-stereo").device(named: Self.name)
        #expect(silent?.profile(with: route)?.name == Self.hdmi, "the first")
        #expect(graph(on: Self.hdmi).device(named: Self.name)?.profile(with: route) == nil)
    }

    @Test func aPreferredOutputSwitchesTheProfileWhileActive() {
        var chooser = preferring(graph(on: Self.analog))
        chooser.evaluate(graph(on: Self.analog), Self.playback, isActive: false)
        #expect(chooser.output?.choice.reason == .preferred && chooser.requests.isEmpty)
        let request = CardRequests(profiles: [Self.name: Self.hdmi])
        chooser.evaluate(graph(on: Self.analog), Self.playback, isActive: true)
        #expect(chooser.requests == request && chooser.target(.output) == nil)
        chooser.evaluate(graph(on: Self.hdmi), Self.playback, isActive: true)
        #expect(chooser.requests == request && chooser.target(.output) == "alsa_output.pci.hdmi", "it is needed on")
        chooser.prefer(screen(graph(on: Self.hdmi)), .output)
        chooser.evaluate(graph(on: Self.hdmi), Self.playback, isActive: true)
        #expect(chooser.requests == request, "the same once more")
        var other = chooser
        other.prefer(nil, .output)
        other.evaluate(graph(on: Self.hdmi), Self.playback, isActive: true)
        #expect(other.requests.isEmpty)
        chooser.evaluate(graph(on: Self.hdmi, screen: .no), Self.playback, isActive: true)
        #expect(chooser.requests.isEmpty && chooser.output?.choice.reason == .preferredMissing)
    }

    @Test func aProfileThatTheUserChoosesStays() {
        var chooser = preferring(graph(on: Self.analog))
        for profile in [Self.analog, Self.analog, Self.hdmi, Self.analog] {
            #expect(chooser.output?.choice.reason != .cardSwitched)
            chooser.evaluate(graph(on: profile), Self.playback, isActive: true)
        }
        let choice = chooser.output?.choice
        #expect(choice?.reason == .cardSwitched && chooser.requests.isEmpty)
        #expect(choice?.port?.type == .builtInSpeaker && choice?.wanted?.type == .hdmi)
        chooser.prefer(screen(graph(on: Self.analog)), .output)
        chooser.evaluate(graph(on: Self.analog), Self.playback, isActive: true)
        #expect(chooser.output?.choice.reason == .preferred && !chooser.requests.isEmpty, "wished for anew")
    }

    /// A speaker button leads back to the speaker from a screen that the session has chosen, not
    /// from one that the user has chosen.
    @Test func anOverrideLeavesTheProfileOfTheSession() {
        let call = AudioSessionConfiguration(.playAndRecord, mode: .voiceChat)
        var chooser = preferring(graph(on: Self.analog))
        for profile in [Self.analog, Self.hdmi] { chooser.evaluate(graph(on: profile), call, isActive: true) }
        let outputs = graph(on: Self.hdmi).availablePorts(.output)
        #expect(chooser.hasSpeaker(among: outputs) && !RouteChooser().hasSpeaker(among: outputs))
        #expect(RouteChooser().hasSpeaker(among: graph(on: Self.analog).availablePorts(.output)))
        chooser.override(.speaker, graph(on: Self.hdmi))
        chooser.evaluate(graph(on: Self.hdmi), call, isActive: true)
        #expect(chooser.requests.profiles.isEmpty)
        chooser.evaluate(graph(on: Self.analog), call, isActive: true)
        #expect(chooser.output?.choice.reason == .override && chooser.output?.choice.port?.type == .builtInSpeaker)
    }

    @Test func anOverrideLeavesTheProfileOfTheHeadphones() {
        let call = AudioSessionConfiguration(.playAndRecord, mode: .voiceChat)
        var chooser = RouteChooser()
        #expect(chooser.hasSpeaker(among: split(on: 2).availablePorts(.output)))
        chooser.override(.speaker, split(on: 2))
        for profile in [2, 1, 1] {
            chooser.evaluate(split(on: profile), call, isActive: true)
            #expect(chooser.output?.choice.reason == .override)
            #expect(chooser.output?.choice.port?.type == .builtInSpeaker)
            #expect(chooser.requests.profiles == [Self.name: Self.speaker])
        }
        var ended = chooser
        ended.endOverride()
        ended.evaluate(split(on: 1), call, isActive: true)
        #expect(ended.requests.profiles.isEmpty)
        chooser.evaluate(split(on: 2), call, isActive: true)
        #expect(chooser.requests.profiles.isEmpty, "the user has chosen the headphones")
        #expect(chooser.output?.choice.reason == .cardSwitched && chooser.output?.choice.port?.type == .headphones)
    }

    @Test func aCardIsSwitchedBackUnlessTheUserSwitchedIt() {
        let device = ObjectID(Laptop.device)
        let requests = CardRequests(profiles: [Self.name: Self.hdmi])
        var cards = CardSwitcher()
        #expect(cards.set(requests, of: session, graph(on: Self.analog), now: now) == [.setProfile(device, index: 2)])
        #expect(cards.set(requests, of: session, graph(on: Self.analog), now: now) == [])
        let order = cards.restoreOrders(graph(on: Self.hdmi)).first
        #expect(order?.mark == CardMark(.profile(Self.name), choice: Self.hdmi))
        #expect(order?.chosen == 2 && order?.back == 1 && cards.isSwitching)
        var (others, needed, gone, late) = (cards, cards, cards, cards)
        #expect(
            cards.set(CardRequests(), of: session, graph(on: Self.hdmi), now: now) == [.setProfile(device, index: 1)])
        #expect(!cards.isSwitching && cards.restoreOrders(graph(on: Self.hdmi)) == [])
        #expect(others.set(CardRequests(), of: session, graph(on: "off"), now: now) == [], "a person chose it")
        #expect(
            late.set(CardRequests(), of: session, graph(on: Self.analog), now: now) == [
                .setProfile(device, index: 1)
            ],
            "the card has not obeyed yet")
        let whileNeeded = needed.set(CardRequests(), of: session, graph(on: Self.hdmi), now: now) { _ in true }
        #expect(whileNeeded == [], "another program's session needs it")
        #expect(gone.set(CardRequests(), of: session, AudioGraph(), now: now) == [] && !gone.isSwitching)
        var idle = CardSwitcher()
        #expect(idle.set(requests, of: session, graph(on: Self.hdmi), now: now) == [])
        #expect(idle.set(CardRequests(), of: session, graph(on: Self.hdmi), now: now) == [], "it was so before")
    }

    /// A laptop has the profile of its headphones also without them while a screen is connected.
    @Test(arguments: [Availability.yes, .no]) func aProfileOfPulledHeadphonesDoesNotReturn(headphones: Availability) {
        let device = ObjectID(Laptop.device)
        var cards = CardSwitcher()
        let requests = CardRequests(profiles: [Self.name: Self.speaker])
        #expect(cards.set(requests, of: session, split(on: 2), now: now) == [.setProfile(device, index: 1)])
        let order = cards.restoreOrders(split(on: 1, headphones: headphones)).first
        #expect(order?.mark == CardMark(.profile(Self.name), choice: Self.speaker))
        #expect(order?.chosen == 1 && order?.back == (headphones == .yes ? 2 : nil), "the watchdog does the same")
        #expect(order?.line == (headphones == .yes ? "@1 2 profile;0;alsa_card.pci;" : nil))
        let back = cards.set(CardRequests(), of: session, split(on: 1, headphones: headphones), now: now)
        let expected: [GraphCommand] = headphones == .yes ? [.setProfile(device, index: 2)] : []
        #expect(back == expected)
        #expect(!cards.isSwitching)
    }

    /// The session manager selects their profile as well, and a moment later.
    @Test func preferredHeadphonesThatReturnKeepTheirProfileAfterTheSession() {
        let device = ObjectID(Laptop.device)
        var (chooser, cards) = (RouteChooser(), CardSwitcher())
        chooser.prefer(headphones(split(on: 2)), .output)
        var commands: [GraphCommand] = []
        for computer in [split(on: 2), split(on: 2, headphones: .no), split(on: 1, headphones: .no), split(on: 1)] {
            #expect(commands == [])
            chooser.evaluate(computer, Self.playback, isActive: true)
            commands = cards.set(chooser.requests, of: session, computer, now: now)
        }
        #expect(commands == [.setProfile(device, index: 2)])
        #expect(cards.restoreOrders(split(on: 1)) == [], "there is nothing to go back to")
        var pulled = cards
        #expect(pulled.set(CardRequests(), of: session, split(on: 1, headphones: .no), now: now) == [])
        #expect(cards.set(CardRequests(), of: session, split(on: 2), now: now) == [])
    }

    /// A program prefers headphones as soon as they are available. If they were plugged in long
    /// before, the user has chosen the speaker.
    @Test(arguments: [true, false]) func headphonesThatWereJustPluggedInKeepTheirProfile(isNew: Bool) {
        var (chooser, cards) = (RouteChooser(), CardSwitcher())
        chooser.prefer(headphones(split(on: 1)), .output)
        chooser.evaluate(split(on: 1), Self.playback, isActive: true)
        let arrived: Set<String> = isNew ? ["alsa_card.pci/analog-output-headphones"] : []
        let commands = cards.set(chooser.requests, of: session, split(on: 1), now: now, arrived: arrived)
        #expect(commands == [.setProfile(ObjectID(Laptop.device), index: 2)])
        let back: [GraphCommand] = isNew ? [] : [.setProfile(ObjectID(Laptop.device), index: 1)]
        #expect(cards.set(CardRequests(), of: session, split(on: 2), now: now) == back)
    }

    /// The card shows the occupied jack first. The user has chosen the speaker, and the session the
    /// headphones.
    @Test func preferredHeadphonesThatReturnAreRequestedAgain() {
        var chooser = RouteChooser()
        chooser.prefer(headphones(split(on: 1)), .output)
        let request = [Self.name: "HiFi (HDMI1, Headphones)"]
        for computer in [split(on: 1), split(on: 2)] {
            chooser.evaluate(computer, Self.playback, isActive: true)
            #expect(chooser.requests.profiles == request)
        }
        for jack in [Availability.no, .yes] {
            chooser.evaluate(split(on: 1, headphones: jack, others: .no), Self.playback, isActive: true)
            #expect(chooser.requests.isEmpty)
        }
        chooser.evaluate(split(on: 1), Self.playback, isActive: true)
        #expect(chooser.requests.profiles == request && chooser.output?.choice.reason == .preferred)
        #expect(chooser.requests.regained.isEmpty, "the speaker returns")
    }

    /// The user has switched off the microphone of the card, and the session switched it on.
    @Test func aProfileWithoutPortsOfItsOwnReturns() {
        let device = ObjectID(Laptop.device)
        var cards = CardSwitcher()
        let requests = CardRequests(profiles: [Self.name: Self.analog])
        let before = graph(on: "output:analog-stereo")
        #expect(cards.set(requests, of: session, before, now: now) == [.setProfile(device, index: 1)])
        let back = cards.set(CardRequests(), of: session, graph(on: Self.analog), now: now)
        #expect(back == [.setProfile(device, index: 3)])
    }

    @Test func marksOfProfilesConcernTheirCardOnly() {
        let mark = CardMark(.profile(Self.name), choice: Self.hdmi)
        #expect(CardMark(mark.announcement(named: "m").properties()) == mark)
        var cards = AbandonedCards()
        cards.appeared(ObjectID(90), mark.announcement(named: "m").properties(), of: nil)
        #expect(cards.isNeeded(.profile(Self.name)) && !cards.isNeeded(.profile("other")))
        #expect(!cards.isNeeded(.route(CardPort(device: Self.name, number: 0, direction: .output))))
        let isAbandoned = cards.disappeared(ObjectID(90), now: now)
        #expect(isAbandoned)
        #expect(cards.review(graph(on: Self.hdmi), isOurs: true, now: now + .seconds(3)) == [], "it is not obeyed")
    }

    // MARK: Gates

    @Test func streamsAreGatedFromTheSwitchUntilTheOutputExists() throws {
        var scene = RouteScene(events(on: Self.analog))
        let port = try #require(screen(scene.registry.graph))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.run(
            scene.routes.setTargets(
                RouteTargets(output: .port(port)), of: player, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [], "the card is not switched yet")
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Laptop.analog)))
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(!scene.takeChanges(of: player).contains { $0 != .gateClosed }, "the card takes its time")
        switchToScreen(&scene)
        scene.settle()
        scene.advance(by: .seconds(1))
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .gateOpened, .change(.override, [.builtInSpeaker], [.hdmi]),
            ])
    }

    /// The session manager would link its stream to the speaker, because the screen has no node
    /// yet.
    @Test(arguments: [false, true])
    func aPlayerThatBeginsDuringTheSwitchIsSilentUntilItsEnd(isSwitched: Bool) throws {
        var scene = RouteScene(events(on: Self.analog))
        let targets = RouteTargets(output: .port(try #require(screen(scene.registry.graph))))
        let (player, later) = (FollowerID(7), FollowerID(8))
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        scene.run(scene.routes.follow(player, targets, graph: scene.registry.graph))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        scene.advance(by: .seconds(4))
        #expect(scene.takeEvents().isEmpty)
        if isSwitched {
            scene.emit(.disappeared(ObjectID(Laptop.analog)))
            switchToScreen(&scene)
            scene.settle()
        }
        scene.advance(by: isSwitched ? .milliseconds(500) : .milliseconds(1500))
        #expect(scene.takeChanges(of: player).filter { [.gateClosed, .gateOpened].contains($0) } == [.gateOpened])
        scene.run(scene.routes.follow(later, targets, graph: scene.registry.graph))
        #expect(scene.takeChanges(of: later) == [], "nothing is waited for")
    }

    enum SwitchEnd: CaseIterable { case switched, notSwitched, otherChoice }

    /// Another session has requested the switch, so none is announced for the player's.
    @Test(arguments: SwitchEnd.allCases)
    func aPlayerWithANewTargetDuringTheSwitchIsSilentUntilItsEnd(end: SwitchEnd) throws {
        var scene = RouteScene(events(on: Self.analog))
        let targets = RouteTargets(output: .port(try #require(screen(scene.registry.graph))))
        let player = FollowerID(7)
        scene.run(scene.routes.follow(player, graph: scene.registry.graph))
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        scene.advance(by: .seconds(1))
        #expect(scene.takeChanges(of: player) == [], "its target is another output")
        scene.run(scene.routes.setTargets(targets, of: player, graph: scene.registry.graph, now: scene.now))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        scene.settle()
        scene.advance(by: .milliseconds(3900))
        #expect(scene.takeChanges(of: player) == [])
        switch end {
        case .switched:
            scene.emit(.disappeared(ObjectID(Laptop.analog)))
            switchToScreen(&scene)
        case .notSwitched: break
        case .otherChoice:
            let others = RouteTargets()
            scene.run(scene.routes.setTargets(others, of: player, graph: scene.registry.graph, now: scene.now))
        }
        scene.settle()
        scene.advance(by: .milliseconds(500))
        #expect(scene.takeChanges(of: player).filter { [.gateClosed, .gateOpened].contains($0) } == [.gateOpened])
    }

    /// The card has just been switched for another session, to an output that the player does not
    /// use.
    @Test func eachSwitchOfACardHasALimitOfItsOwn() throws {
        var scene = RouteScene(events(on: Self.analog))
        let targets = RouteTargets(output: .port(try #require(screen(scene.registry.graph))))
        let player = scene.play(on: Laptop.analog)
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        scene.advance(by: .milliseconds(4500))
        _ = scene.takeEvents()
        scene.run(scene.routes.setTargets(targets, of: player, graph: scene.registry.graph, now: scene.now))
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        scene.settle()
        scene.advance(by: .milliseconds(4900))
        #expect(scene.takeChanges(of: player) == [], "the speaker would be heard")
        scene.advance(by: .milliseconds(500))
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    enum Switch: CaseIterable { case beforeTheSleep, atItsBeginning, duringTheSleep }

    /// The card is switched for the session, and the computer sleeps before the card has a node for
    /// the screen. It may also be switched while the computer is about to sleep.
    @Test(arguments: Switch.allCases) func aSleepDuringASwitchExtendsTheWait(switching: Switch) throws {
        var scene = RouteScene(events(on: Self.analog))
        let port = try #require(screen(scene.registry.graph))
        let player = scene.play(on: Laptop.analog)
        if switching == .duringTheSleep { scene.sleep() }
        scene.run(
            scene.routes.setTargets(
                RouteTargets(output: .port(port)), of: player, graph: scene.registry.graph, now: scene.now))
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        if switching == .beforeTheSleep { scene.advance(by: .seconds(4)) }
        scene.sleep()
        _ = scene.takeEvents()
        scene.advance(by: .seconds(20))
        scene.wake()
        scene.advance(by: .seconds(4))
        #expect(scene.takeChanges(of: player) == [], "the speaker would be heard")
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Laptop.analog)))
        switchToScreen(&scene)
        scene.settle()
        scene.advance(by: .seconds(1))
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .gateOpened, .change(.wakeFromSleep, [.builtInSpeaker], [.hdmi]),
            ])
    }

    @Test func aSwitchThatEndsDuringTheSleepIsNotWaitedFor() throws {
        var scene = RouteScene(events(on: Self.analog))
        let port = try #require(screen(scene.registry.graph))
        let player = scene.play(on: Laptop.analog)
        scene.run(
            scene.routes.setTargets(
                RouteTargets(output: .port(port)), of: player, graph: scene.registry.graph, now: scene.now))
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        scene.sleep()
        switchToScreen(&scene)
        scene.emit(.disappeared(ObjectID(901)))
        _ = scene.takeEvents()
        scene.advance(by: .seconds(20))
        scene.wake()
        scene.advance(by: .milliseconds(300))
        #expect(
            scene.takeChanges(of: player) == [
                .gateOpened, .change(.wakeFromSleep, [.builtInSpeaker], [.hdmi]),
            ])
    }

    /// The output is still the previous one, which is heard again after five seconds. The limit
    /// begins again after a sleep.
    @Test(arguments: [false, true]) func aCardThatDoesNotSwitchIsWaitedForUpToALimit(sleeps: Bool) throws {
        var scene = RouteScene(events(on: Self.analog))
        let port = try #require(screen(scene.registry.graph))
        let player = scene.play(on: Laptop.analog)
        scene.run(
            scene.routes.setTargets(
                RouteTargets(output: .port(port)), of: player, graph: scene.registry.graph, now: scene.now))
        scene.run(scene.routes.expectSwitch(of: Self.name, now: scene.now))
        _ = scene.takeEvents()
        if sleeps {
            scene.sleep()
            scene.advance(by: .seconds(20))
            scene.wake()
            scene.advance(by: .milliseconds(300))
            #expect(scene.takeChanges(of: player) == [])
        }
        scene.advance(by: .milliseconds(sleeps ? 4600 : 4900))
        #expect(scene.takeEvents().isEmpty)
        scene.advance(by: .milliseconds(500))
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    /// The screen was connected long before. It is no new device, although it has no node for a
    /// moment.
    @Test func aScreenWhoseProfileTheUserChoosesIsAnotherConfiguration() {
        var scene = RouteScene(events(on: Self.analog))
        scene.advance(by: .seconds(10))
        scene.emit(.disappeared(ObjectID(Laptop.analog)))
        let profile = DeviceProfile(index: 2, name: Self.hdmi, availability: .yes)
        scene.emit(.deviceActiveProfile(ObjectID(Laptop.device), profile))
        scene.settle()
        show(Self.hdmi, &scene)
        scene.emit(.defaultChanged(.output, "alsa_output.pci.hdmi"))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .gateOpened, .change(.routeConfigurationChange, [.builtInSpeaker], [.hdmi]),
            ])
    }

    // MARK: Fixtures

    private func preferring(_ computer: AudioGraph) -> RouteChooser {
        var chooser = RouteChooser()
        chooser.prefer(screen(computer), .output)
        return chooser
    }

    private func screen(_ computer: AudioGraph) -> PortDescription? {
        computer.availablePorts(.output).first { $0.type == .hdmi }
    }

    private func headphones(_ computer: AudioGraph) -> PortDescription? {
        computer.availablePorts(.output).first { $0.type == .headphones }
    }

    private func outputs(_ computer: AudioGraph) -> [String] {
        computer.availablePorts(.output).map { ($0.routeName ?? "") + ($0.needsProfileChange ? " *" : "") }
    }

    /// A laptop with a screen, headphones, and a profile for each of speaker and headphones.
    /// - Parameter others: The availability of the profiles that are not active.
    private func split(
        on profile: Int, headphones: Availability = .yes, others: Availability = .yes
    ) -> AudioGraph {
        let device = ObjectID(Laptop.device)
        let profiles = ["off", Self.speaker, "HiFi (HDMI1, Headphones)"].enumerated().map {
            DeviceProfile(index: $0, name: $1, availability: $0 == profile ? .yes : others)
        }
        var routes = Laptop.routes(headphones: headphones, hdmi: .yes)
        for place in routes.indices {
            switch routes[place].name {
            case "analog-output-speaker": routes[place].profiles = [1]
            case "analog-output-headphones": routes[place].profiles = [2]
            default: routes[place].profiles = [1, 2]
            }
        }
        let output = profile == 1 ? "analog-output-speaker" : "analog-output-headphones"
        let active = Laptop.active(output, "hdmi-output-0", "analog-input-internal-mic", in: routes)
        let events: [GraphEvent] = [
            .deviceProfiles(device, profiles), .deviceRoutes(device, routes), .deviceActiveRoutes(device, active),
            .deviceActiveProfile(device, profiles[profile]),
        ]
        return RouteScene(Laptop.events + events).registry.graph
    }

    private func graph(
        on profile: String, screen: Availability = .yes, others: Availability = .unknown
    ) -> AudioGraph {
        RouteScene(events(on: profile, screen: screen, others: others)).registry.graph
    }

    private func events(
        on profile: String, screen: Availability = .yes, others: Availability = .unknown
    ) -> [GraphEvent] {
        let device = ObjectID(Laptop.device)
        let absent: [UInt32] =
            switch profile {
            case Self.hdmi: [Laptop.analog]
            case "off": [Laptop.analog, Laptop.screen, Laptop.microphone]
            case Self.analog, "pro-audio": [Laptop.screen]
            default: [Laptop.screen, Laptop.microphone]
            }
        var routes = Laptop.routes(hdmi: screen)
        for place in routes.indices {
            switch routes[place].name {
            case "hdmi-output-0": routes[place].profiles = [2, 4]
            case let name where name.hasPrefix("analog-output"): routes[place].profiles = [1, 3]
            default: routes[place].profiles = [1, 2]
            }
        }
        let active = Laptop.active(
            profile == Self.hdmi ? "hdmi-output-0" : "analog-output-speaker",
            profile.contains("input") ? "analog-input-internal-mic" : "", in: routes)
        let events = Laptop.events.filter { event in
            guard case .nodeProperties(let id, _) = event else { return true }
            return !absent.contains(id.rawValue)
        }
        let profiles = Self.profiles(others, but: profile)
        return events + [
            .deviceProfiles(device, profiles), .deviceRoutes(device, routes), .deviceActiveRoutes(device, active),
            .deviceActiveProfile(
                device, profiles.first { $0.name == profile } ?? DeviceProfile(index: 9, name: profile)),
            .defaultChanged(.output, profile == Self.hdmi ? "alsa_output.pci.hdmi" : "alsa_output.pci.analog"),
        ]
    }

    private static func profiles(_ others: Availability, but active: String) -> [DeviceProfile] {
        ["off", analog, hdmi, "output:analog-stereo", "output:hdmi-stereo"].enumerated().map { index, name in
            DeviceProfile(index: index, name: name, availability: name == active ? .yes : others)
        }
    }

    /// Shows the card with the screen's profile, and links the stream to the screen.
    private func switchToScreen(_ scene: inout RouteScene) {
        show(Self.hdmi, &scene)
        scene.emit(.defaultChanged(.output, "alsa_output.pci.hdmi"))
        scene.emit(
            .linkAppeared(Link(id: ObjectID(905), outputNode: ObjectID(900), inputNode: ObjectID(Laptop.screen))))
    }

    /// The card switches its profile.
    private func show(_ profile: String, _ scene: inout RouteScene) {
        let events = events(on: profile)
        for case .nodeProperties(let id, let properties) in events where id.rawValue == Laptop.screen {
            scene.emit(.nodeProperties(id, properties))
        }
        // The events before these lead to the laptop's first profile.
        for event in events.suffix(3) {
            switch event {
            case .deviceActiveRoutes, .deviceActiveProfile: scene.emit(event)
            default: break
            }
        }
    }

    @Test func aProfileThatTheUserChoosesStaysThoughThePortNeededNoSwitch() {
        var chooser = RouteChooser()
        let ports = graph(on: Self.analog).availablePorts(.output)
        chooser.prefer(ports.first { $0.type == .builtInSpeaker }, .output)
        for profile in [Self.analog, Self.hdmi] {
            chooser.evaluate(graph(on: profile), Self.playback, isActive: true)
        }
        #expect(chooser.requests.profiles.isEmpty && chooser.output?.choice.reason == .cardSwitched)
    }
}
