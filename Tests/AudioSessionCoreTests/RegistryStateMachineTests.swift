import AudioSessionCore
import Testing

@Suite struct RegistryStateMachineTests {
    private let node = Node(id: ObjectID(5), properties: [.mediaClass: "Audio/Sink", .nodeName: "sink"])

    @Test func theGraphIsCompleteAfterThreeRoundTrips() {
        var registry = RegistryStateMachine()
        #expect(registry.start() == [.barrier(.initial(round: 1))])
        #expect(registry.receive(.barrier(.initial(round: 1))) == [.barrier(.initial(round: 2))])
        #expect(registry.receive(.barrier(.initial(round: 2))) == [.barrier(.initial(round: 3))])
        #expect(!registry.isSynchronized)
        #expect(registry.receive(.barrier(.initial(round: 3))).isEmpty)
        #expect(registry.isSynchronized)
    }

    @Test func aNodeIsNotInTheGraphBeforeItsPropertiesAreKnown() {
        var registry = RegistryStateMachine()
        #expect(registry.receive(.nodeAppeared(node)).isEmpty)
        #expect(registry.graph.nodes.isEmpty)
        #expect(registry.receive(.nodeProperties(node.id, node.properties)) == [.watchMute(node.id)])
        #expect(registry.graph.nodes[node.id] == node)
        #expect(registry.receive(.nodeProperties(node.id, node.properties)).isEmpty, "it is watched already")
    }

    @Test(arguments: ["Video/Source", "Video/Sink/Internal", "Midi/Bridge", "", "audio/sink"])
    func nodesThatCarryNoAudioAreNotKept(mediaClass: String) {
        var registry = RegistryStateMachine()
        #expect(registry.receive(.nodeProperties(ObjectID(6), [.mediaClass: mediaClass])).isEmpty)
        #expect(registry.graph == AudioGraph())
    }

    /// Music shows no role where the session manager ducks by roles.
    @Test func onlyASinkOfAProgramOutsideOfASandboxSparesStreamsWithoutRole() {
        var registry = RegistryStateMachine()
        _ = registry.receive(.clientAppeared(Client(id: ObjectID(31), processID: 1, access: "unrestricted")))
        _ = registry.receive(.clientAppeared(Client(id: ObjectID(91), processID: 2, access: "flatpak")))
        let sink: Properties = [.mediaClass: "Audio/Sink", .roleTarget: "true", .clientID: "31"]
        let pretenders: [[PropertyKey: String]] = [
            [.clientID: "91"], [.mediaClass: "Stream/Output/Audio"], [.objectLinger: "true"],
        ]
        for pretender in pretenders {
            var properties = sink
            for (key, value) in pretender { properties[key] = value }
            _ = registry.receive(.nodeProperties(ObjectID(70), properties))
            #expect(!registry.graph.sparesStreamsWithoutRole)
        }
        _ = registry.receive(.nodeProperties(ObjectID(70), sink))
        #expect(registry.graph.sparesStreamsWithoutRole)
    }

    @Test func onlyAudioDevicesAreBound() {
        var registry = RegistryStateMachine()
        #expect(registry.receive(.deviceAppeared(ObjectID(7), [.mediaClass: "Video/Device"])).isEmpty)
        #expect(registry.receive(.deviceAppeared(ObjectID(8), [.deviceName: "audio-session.token"])).isEmpty)
        #expect(registry.graph == AudioGraph())
        #expect(
            registry.receive(.deviceAppeared(ObjectID(9), [.mediaClass: "Audio/Device"]))
                == [.bind(ObjectID(9), .device)])
    }

    @Test func devicesOfSandboxedProgramsAreNotBound() {
        var registry = RegistryStateMachine()
        let client = Client(id: ObjectID(7), applicationName: "app", processID: 1, access: "flatpak", serial: 7)
        _ = registry.receive(.clientAppeared(client))
        let properties: Properties = [.mediaClass: "Audio/Device", .clientID: "7"]
        #expect(registry.receive(.deviceAppeared(ObjectID(9), properties)).isEmpty)
        _ = registry.receive(.nodeProperties(node.id, [.mediaClass: "Audio/Sink", .deviceID: "9"]))
        #expect(registry.graph.nodes[node.id] != nil, "its node does not wait for it")
    }

    @Test func aDeviceWaitsForItsParametersAndItsNodesWaitForIt() {
        var registry = RegistryStateMachine()
        let device = ObjectID(9)
        var properties = node.properties
        properties[.deviceID] = "9"
        _ = registry.receive(.deviceAppeared(device, [.mediaClass: "Audio/Device"]))
        _ = registry.receive(.nodeProperties(node.id, properties))
        #expect(registry.receive(.deviceProperties(device, [.deviceName: "card"])) == [.barrier(.device(device))])
        _ = registry.receive(.deviceRoutes(device, [DeviceRoute(index: 0, direction: .output, name: "a")]))
        #expect(registry.graph.devices.isEmpty)
        #expect(registry.graph.nodes.isEmpty)
        _ = registry.receive(.barrier(.device(device)))
        #expect(registry.graph.devices[device]?.routes.map(\.name) == ["a"])
        #expect(registry.graph.nodes[node.id]?.deviceID == device)
    }

    @Test func unchangedProfilesAreNoChange() {
        var registry = RegistryStateMachine()
        let (device, profile) = (ObjectID(9), DeviceProfile(index: 1, name: "HiFi"))
        #expect(
            registry.apply(.deviceProfiles(device, [])) != nil
                && registry.apply(.deviceActiveProfile(device, nil)) != nil)
        _ = registry.receive(.deviceAppeared(device, [.mediaClass: "Audio/Device"]))
        _ = registry.receive(.deviceProfiles(device, [profile]))
        _ = registry.receive(.deviceActiveProfile(device, profile))
        _ = registry.receive(.deviceProperties(device, [:]))
        #expect(registry.apply(.deviceProfiles(device, [profile])) != nil, "the device is not in the graph yet")
        _ = registry.receive(.barrier(.device(device)))
        #expect(registry.apply(.deviceProfiles(device, [profile])) == nil)
        #expect(registry.apply(.deviceActiveProfile(device, profile)) == nil)
        let available = DeviceProfile(index: 1, name: "HiFi", availability: .yes)
        let sameProfile = registry.apply(.deviceActiveProfile(device, available))
        #expect(sameProfile?.effects.contains(.profile) == false)
        #expect(registry.apply(.deviceProfiles(device, [])) != nil)
        let noProfile = registry.apply(.deviceActiveProfile(device, nil))
        #expect(noProfile?.effects.contains(.profile) == true)
    }

    @Test func nodesDoNotWaitForARemovedDevice() {
        var registry = RegistryStateMachine()
        var properties = node.properties
        properties[.deviceID] = "9"
        _ = registry.receive(.deviceAppeared(ObjectID(9), [.mediaClass: "Audio/Device"]))
        _ = registry.receive(.nodeProperties(node.id, properties))
        _ = registry.receive(.disappeared(ObjectID(9)))
        #expect(registry.graph.nodes[node.id] != nil)
    }

    @Test func availabilityIsReadFromTheListOfAllRoutes() {
        var registry = RegistryStateMachine()
        let device = ObjectID(9)
        var route = DeviceRoute(index: 0, direction: .output, name: "a", availability: .yes, device: 0)
        _ = registry.receive(.deviceAppeared(device, [.mediaClass: "Audio/Device"]))
        _ = registry.receive(.deviceProperties(device, [:]))
        _ = registry.receive(.barrier(.device(device)))
        _ = registry.receive(.deviceActiveRoutes(device, [route]))
        route.availability = .no
        _ = registry.receive(.deviceRoutes(device, [route]))
        #expect(registry.graph.devices[device]?.activeRoutes.first?.availability == .no)
        route.availability = .yes
        _ = registry.receive(.deviceActiveRoutes(device, [route]))
        #expect(registry.graph.devices[device]?.activeRoutes.first?.availability == .no)
    }

    @Test func theOwnerOfTheDefaultsIsTheSessionManager() {
        var registry = RegistryStateMachine()
        #expect(
            registry.receive(.metadataAppeared(ObjectID(33), [.metadataName: "default", .clientID: "31"]))
                == [.readDefaults(of: ObjectID(33))])
        #expect(registry.receive(.metadataAppeared(ObjectID(34), [.metadataName: "sm-settings"])).isEmpty)
        _ = registry.receive(.defaultChanged(.output, "sink"))
        _ = registry.receive(.defaultChanged(.input, "source"))
        #expect(registry.graph.sessionManager == ObjectID(31))
        #expect(registry.graph.defaultName(.input) == "source")
        _ = registry.receive(.disappeared(ObjectID(34)))
        #expect(registry.graph.sessionManager == ObjectID(31))
        _ = registry.receive(.disappeared(ObjectID(33)))
        #expect(registry.graph.sessionManager == nil)
        #expect(registry.graph.defaultSinkName == nil)
        #expect(registry.graph.defaultSourceName == nil)
    }
}
