import AudioSessionCore
import Testing

@Suite struct PortTypingFilterTests {
    private let card = Make.card(
        active: [
            Make.route("analog-output-speaker", type: "speaker", device: 3),
            Make.route("analog-input-internal-mic", .input, type: "mic", device: 4),
        ])

    private let speaker = Make.sink(id: 1)
    private let microphone = Make.sink("alsa_input.pci-0000_4b_00.2.analog-stereo", id: 2, number: 4)

    private func filter(_ id: UInt32, _ group: String, _ mediaClass: String, _ more: [PropertyKey: String] = [:])
        -> Node
    {
        var properties = Properties(more)
        properties[.nodeName] = more[.nodeName] ?? "filter.\(id)"
        properties[.nodeLinkGroup] = group
        properties[.mediaClass] = mediaClass
        properties[.nodeVirtual] = "true"
        return Make.node(properties, id: id)
    }

    private func port(_ nodes: [Node], _ links: [(UInt32, UInt32)] = [], _ direction: PortDirection = .output)
        -> PortDescription?
    {
        let graph = Make.graph(nodes + [speaker, microphone], [card], links: links)
        return graph.port(for: nodes[0], direction: direction)
    }

    @Test func aFilterIsFollowedByItsLinks() throws {
        let nodes = [filter(10, "eq", "Audio/Sink"), filter(11, "eq", "Stream/Output/Audio")]
        let found = try #require(port(nodes, [(11, 1), (11, 1)]))
        #expect(found.type == .builtInSpeaker)
        #expect(found.isThroughFilter)
        #expect(!found.isUncertain)
        #expect(found.nodeName == "filter.10")
        #expect(found.routeName == "analog-output-speaker")
        #expect(found.uid == "alsa_card.pci-0000_4b_00.2/analog-output-speaker/through/filter.10")
    }

    /// Each port behind a filter would cost a pass over the links of the filter's other half.
    @Test func aFilterWithMoreLinksThanChannelsIsItsOwnEnd() {
        let nodes = [filter(10, "eq", "Audio/Sink"), filter(11, "eq", "Stream/Output/Audio")]
        let links = (0..<300).map { _ in (UInt32(11), UInt32(1)) }
        #expect(port(nodes, Array(links.prefix(256)))?.isThroughFilter == true)
        #expect(port(nodes, links)?.isThroughFilter == false)
    }

    /// A program for effects lets streams play to a null sink, records that, and plays to the
    /// hardware. Its own nodes have no class.
    @Test func aNullSinkIsFollowedThroughTheProgramThatProcessesItsSound() throws {
        let sink = Make.node([.nodeName: "effects_sink", .mediaClass: "Audio/Sink"], id: 10)
        let found = try #require(port([sink], [(10, 500), (10, 500), (500, 501), (501, 1), (501, 1)]))
        #expect(found.type == .builtInSpeaker)
        #expect(found.isThroughFilter)
        #expect(found.uid == "alsa_card.pci-0000_4b_00.2/analog-output-speaker/through/effects_sink")
        // Its own meter and a recorder of its sound lead nowhere.
        #expect(port([sink], [(10, 500), (500, 1), (10, 502), (500, 503)])?.type == .builtInSpeaker)
        for links in [[(10, 500), (500, 502)], [(1, 10)], [], [(10, 500), (500, 10)]] as [[(UInt32, UInt32)]] {
            let found = try #require(port([sink], links))
            #expect(found.type == .virtual && found.uid == "effects_sink" && !found.isThroughFilter)
        }
        let receiver = Make.node([.nodeName: "raop_sink.Kitchen.ipv4", .mediaClass: "Audio/Sink"], id: 10)
        #expect(port([receiver], [(10, 500), (500, 1)])?.type == .airPlay)
        let screen = Make.sink("alsa_output.hdmi", id: 3, number: 5)
        #expect(port([sink, screen], [(10, 500), (500, 1), (500, 3)])?.type == .virtual, "it leads to two devices")
        let many = (0..<300).map { (UInt32(10), UInt32(1000 + $0)) } + [(10, 1)]
        #expect(port([sink], many)?.type == .virtual)
    }

    @Test func aNullSinkIsFollowedThroughALoopback() {
        let sink = Make.node([.nodeName: "mix", .mediaClass: "Audio/Sink"], id: 10)
        let nodes = [sink, filter(11, "loop", "Stream/Input/Audio"), filter(12, "loop", "Stream/Output/Audio")]
        #expect(port(nodes, [(10, 11), (12, 1)])?.type == .builtInSpeaker)
        let source = Make.node([.nodeName: "effects_source", .mediaClass: "Audio/Source/Virtual"], id: 10)
        #expect(port([source], [(2, 500), (500, 10)], .input)?.type == .builtInMic)
    }

    /// A program may put any number of nodes into a group.
    @Test func aGroupThatIsLargerThanThoseOfFiltersIsNotFollowed() {
        let nodes = [filter(10, "eq", "Audio/Sink"), filter(11, "eq", "Stream/Output/Audio")]
        let more = (12..<30).map { filter($0, "eq", "Audio/Sink") }
        #expect(port(nodes + more, [(11, 1)])?.type == .virtual)
        #expect(port(nodes + more.prefix(14), [(11, 1)])?.type == .builtInSpeaker)
    }

    @Test func inputsAreFollowedInTheOtherDirection() {
        let nodes = [filter(10, "nr", "Audio/Source"), filter(11, "nr", "Stream/Input/Audio")]
        #expect(port(nodes, [(2, 11)], .input)?.type == .builtInMic)
        // A recording of a sink's monitor leads to no microphone.
        #expect(port(nodes, [(1, 11)], .input)?.type == .virtual)
    }

    @Test func chainsAreFollowedToTheirEnd() {
        let nodes = [
            filter(10, "a", "Audio/Sink"), filter(11, "a", "Stream/Output/Audio"),
            filter(12, "b", "Audio/Sink"), filter(13, "b", "Stream/Output/Audio"),
        ]
        #expect(port(nodes, [(11, 12), (13, 1)])?.type == .builtInSpeaker)
        #expect(port(nodes, [(11, 12), (13, 10)])?.type == .virtual)
        #expect(port(nodes, [(11, 12)])?.type == .virtual)
    }

    /// A tool for gaming headsets: a loopback that programs play to, then an equalizer and a
    /// surround filter that they never see.
    @Test func internalFiltersAreFollowedAndAreNoPorts() throws {
        let nodes = [
            filter(10, "a", "Audio/Sink"), filter(11, "a", "Stream/Output/Audio"),
            filter(12, "b", "Audio/Sink/Internal"), filter(13, "b", "Stream/Output/Audio"),
            filter(14, "c", "Audio/Sink/Internal"), filter(15, "c", "Stream/Output/Audio/Internal"),
        ]
        let found = try #require(port(nodes, [(11, 12), (13, 14), (15, 1)]))
        #expect(found.type == .builtInSpeaker)
        #expect(found.isThroughFilter)
        let graph = Make.graph(nodes + [speaker], [card], links: [(11, 12), (13, 14), (15, 1)])
        #expect(graph.port(for: nodes[2], direction: .output) == nil)
        #expect(graph.availablePorts(.output).map(\.nodeName) == [speaker.name, "filter.10"])
    }

    @Test func internalMicrophonesAreFollowed() {
        let nodes = [
            filter(10, "a", "Audio/Source"), filter(11, "a", "Stream/Input/Audio"),
            filter(12, "b", "Audio/Source/Internal"), filter(13, "b", "Stream/Input/Audio/Internal"),
        ]
        #expect(port(nodes, [(12, 11), (2, 13)], .input)?.type == .builtInMic)
    }

    @Test func theLengthOfChainsIsLimited() {
        var nodes: [Node] = []
        var links: [(UInt32, UInt32)] = []
        for stage: UInt32 in 0..<12 {
            let sink = 100 + 2 * stage
            nodes.append(filter(sink, "g\(stage)", "Audio/Sink"))
            nodes.append(filter(sink + 1, "g\(stage)", "Stream/Output/Audio"))
            links.append((sink + 1, stage == 11 ? 1 : sink + 2))
        }
        let found = port(nodes, links)
        #expect(found?.type == .virtual)
        #expect(found?.isThroughFilter == false)
    }

    @Test func aFilterThatFeedsSeveralPortsIsAPortItself() {
        let other = Make.sink("alsa_output.usb-Acme-00.analog-stereo", id: 3)
        let nodes = [filter(10, "all", "Audio/Sink"), filter(11, "all", "Stream/Output/Audio"), other]
        let found = port(nodes, [(11, 1), (11, 3)])
        #expect(found?.type == .virtual)
        #expect(found?.isThroughFilter == false)
    }

    @Test func aSuspendedFilterIsFollowedByItsTarget() {
        let nodes = [
            filter(10, "eq", "Audio/Sink"),
            filter(11, "eq", "Stream/Output/Audio", [.targetObject: "alsa_output.pci-0000_4b_00.2.analog-stereo"]),
        ]
        #expect(port(nodes)?.type == .builtInSpeaker)
        #expect(port(nodes)?.isUncertain == true)
        #expect(port([nodes[0], filter(11, "eq", "Stream/Output/Audio", [.targetObject: "gone"])])?.type == .virtual)
    }

    /// SteamOS's loopbacks carry the name of the node behind them.
    @Test func loopbackPairsAreFollowedByTargetOrName() throws {
        let name = "alsa_loopback_device.stereo.alsa_output.pci-0000_4b_00.2.analog-stereo"
        let twin = filter(10, "t", "Audio/Sink", [.nodeName: name, .deviceID: "31", .alsaLoopback: "true"])
        let half = filter(11, "t", "Stream/Output/Audio", [.targetObject: try #require(speaker.name)])
        for nodes in [[twin, half], [twin]] {
            let found = try #require(port(nodes))
            #expect(found.type == .builtInSpeaker)
            #expect(found.isThroughFilter)
            #expect(!found.isUncertain)
            #expect(found.nodeName == name)
        }
    }

    @Test func aLoopbackWithoutItsPairIsTypedByTheNameItHolds() {
        let name = "alsa_loopback_device.alsa_output.platform-snd.HiFi__Headphones__sink"
        let twin = Make.node([.nodeName: name, .mediaClass: "Audio/Sink"])
        #expect(Make.graph([twin]).port(for: twin, direction: .output)?.type == .headphones)
        let nameless = Make.node([.nodeName: "odd", .alsaLoopback: "true", .mediaClass: "Audio/Sink"])
        #expect(Make.graph([nameless]).port(for: nameless, direction: .output)?.type == .virtual)
    }

    @Test func aLoopbackInFrontOfACardHasTheCardsPort() throws {
        let split = filter(10, "s", "Audio/Sink", [.deviceID: "31", .cardProfileDevice: "3"])
        let found = try #require(port([split]))
        #expect(found.type == .builtInSpeaker)
        #expect(!found.isThroughFilter)
        let unnumbered = filter(10, "s", "Audio/Sink", [.deviceID: "31"])
        let half = filter(11, "s", "Stream/Output/Audio", [.targetObject: try #require(speaker.name)])
        #expect(port([unnumbered, half])?.isThroughFilter == true)
    }
}
