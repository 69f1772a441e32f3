import AudioSessionCore
import Testing

/// The switches of cards that sessions request, and their ends.
@Suite struct CardSwitcherTests: RouteChoiceFixtures {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

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

    // MARK: Bluetooth

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
}
