import AudioSessionCore
import Testing

/// Marks of switched cards, and the program that switches back a card after its owner was killed.
@Suite struct CardMarkTests {
    private let end = CardPort(device: "alsa_card.pci", number: 0, direction: .output)
    private var mark: CardMark { CardMark(.route(end), choice: "analog-output-speaker") }
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test(arguments: Announcement.Carrier.allCases) func aMarkIsReadBack(carrier: Announcement.Carrier) {
        let odd = CardMark(.route(CardPort(device: "a b", number: 7, direction: .input)), choice: "[In] Mic; 2")
        for mark in [mark, odd] {
            #expect(CardMark(mark.announcement(named: "mine").properties(of: carrier)) == mark)
        }
        #expect(mark.announcement(named: "mine").payload == "1;card=output;0;alsa_card.pci;analog-output-speaker")
    }

    @Test(arguments: [
        "", "1;card=", "1;card=output;0;card", "1;card=up;0;card;route", "1;card=output;x;c;r", "1;mutes=1",
    ])
    func anInvalidPayloadIsNoMark(payload: String) {
        #expect(CardMark(Announcement(.mark, name: "mine", payload: payload).properties()) == nil)
    }

    @Test func theCardOfAKilledProgramIsSwitchedBackAfterTwoSeconds() {
        var cards = AbandonedCards()
        cards.appeared(ObjectID(90), properties, of: nil)
        #expect(cards.deadline == nil)
        let isAbandoned = cards.disappeared(ObjectID(90), now: start)
        #expect(isAbandoned && cards.deadline == start + .seconds(2))
        let early = cards.review(speaking, isOurs: true, now: start + .milliseconds(1900))
        let due = cards.review(speaking, isOurs: true, now: start + .seconds(2))
        #expect(early == [])
        #expect(due == [.setRoute(ObjectID(Laptop.device), index: 1, number: 0)])
        #expect(cards.deadline == nil)
    }

    /// The program, its watchdog or another one has restored it, or its state is as preferred.
    @Test func aCardThatHasChangedSinceIsLeftAlone() {
        for graph in [listening, unplugged] {
            var cards = AbandonedCards()
            cards.appeared(ObjectID(90), properties, of: nil)
            _ = cards.disappeared(ObjectID(90), now: start)
            let commands = cards.review(graph, isOurs: true, now: start + .seconds(2))
            #expect(commands == [])
        }
    }

    @Test func anotherMarkOrAnOlderProgramIsResponsibleForTheCard() {
        var cards = AbandonedCards()
        for id in [90, 91] as [UInt32] { cards.appeared(ObjectID(id), properties, of: nil) }
        let isAbandoned = ([90, 91] as [UInt32]).map { cards.disappeared(ObjectID($0), now: start) }
        #expect(isAbandoned == [false, true], "another one wanted it too")
        let commands = cards.review(speaking, isOurs: false, now: start + .seconds(2))
        #expect(commands == [] && cards.deadline == nil)
    }

    /// Another program creates and destroys marks as fast as it can.
    @Test func theNumberOfRemovedMarksIsLimited() {
        var cards = AbandonedCards()
        var count = 0
        for number in 0..<1000 {
            let end = CardPort(device: "card \(number)", number: 0, direction: .output)
            let mark = CardMark(.route(end), choice: "r").announcement(named: "m").properties()
            cards.appeared(ObjectID(90), mark, of: nil)
            if cards.disappeared(ObjectID(90), now: start) { count += 1 }
        }
        #expect(count == 64)
        let long = CardMark(.route(end), choice: String(repeating: "r", count: 1000)).announcement(named: "m")
        #expect(CardMark(long.properties()) == nil)
    }

    /// Another program publishes marks, or creates and destroys them as fast as it can.
    @Test(arguments: [false, true]) func noProgramTakesTheCapacityOfOthers(removes: Bool) {
        var cards = AbandonedCards()
        let (hostile, honest) = (Client(id: ObjectID(9), processID: 90), Client(id: ObjectID(8), processID: 80))
        for number in 0..<UInt32(100) {
            let end = CardPort(device: "card \(number)", number: 0, direction: .output)
            let mark = CardMark(.route(end), choice: "r").announcement(named: "m").properties()
            cards.appeared(ObjectID(1000 + number), mark, of: hostile)
            if removes { _ = cards.disappeared(ObjectID(1000 + number), now: start) }
        }
        cards.appeared(ObjectID(90), properties, of: honest)
        #expect(cards.isNeeded(mark.control))
        let isAbandoned = cards.disappeared(ObjectID(90), now: start)
        #expect(isAbandoned)
        let due = cards.review(speaking, isOurs: true, now: start + .seconds(2))
        #expect(due == [.setRoute(ObjectID(Laptop.device), index: 1, number: 0)])
    }

    @Test func aSandboxedProgramsMarkDoesNotCount() {
        var cards = AbandonedCards()
        cards.appeared(ObjectID(90), properties, of: Client(id: ObjectID(9), access: "flatpak"))
        let isAbandoned = ([90, 91] as [UInt32]).map { cards.disappeared(ObjectID($0), now: start) }
        #expect(isAbandoned == [false, false], "the other was never seen")
    }

    @Test func theWatchdogRestoresASwitchedPort() throws {
        var steering = CardSwitcher()
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        #expect(steering.restoreOrders(listening) == [])
        let commands = steering.set(CardRequests(routes: [end: mark.choice]), of: session, listening, now: start)
        #expect(commands == [.setRoute(ObjectID(Laptop.device), index: 0, number: 0)])
        #expect(steering.restoreOrders(listening) == steering.restoreOrders(speaking))
        let order = try #require(steering.restoreOrders(speaking).first)
        #expect(order.mark == mark && order.chosen == 0 && order.back == 1)
        #expect(steering.restoreOrders(unplugged) == [], "there is nothing to go back to")
        _ = steering.set(CardRequests(), of: session, speaking, now: start)
        #expect(steering.restoreOrders(speaking) == [] && !steering.isSwitching)
    }

    /// The last of the programs that need a port is responsible for it.
    @Test func aPortThatAnotherProgramNeedsIsTakenOverOrLeft() throws {
        let session = try #require(AudioSessionID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11"))
        let requests = CardRequests(routes: [end: mark.choice])
        var alone = CardSwitcher()
        var second = CardSwitcher()
        var commands = alone.set(requests, of: session, speaking, now: start) { _ in false }
        commands += second.set(requests, of: session, speaking, now: start) { _ in true }
        #expect(commands == [], "it is on that route")
        #expect(alone.restoreOrders(speaking) == [], "the user has chosen it")
        let marks = second.restoreOrders(speaking).map(\.mark)
        #expect(marks == [mark], "another program has chosen it, and may end first")
        var last = second
        let whileNeeded = second.set(CardRequests(), of: session, speaking, now: start) { _ in true }
        let afterwards = last.set(CardRequests(), of: session, speaking, now: start) { _ in false }
        #expect(whileNeeded == [] && afterwards.count == 1)
    }

    private var properties: Properties { mark.announcement(named: "mine").properties() }
    private var speaking: AudioGraph { graph(.yes, Laptop.speaking) }
    private var listening: AudioGraph { graph(.yes, Laptop.listening) }
    private var unplugged: AudioGraph { graph(.no, Laptop.speaking) }

    private func graph(_ headphones: Availability, _ active: [DeviceRoute]) -> AudioGraph {
        var scene = RouteScene(Laptop.events)
        // In a jack with detection, headphones are what the session manager prefers.
        scene.emit(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: headphones)))
        scene.emit(.deviceActiveRoutes(ObjectID(Laptop.device), active))
        return scene.registry.graph
    }
}
