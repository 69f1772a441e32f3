import AudioSessionCore
import Testing

/// A laptop that has one profile with its speaker and one with its headphones, as PipeWire 1.2 and
/// later makes of ALSA's use cases. Its screen is in both.
@Suite struct RouteProfileTests {
    @Test func headphonesThatArePulledBesideAScreenAreOneChange() {
        var scene = RouteScene(SplitCard.events(.headphones, screen: .yes))
        let player = scene.play(on: SplitCard.headphones)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .no, screen: .yes)))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones)])
        scene.emit(.disappeared(ObjectID(901)))
        scene.switchProfile(to: .speaker, default: SplitCard.screen)
        scene.settle()
        #expect(scene.takeChanges(of: player) == [], "the speaker has no node yet")
        scene.emit(SplitCard.node(SplitCard.speaker))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [], "the screen is still the default")
        scene.emit(.defaultChanged(.output, SplitCard.name(SplitCard.speaker)))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
    }

    @Test func headphonesThatArePulledAreOneChange() {
        var scene = RouteScene(SplitCard.events(.headphones, screen: .no))
        scene.advance(by: .seconds(10))
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .no, screen: .no)))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.headphones)])
        scene.switchProfile(to: .speaker, default: nil)
        scene.settle()
        #expect(scene.takeChanges() == [], "there is no output only for a moment")
        scene.emit(SplitCard.node(SplitCard.speaker))
        scene.emit(.defaultChanged(.output, SplitCard.name(SplitCard.speaker)))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
    }

    /// A node that PipeWire cannot make delays the change, but does not prevent it.
    @Test func aSpeakerThatNeverAppearsIsWaitedForUpToALimit() {
        var scene = RouteScene(SplitCard.events(.headphones, screen: .yes))
        scene.advance(by: .seconds(10))
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .no, screen: .yes)))
        scene.switchProfile(to: .speaker, default: SplitCard.screen)
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.headphones)])
        scene.advance(by: .milliseconds(301))
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [.headphones], [.hdmi])])
    }

    /// Music plays on the speaker, whose node is replaced. The session manager moves the stream to
    /// the screen.
    private static func pluggingInHeadphones() -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene(SplitCard.events(.speaker, screen: .yes))
        let player = scene.play(on: SplitCard.speaker)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .yes, screen: .yes)))
        scene.emit(.disappeared(ObjectID(901)))
        scene.switchProfile(to: .headphones, default: SplitCard.screen)
        scene.link(902, to: SplitCard.screen)
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        return (scene, player)
    }

    @Test func musicIsNotHeardOnTheScreenWhileHeadphonesArePluggedIn() {
        var (scene, player) = Self.pluggingInHeadphones()
        scene.emit(SplitCard.node(SplitCard.headphones))
        scene.settle()
        scene.emit(.defaultChanged(.output, SplitCard.name(SplitCard.headphones)))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [], "the stream has yet to move")
        scene.emit(.disappeared(ObjectID(902)))
        scene.link(903, to: SplitCard.headphones)
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [
                .gateOpened, .change(.newDeviceAvailable, [.builtInSpeaker], [.headphones]),
            ])
    }

    /// After each event the removed speaker is evaluated again, but the wait ends as it began.
    @Test func aCardThatChangesItsProfileAgainDoesNotExtendTheSilence() {
        var (scene, player) = Self.pluggingInHeadphones()
        for profile in [SplitCard.Profile.speaker, .headphones] {
            scene.advance(by: .milliseconds(200))
            scene.emit(.deviceActiveProfile(SplitCard.id, SplitCard.profile(profile)))
            scene.settle()
        }
        #expect(
            scene.takeChanges(of: player) == [
                .gateOpened, .change(.routeConfigurationChange, [.builtInSpeaker], [.hdmi]),
            ])
    }

    /// The session of the player requests the profile again. That is no choice of its program.
    @Test func preferredHeadphonesThatArePluggedInAgainAreANewDevice() throws {
        var scene = RouteScene(SplitCard.events(.speaker, screen: .no))
        let player = scene.play(on: SplitCard.speaker)
        scene.advance(by: .seconds(10))
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .yes, screen: .no)))
        scene.settle()
        let headphones = try #require(scene.port(.headphones))
        #expect(scene.routes.isNew(headphones.uid, now: scene.now))
        #expect(!scene.routes.isNew(headphones.uid, now: scene.now + .seconds(2)))
        let targets = RouteTargets(output: .port(headphones))
        scene.run(scene.routes.setTargets(targets, of: player, graph: scene.registry.graph, now: scene.now))
        _ = scene.takeEvents()
        scene.run(scene.routes.expectSwitch(of: "alsa_card.pci-1", now: scene.now))
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(SplitCard.speaker)))
        scene.emit(.deviceActiveProfile(SplitCard.id, SplitCard.profile(.headphones)))
        scene.emit(SplitCard.node(SplitCard.headphones))
        scene.emit(.defaultChanged(.output, SplitCard.name(SplitCard.headphones)))
        scene.link(902, to: SplitCard.headphones)
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [
                .gateClosed, .gateOpened, .change(.newDeviceAvailable, [.builtInSpeaker], [.headphones]),
            ])
    }

    /// The user may have chosen the speaker, although the headphones have been plugged in for long.
    @Test func headphonesThatAStartingSessionManagerAddsAreNotNew() throws {
        var scene = RouteScene(SplitCard.events(.speaker, screen: .no))
        scene.advance(by: .seconds(10))
        scene.emit(.disappeared(ObjectID(31)))
        scene.emit(.metadataAppeared(ObjectID(31), [.metadataName: "default", .clientID: "30"]))
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .yes, screen: .no)))
        scene.settle()
        let headphones = try #require(scene.port(.headphones))
        #expect(!scene.routes.isNew(headphones.uid, now: scene.now))
    }

    /// Any program can have a card, and change its profile at any time.
    @Test func aCardOutsideOfTheRouteThatChangesItsProfileDelaysNothing() {
        let laptop = ObjectID(Laptop.device)
        var scene = RouteScene.listening()
        for event in OtherCard.events { scene.emit(event) }
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceActiveProfile(OtherCard.id, DeviceProfile(index: 2, name: "without its node")))
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.headphones),
                .change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker]),
            ])
    }

    @Test func aCardOutsideOfTheRouteDoesNotHideTheNewProfileOfTheRoute() {
        var scene = RouteScene(SplitCard.events(.headphones, screen: .yes) + OtherCard.events)
        scene.advance(by: .seconds(10))
        scene.emit(.deviceRoutes(SplitCard.id, SplitCard.routes(headphones: .no, screen: .yes)))
        scene.emit(.disappeared(ObjectID(SplitCard.headphones)))
        scene.emit(.deviceActiveProfile(SplitCard.id, SplitCard.profile(.speaker)))
        scene.emit(.deviceActiveProfile(OtherCard.id, DeviceProfile(index: 0, name: "off")))
        scene.emit(.defaultChanged(.output, SplitCard.name(SplitCard.screen)))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.headphones)], "the speaker has no node yet")
        scene.emit(SplitCard.node(SplitCard.speaker))
        scene.emit(.defaultChanged(.output, SplitCard.name(SplitCard.speaker)))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
    }

    /// All nodes of the card are made anew, also those of its microphones.
    @Test func aRecordingSessionKeepsItsMicrophone() {
        let laptop = ObjectID(Laptop.device)
        var routes = Laptop.routes()
        for place in routes.indices { routes[place].profiles = [1, 2] }
        var scene = RouteScene(Laptop.events + [.deviceRoutes(laptop, routes)])
        let session = scene.open(RouteTargets(output: .unused))
        scene.advance(by: .seconds(10))
        scene.emit(.disappeared(ObjectID(Laptop.microphone)))
        scene.emit(.deviceActiveProfile(laptop, DeviceProfile(index: 2, name: "HiFi (Headphones, Mic1)")))
        scene.emit(.defaultChanged(.input, nil))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [])
        for event in Laptop.node(81, "alsa_input.pci.mic", "Audio/Source", device: Laptop.device, number: 2) {
            scene.emit(event)
        }
        scene.emit(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        scene.advance(by: .seconds(1))
        #expect(scene.takeChanges(of: session) == [])
        #expect(scene.types(of: session) == [[.builtInMic], []])
    }

    /// The device is still there, and plays in *Pro Audio* as well.
    @Test func anInterfaceInAnotherProfileIsAnotherConfiguration() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        scene.advance(by: .seconds(10))
        scene.switchToProAudio(Headset.device, replacing: Headset.sink, name: "alsa_output.usb-Acme-00.pro-output-0")
        #expect(
            scene.takeChanges() == [
                .gateClosed, .gateOpened, .change(.routeConfigurationChange, [.usbAudio], [.usbAudio]),
            ])
    }

    @Test func aSpeakersCardInAnotherProfileIsAnotherConfiguration() {
        var scene = RouteScene(Laptop.events)
        scene.advance(by: .seconds(10))
        scene.switchToProAudio(Laptop.device, replacing: Laptop.analog, name: "alsa_output.pci.pro-output-0")
        #expect(
            scene.takeChanges() == [
                .gateClosed, .gateOpened, .change(.routeConfigurationChange, [.builtInSpeaker], [.pci]),
            ])
    }

    @Test func aMicrophoneThatIsPulledIsLostThoughItsCardHasAnother() {
        let laptop = ObjectID(Laptop.device)
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headset: .yes)))
        let active = Laptop.active("analog-output-speaker", "hdmi-output-0", "analog-input-headset-mic")
        scene.emit(.deviceActiveRoutes(laptop, active))
        scene.settle()
        scene.advance(by: .seconds(10))
        #expect(scene.types(of: .computer).first == [.headsetMic])
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [.builtInSpeaker], [.builtInSpeaker])])
    }
}

extension RouteScene {
    /// The session manager links the player's stream to a sink.
    fileprivate mutating func link(_ id: UInt32, to sink: UInt32) {
        emit(.linkAppeared(Link(id: ObjectID(id), outputNode: ObjectID(900), inputNode: ObjectID(sink))))
    }

    /// The session manager switches the split card, which removes the node of the other profile,
    /// and changes the default output.
    fileprivate mutating func switchProfile(to profile: SplitCard.Profile, default sink: UInt32?) {
        emit(.disappeared(ObjectID(profile == .speaker ? SplitCard.headphones : SplitCard.speaker)))
        emit(.deviceActiveProfile(SplitCard.id, SplitCard.profile(profile)))
        emit(.defaultChanged(.output, sink.map(SplitCard.name)))
    }

    /// The session manager gives a device the profile *Pro Audio*, in which another sink replaces
    /// its sink and becomes the default.
    fileprivate mutating func switchToProAudio(_ device: UInt32, replacing sink: UInt32, name: String) {
        emit(.disappeared(ObjectID(sink)))
        emit(.deviceActiveRoutes(ObjectID(device), []))
        emit(.deviceActiveProfile(ObjectID(device), DeviceProfile(index: 2, name: "pro-audio")))
        for event in Laptop.node(65, name, "Audio/Sink", device: device) { emit(event) }
        emit(.defaultChanged(.output, name))
        settle()
    }
}

/// Another card, whose output never has a node.
private enum OtherCard {
    static let id = ObjectID(75)

    static var events: [GraphEvent] {
        let properties: Properties = [.deviceName: "other", .deviceAPI: "alsa", .mediaClass: Device.mediaClass]
        let route = DeviceRoute(
            index: 0, direction: .output, name: "output", availability: .yes, profiles: [1, 2], devices: [7])
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, [route]),
            .deviceActiveRoutes(id, []), .deviceActiveProfile(id, DeviceProfile(index: 1, name: "on")),
        ]
    }
}

/// The card of a laptop with a profile for each of speaker and headphones.
private enum SplitCard {
    static let id = ObjectID(40)
    static let screen: UInt32 = 50
    static let headphones: UInt32 = 51
    static let speaker: UInt32 = 52

    enum Profile: Int { case speaker = 1, headphones = 2 }

    static func profile(_ profile: Profile) -> DeviceProfile {
        let name = profile == .speaker ? "HiFi (HDMI1, Speaker)" : "HiFi (HDMI1, Headphones)"
        return DeviceProfile(index: profile.rawValue, name: name, availability: .yes)
    }

    static func name(_ node: UInt32) -> String {
        let device = node == screen ? "HDMI1" : node == headphones ? "Headphones" : "Speaker"
        return "alsa_output.pci-1.HiFi__\(device)__sink"
    }

    /// A sink, whose number on the card is its place in ``routes(headphones:screen:)``.
    static func node(_ node: UInt32) -> GraphEvent {
        .nodeProperties(
            ObjectID(node),
            [
                .nodeName: name(node), .mediaClass: MediaClass.sink.rawValue, .deviceAPI: "alsa",
                .deviceID: String(id.rawValue), .cardProfileDevice: String(node - screen),
                .prioritySession: node == screen ? "600" : "1000",
            ])
    }

    static func routes(headphones: Availability, screen: Availability) -> [DeviceRoute] {
        [
            route(0, "[Out] HDMI1", "hdmi", 500, screen, [1, 2]),
            route(1, "[Out] Headphones", "headphones", 200, headphones, [2]),
            route(2, "[Out] Speaker", "speaker", 100, .unknown, [1]),
        ]
    }

    private static func route(
        _ index: Int, _ name: String, _ type: String, _ priority: Int, _ availability: Availability, _ profiles: [Int]
    ) -> DeviceRoute {
        DeviceRoute(
            index: index, direction: .output, name: name, description: name, priority: priority,
            availability: availability, portType: type, profiles: profiles, devices: [index])
    }

    /// The events of a computer whose default is the output of a profile.
    static func events(_ active: Profile, screen: Availability) -> [GraphEvent] {
        let properties: Properties = [
            .deviceName: "alsa_card.pci-1", .deviceAPI: "alsa", .mediaClass: "Audio/Device", .deviceBus: "pci",
        ]
        let output = active == .speaker ? speaker : headphones
        return [
            .clientAppeared(Client(id: ObjectID(30), applicationName: "WirePlumber")),
            .metadataAppeared(ObjectID(31), [.metadataName: "default", .clientID: "30"]),
            .deviceAppeared(id, properties), .deviceProperties(id, properties),
            .deviceRoutes(id, routes(headphones: active == .headphones ? .yes : .no, screen: screen)),
            .deviceProfiles(id, [profile(.speaker), profile(.headphones)]),
            .deviceActiveProfile(id, profile(active)), node(self.screen), node(output),
            .defaultChanged(.output, name(output)),
        ]
    }
}
