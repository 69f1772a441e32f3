import AudioSessionCore
import Testing

@Suite struct PortTypingRouteTests {
    private let speaker = Make.route("analog-output-speaker", type: "speaker", priority: 90, devices: [3])
    private let phones = Make.route(
        "analog-output-headphones", type: "headphones", available: .no, priority: 80, index: 1, devices: [3])
    private let profiles = [
        DeviceProfile(index: 4, name: "output:analog-stereo+input:analog-stereo"),
        DeviceProfile(index: 5, name: "output:hdmi-stereo"),
    ]

    private func name(_ card: Device, _ node: Node = Make.sink(), _ direction: PortDirection = .output) -> String? {
        Make.graph([node], [card]).activeRoute(of: node, direction: direction)?.route.name
    }

    @Test func theActiveRouteWithTheNodesNumberIsChosen() {
        var (first, second) = (speaker, phones)
        (first.device, second.device) = (7, 3)
        #expect(name(Make.card(routes: [speaker, phones], active: [first, second])) == phones.name)
        #expect(name(Make.card(active: [first])) == nil)
    }

    @Test func withoutAnActiveRouteTheLikeliestOneIsChosen() {
        let card = Make.card(routes: [phones, speaker])
        let answer = Make.graph([Make.sink()], [card]).activeRoute(of: Make.sink(), direction: .output)
        #expect(answer?.route == speaker)
        #expect(answer?.isAssumed == true)
        var plugged = phones
        plugged.availability = .yes
        #expect(name(Make.card(routes: [speaker, plugged])) == phones.name)
        #expect(name(Make.card(routes: [speaker]), Make.sink(number: 8)) == nil)
    }

    @Test func theOnlyRouteIsCertain() {
        let card = Make.card(routes: [phones])
        let answer = Make.graph([Make.sink()], [card]).activeRoute(of: Make.sink(), direction: .output)
        #expect(answer?.isAssumed == false)
    }

    @Test func assumedRoutesAreUncertainUnlessTheBusDecides() {
        let graph = Make.graph([Make.sink()], [Make.card(routes: [speaker, phones])])
        let port = graph.port(for: Make.sink(), direction: .output)
        #expect(port?.type == .builtInSpeaker)
        #expect(port?.isUncertain == true)
        let usb = Make.card([.deviceBus: "usb"], routes: [speaker, phones])
        #expect(Make.graph([Make.sink()], [usb]).port(for: Make.sink(), direction: .output)?.isUncertain == false)
    }

    @Test func routesOfOtherProfilesAndDirectionsDoNotCount() {
        var (analog, screen) = (speaker, Make.route("hdmi-output-0", type: "hdmi", available: .yes, devices: [3]))
        (analog.profiles, screen.profiles) = ([4], [5])
        #expect(name(Make.card(routes: [analog, screen], profiles: profiles, profile: profiles[0])) == analog.name)
        #expect(name(Make.card(routes: [analog]), Make.sink(), .input) == nil)
    }

    @Test func aCardWithoutRoutesHasNone() {
        #expect(name(Make.card(routes: [speaker]), Make.sink(with: [.deviceRoutes: "0"])) == nil)
        #expect(name(Make.card(id: 5, routes: [speaker])) == nil)
    }

    /// Text for display has no numbers, so names must match.
    @Test func routesWithoutNumbersAreMatchedByName() {
        let hdmi = Make.route("[Out] HDMI1", type: "hdmi", available: .yes)
        let card = Make.card(active: [hdmi, Make.route("[Out] Speaker", type: "speaker")])
        #expect(name(card, Make.sink("alsa_output.pci-1.HiFi__Speaker__sink")) == "[Out] Speaker")
        #expect(name(card, Make.sink("alsa_output.pci-1.HiFi__Headphones__sink")) == nil)
        #expect(name(card, Make.sink("alsa_output.pci-1.HiFi__hw_1__sink")) == "[Out] HDMI1")
        #expect(
            name(Make.card(active: [speaker]), Make.sink("alsa_output.pci-1.HiFi__Speaker__sink")) == speaker.name)
        var (analog, screen) = (speaker, hdmi)
        (analog.profiles, screen.profiles) = ([4], [5])
        let legacy = Make.card(active: [screen, analog], profiles: profiles)
        #expect(name(legacy, Make.sink("alsa_output.pci-1.analog-stereo", number: nil)) == speaker.name)
        #expect(name(legacy, Make.sink("alsa_output.pci-1.hdmi-stereo", number: nil)) == hdmi.name)
    }

    @Test func routesWithoutNamesAreTheSameByIndex() {
        #expect(Make.route("", index: 2).isSame(as: Make.route("x", index: 2)))
        #expect(!Make.route("y", index: 2).isSame(as: Make.route("x", index: 2)))
        #expect(!Make.route("x").isSame(as: Make.route("x", .input)))
    }
}
