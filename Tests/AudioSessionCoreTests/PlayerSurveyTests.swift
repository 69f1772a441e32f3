import Testing

@testable import AudioSessionCore

@Suite struct PlayerSurveyTests {
    private var random = BoardRandom(seed: 7)

    private struct Resolution: Equatable {
        var isNew: Bool
        var ended: [String]
    }

    private func resolve(_ survey: inout PlayerSurvey, _ name: String, _ owner: String) -> Resolution {
        let (isNew, ended) = survey.resolved(name, owner: owner)
        return Resolution(isNew: isNew, ended: ended)
    }

    @Test func anOwnerStaysWhileItHasAnotherName() {
        var random = random
        var survey = PlayerSurvey(["a", "b"], using: &random)
        #expect(Set(survey.next()) == ["a", "b"])
        #expect(survey.next() == [])
        #expect(resolve(&survey, "a", ":1.1") == Resolution(isNew: true, ended: []))
        #expect(resolve(&survey, "b", ":1.1") == Resolution(isNew: false, ended: []))
        #expect(survey.changed("c", from: nil, to: ":1.1") == nil)
        #expect(survey.changed("a", from: ":1.1", to: nil) == nil)
        #expect(survey.changed("b", from: ":1.1", to: ":1.2") == nil)
        #expect(survey.changed("c", from: ":1.1", to: nil) == ":1.1")
        #expect(survey.changed("c", from: ":1.1", to: nil) == nil)
    }

    @Test func anUnresolvedNameKeepsItsOwnerToo() {
        var random = random
        var survey = PlayerSurvey(["a", "b"], using: &random)
        _ = survey.next()
        _ = survey.resolved("a", owner: ":1.1")
        #expect(survey.changed("a", from: ":1.1", to: nil) == nil, "b may be its name as well")
        #expect(resolve(&survey, "b", ":1.1") == Resolution(isNew: false, ended: []))
        #expect(survey.changed("b", from: ":1.1", to: nil) == ":1.1")
        survey = PlayerSurvey(["a", "b"], using: &random)
        _ = survey.next()
        _ = survey.resolved("a", owner: ":1.1")
        _ = survey.changed("a", from: ":1.1", to: nil)
        #expect(resolve(&survey, "b", ":1.2") == Resolution(isNew: true, ended: [":1.1"]))
    }

    /// A program may show its player and remove it any number of times while a session is active.
    @Test func aPlayerThatAppearsLaterEndsToo() {
        var survey = PlayerSurvey(shuffled: [])
        for number in 1...1000 {
            let owner = ":1.\(number)"
            #expect(survey.changed("a", from: nil, to: owner) == nil)
            #expect(survey.contains(owner))
            #expect(survey.changed("a", from: owner, to: nil) == owner)
        }
        #expect(survey.isEmpty)
    }

    @Test func aPlayerThatGetsAnotherNameDuringTheSurveyIsIdentified() {
        var survey = PlayerSurvey(shuffled: ["a"])
        _ = survey.next()
        #expect(survey.changed("b", from: nil, to: ":1.1") == nil)
        #expect(resolve(&survey, "a", ":1.1") == Resolution(isNew: true, ended: []))
        #expect(survey.changed("a", from: ":1.1", to: nil) == nil, "it has another name")
        #expect(survey.changed("b", from: ":1.1", to: nil) == ":1.1")
    }

    /// A player of an earlier survey may be identified at any time.
    @Test func aSurveyIsCompleteWhenItsOwnPlayersAreIdentified() {
        var survey = PlayerSurvey()
        survey.identified(":1.1")
        #expect(!survey.isComplete, "its names are not known yet")
        survey = PlayerSurvey(shuffled: ["a"])
        #expect(!survey.isComplete)
        _ = survey.next()
        survey.identified(":1.1")
        _ = survey.resolved("a", owner: ":1.2")
        #expect(!survey.isComplete)
        survey.identified(":1.1")
        #expect(!survey.isComplete)
        survey.identified(":1.2")
        #expect(survey.isComplete)
        survey.supersede()
        survey.identified(":1.2")
        #expect(!survey.isComplete, "another survey is about to begin")
    }

    /// One program may own 50,000 names on a bus.
    @Test func thousandsOfNamesHideNoPlayerAndFewAreResolvedAtATime() {
        var random = random
        let hostile = (0..<50_000).map { "org.mpris.MediaPlayer2.evil\($0)" }
        var survey = PlayerSurvey(hostile + ["org.mpris.MediaPlayer2.mpv"], using: &random)
        var (owners, inFlight): ([String], [String]) = ([], [])
        repeat {
            inFlight += survey.next()
            #expect(inFlight.count <= PlayerSurvey.concurrency)
            guard let name = inFlight.popLast() else { break }
            let owner = name.hasSuffix("mpv") ? ":1.10" : ":1.666"
            if survey.resolved(name, owner: owner).isNew { owners.append(owner) }
        } while true
        #expect(owners.sorted() == [":1.10", ":1.666"])
    }
}

@Suite struct StreamProcessTests {
    private let client = Client(id: ObjectID(20), applicationName: "mpv", processID: 200)

    @Test func pipeWireNamesTheProcessOfAStream() {
        let node = Node(id: ObjectID(1), properties: [.applicationProcessID: "300"])
        #expect(node.process(client) == StreamProcess(id: 200, isVerified: true))
        #expect(node.process(nil) == nil, "its own claim does not count")
    }

    @Test func streamsOfPipewirePulseNameTheirProcessThemselves() {
        let node = Node(
            id: ObjectID(1), properties: [.applicationProcessID: "300", .clientAPI: "pipewire-pulse"])
        #expect(node.process(client) == StreamProcess(id: 300, isVerified: false))
        let sandboxed: Properties = [
            .applicationProcessID: "2", .clientAPI: "pipewire-pulse", .portalApplication: "org.x",
        ]
        let flatpak = Node(id: ObjectID(1), properties: sandboxed)
        #expect(flatpak.process(client) == StreamProcess(application: "org.x"), "2 is a process of the sandbox")
        let silent = Node(id: ObjectID(1), properties: [.clientAPI: "pipewire-pulse"])
        #expect(silent.process(client) == StreamProcess(id: 200, isVerified: true))
    }
}
