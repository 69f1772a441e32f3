import AudioSessionCore
import Testing

@Suite struct SilentModeTests {
    @Test(arguments: [
        ("true", true), ("1", true), ("false", false), ("0", false), ("", false), ("\"true\"", false), (nil, false),
        ("yes please", false),
    ]) func onlyPipeWiresWordsForTrueAreOn(value: String?, isOn: Bool) {
        #expect(SilentMode.isOn(value) == isOn)
    }

    @Test func theValueIsDecodedAsItWasEncoded() {
        for isOn in [true, false] { #expect(SilentMode.isOn(SilentMode.value(isOn)) == isOn) }
    }

    @Test func aRequestIsGrantedByItsEcho() {
        var mode = SilentMode()
        mode.request(1, for: true)
        #expect(mode.changed(to: true) == true)
        #expect(mode.wasGranted(1) == true)
        #expect(mode.wasGranted(1) == false)
    }

    @Test func aRequestWithoutAnEchoWasRefused() {
        var mode = SilentMode()
        mode.request(1, for: true)
        #expect(mode.wasGranted(1) == false)
        #expect(!mode.isOn)
    }

    @Test func aRequestForTheCurrentStateIsGrantedAtOnce() {
        var mode = SilentMode()
        mode.request(1, for: false)
        #expect(mode.wasGranted(1) == true)
        #expect(mode.changed(to: false) == false)
    }

    @Test func anotherProgramsRequestMayArriveFirst() {
        var mode = SilentMode()
        mode.request(1, for: true)
        _ = mode.changed(to: true)
        _ = mode.changed(to: false)
        #expect(mode.wasGranted(1) == true)
        #expect(!mode.isOn)
    }

    // MARK: Registry

    private let settings: Properties = [.metadataName: "settings"]

    @Test func onlyTheDaemonsOwnSettingsCount() {
        var registry = RegistryStateMachine()
        let impostor: Properties = [.metadataName: "settings", .clientID: "40"]
        #expect(registry.receive(.metadataAppeared(ObjectID(9), impostor)).isEmpty)
        #expect(registry.graph.settings == nil)
        #expect(registry.receive(.metadataAppeared(ObjectID(10), settings)) == [.readSettings(of: ObjectID(10))])
        #expect(registry.receive(.metadataAppeared(ObjectID(11), settings)).isEmpty)
        #expect(registry.graph.settings == ObjectID(10))
    }

    @Test func silentModeEndsWhenTheSettingsAreRemoved() {
        var registry = RegistryStateMachine()
        _ = registry.receive(.metadataAppeared(ObjectID(10), settings))
        _ = registry.receive(.silentModeChanged(true))
        #expect(registry.graph.isSilentMode)
        _ = registry.receive(.disappeared(ObjectID(10)))
        #expect(!registry.graph.isSilentMode)
        #expect(registry.graph.settings == nil)
    }
}
