import Testing

@testable import AudioSessionCore

/// The events that wait for a host that hangs.
@Suite struct HostedOutputEventsTests {
    private typealias Event = HostedProgramStateMachine.Event

    private let headphones = "headphones"
    private let screen = "screen"
    private let speaker = "speaker"

    private func time(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: UInt64(number) * 1_000_000) }

    private func change(
        _ reason: RouteChangeReason, from previous: String, to current: String, at number: Int = 10
    ) -> Event {
        let routes = [previous, current].map { uid in
            RouteDescription(
                outputs: [PortDescription(type: .unknown, name: uid, uid: uid, direction: .output)])
        }
        return .routeChanged(
            RouteChange(reason: reason, previous: routes[0], current: routes[1], time: time(number)))
    }

    /// Events of other programs, more than a host can have waiting.
    private var flood: [Event] {
        (1...200).flatMap { number -> [Event] in
            [
                .gateTriggersChanged([ObjectID(UInt32(number))]), .outputEndangered(at: time(number)), .outputKept,
                change(.routeConfigurationChange, from: speaker, to: speaker, at: number),
            ]
        }
    }

    /// Returns what a host receives that hangs during all events.
    private func received(_ events: [Event], knowing lost: String? = nil) -> [Event] {
        var waiting = HostedOutputEvents()
        return received(events, &waiting, knowing: lost)
    }

    private func received(
        _ events: [Event], _ waiting: inout HostedOutputEvents, knowing lost: String? = nil
    ) -> [Event] {
        for event in events { waiting.append(event, after: lost) }
        var result: [Event] = []
        while let event = waiting.take() { result.append(event) }
        #expect(result.count <= HostedOutputEvents.limit)
        return result
    }

    /// Returns the state of a host after these events.
    private func host(_ events: [Event], isAttached: Bool = false) -> HostedProgramStateMachine {
        var host = HostedProgramStateMachine(isAttached: isAttached)
        for event in [Event.activated] + events { _ = host.receive(event) }
        return host
    }

    @Test func asManyAsTheLimitAreKeptInTheirOrder() {
        let events = Array(flood.prefix(HostedOutputEvents.limit))
        #expect(received(events) == events)
    }

    /// A headset may stop its streams after the first sign, so that they are not known to play.
    @Test func aLossAndItsFirstSignAreKept() {
        let lost = [Event.outputEndangered(at: time(1)), .outputLost(headphones, at: time(5))]
        let kept = received(lost + flood)
        #expect(Array(kept.prefix(2)) == lost)
        #expect(kept.contains(.gateTriggersChanged([ObjectID(200)])))
        #expect(host(kept).loss?.output == headphones)
        let reported = change(.oldDeviceUnavailable, from: screen, to: speaker)
        #expect(host(received([reported] + flood)).loss?.output == screen)
    }

    @Test func aDangerThatLastsIsKept() {
        #expect(host(received(flood + [Event.outputEndangered(at: time(300))])).isEndangered)
        #expect(!host(received([Event.outputEndangered(at: time(1))] + flood)).isEndangered)
    }

    @Test func aLossThatIsOverSilencesNoProgram() {
        let lost = Event.outputLost(headphones, at: time(1))
        let returned = change(.newDeviceAvailable, from: speaker, to: headphones)
        #expect(host(received([lost, returned] + flood)).loss == nil)
        #expect(host([lost] + received([returned] + flood, knowing: headphones)).loss == nil)
        let again = received([returned, lost] + flood, knowing: headphones)
        #expect(host([lost] + again).loss?.output == headphones)
    }

    @Test func anActivationEndsTheLossOfAttachedStreams() {
        let (lost, again) = (Event.outputLost(headphones, at: time(1)), Event.lossDismissed(at: time(300)))
        #expect(host(received([lost, again] + flood), isAttached: true).loss == nil)
        #expect(host([lost] + received([again] + flood, knowing: headphones), isAttached: true).loss == nil)
        let next = Event.outputLost(screen, at: time(301))
        #expect(host(received([lost, again, next] + flood), isAttached: true).loss?.output == screen)
    }

    /// The host has taken the loss, and hangs before it handles it.
    @Test func aLossThatTheHostHasTakenIsKnown() {
        let lost = Event.outputLost(headphones, at: time(1))
        var waiting = HostedOutputEvents()
        waiting.append(lost, after: nil)
        #expect(waiting.take() == lost)
        let returned = change(.newDeviceAvailable, from: speaker, to: headphones)
        let kept = received([returned] + flood, &waiting)
        #expect(host([lost] + kept).loss == nil)
    }

    /// All events together lead to the same state as those that are kept.
    @Test(arguments: RandomRuns.seeds(800)) func noEventThatMattersIsLost(seed: Int) {
        var random = BoardRandom(seed: UInt64(seed))
        let outputs = [headphones, screen, speaker]
        let reasons: [RouteChangeReason] = [.oldDeviceUnavailable, .newDeviceAvailable, .override]
        let events = (1...300).map { number -> Event in
            let (one, other) = (outputs[Int.random(in: 0..<3, using: &random)], Int.random(in: 0..<3, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return .gateTriggersChanged([ObjectID(UInt32(number))])
            case 1: return .outputEndangered(at: time(number))
            case 2: return .outputKept
            case 3: return .outputLost(one, at: time(number))
            default: return change(reasons[other], from: one, to: outputs[other], at: number)
            }
        }
        let former: [Event] = seed.isMultiple(of: 2) ? [] : [.outputLost(headphones, at: time(1))]
        let known = former.isEmpty ? nil : headphones
        let (all, kept) = (host(former + events), host(former + received(events, knowing: known)))
        #expect(kept.loss?.output == all.loss?.output)
        #expect(kept.gateTriggers == all.gateTriggers)
        #expect(kept.isEndangered || !all.isEndangered)
    }
}
