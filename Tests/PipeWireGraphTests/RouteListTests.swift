import AudioSessionCore
import CPipeWireShim
import CPipeWireTestServer
import TestSupport
import Testing

@testable import PipeWireGraph

/// A card mostly repeats its previous answer, and then its bytes are not read.
@Suite("Lists of routes equal the card's")
struct RouteListTests {
    private final class Card {
        private(set) var received: [[DeviceRoute]] = []
        private lazy var decoder = GraphDecoder(
            receive: { [unowned self] in if case .deviceRoutes(_, let routes) = $0 { received.append(routes) } },
            failed: { _ in })

        /// The routes that are reported before the end, and at it.
        func answer(_ pods: [[UInt8]], isWhole: Bool = true) -> (early: [[DeviceRoute]], late: [[DeviceRoute]]) {
            received = []
            let (events, user) = (GraphDecoder.events, Unmanaged.passUnretained(decoder).toOpaque())
            events.params_begin(user, 1, CPW_PARAM_ENUM_ROUTE)
            withUnsafePointer(to: events) { events in
                for pod in pods { cpt_emit_route(events, user, 1, CPW_PARAM_ENUM_ROUTE, pod, pod.count) }
            }
            let early = received
            received = []
            if isWhole { events.params_end(user, 1, CPW_PARAM_ENUM_ROUTE) }
            return (early, received)
        }
    }

    /// The routes as a decoder without earlier answers reads them.
    private func routes(_ pods: [[UInt8]]) -> [DeviceRoute] { Card().answer(pods).late.last ?? [] }

    private static let speaker = Pod.route(index: 0, name: "speaker").bytes

    private static func phones(_ availability: UInt32, priority: Int32 = 1) -> [UInt8] {
        Pod.route(index: priority, name: "phones", availability: availability, portType: "headphones").bytes
    }

    @Test("A changed jack changes only its route")
    func jack() {
        let card = Card()
        _ = card.answer([Self.speaker, Self.phones(1)])
        for availability: UInt32 in [2, 1, 1, 0, 7, 2] {
            let pods = [Self.speaker, Self.phones(availability)]
            let received = card.answer(pods)
            #expect(received.early == [routes(pods)])
            #expect(received.late.isEmpty)
        }
    }

    @Test("An abandoned answer is forgotten")
    func givenUp() {
        let card = Card()
        _ = card.answer([Self.speaker, Self.phones(1)])
        #expect(card.answer([Self.phones(2)], isWhole: false).early.isEmpty)
        let pods = [Self.speaker, Self.phones(2)]
        #expect(card.answer(pods, isWhole: false).early == [routes(pods)])
        #expect(card.answer([Self.speaker], isWhole: false).early.isEmpty)
        #expect(card.answer(pods).early == [routes(pods)])
    }

    /// Where the availability is encoded in a form that may have another size, all is read.
    @Test("Other encodings of the availability are read", arguments: 0..<3)
    func otherForms(_ number: Int) {
        let availability = [Pod.choice(.id(2)), .none, .int(3)][number]
        let pod = Pod.object(
            type: 0x40009, id: Pod.enumRoute, [(1, .int(0)), (2, .id(1)), (4, .string("r")), (7, availability)]
        ).bytes
        let card = Card()
        for pods in [[pod], [pod], [Self.phones(1)], [pod]] {
            let received = card.answer(pods)
            #expect((received.early + received.late).last == routes(pods))
        }
    }

    @Test("After any sequence the list equals the last answer", arguments: UInt64(1)...40)
    func anything(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let words = [
            Self.speaker, Self.phones(0), Self.phones(1), Self.phones(2), Self.phones(2, priority: 2),
            Pod.route(index: 1, name: "phones", availability: 2, portType: "hdmi").bytes,
            Pod.route(index: 3, name: "phones", availability: 1, device: 0, isMuted: true).bytes,
            [1, 2, 3, 4, 5, 6, 7, 8],
        ]
        let card = Card()
        var last: [[UInt8]] = []
        for _ in 0..<60 {
            // Usually one entry of the previous list is replaced.
            var pods = last
            if !pods.isEmpty, random.next() % 4 > 0 {
                pods[Int(random.next() % UInt64(pods.count))] = words[Int(random.next() % UInt64(words.count))]
            } else {
                pods = (0..<(random.next() % 5)).map { _ in words[Int(random.next() % UInt64(words.count))] }
            }
            let isWhole = random.next() % 4 > 0
            let received = card.answer(pods, isWhole: isWhole)
            let expected = routes(pods)
            for early in received.early { #expect(expected.starts(with: early)) }
            if isWhole { #expect((received.early + received.late).last == expected) }
            last = pods
        }
    }

    @Test("The beginning of a list that is too long, or has too long texts, is kept")
    func tooLong() throws {
        let many = (0..<1000).map { Pod.route(index: Int32($0), name: "r\($0)").bytes }
        #expect(routes(many).map(\.index) == Array(0..<GraphLimits.routes))
        let long = (0..<200).map { Pod.route(index: Int32($0), name: String(repeating: "x", count: 3500)).bytes }
        let kept = routes(long)
        #expect(kept.allSatisfy { $0.name.utf8.count == GraphLimits.text })
        #expect(kept.reduce(0) { $0 + $1.name.utf8.count } <= GraphLimits.textsOfList)
        #expect(!kept.isEmpty && kept.count < 100)
    }

    @Test("The beginning of a list of profiles that is too long is kept")
    func tooManyProfiles() {
        var received: [[DeviceProfile]] = []
        let decoder = GraphDecoder(
            receive: { if case .deviceProfiles(_, let profiles) = $0 { received.append(profiles) } }, failed: { _ in }
        )
        let (events, user) = (GraphDecoder.events, Unmanaged.passUnretained(decoder).toOpaque())
        for length in [1, 300] {
            String(repeating: "p", count: length).withCString { name in
                events.params_begin(user, 1, CPW_PARAM_ENUM_PROFILE)
                for index: Int32 in 0..<1000 {
                    var profile = cpw_profile(
                        index: index, name: name, description: name, priority: 0, available: 0)
                    events.profile(user, 1, CPW_PARAM_ENUM_PROFILE, &profile)
                }
                events.params_end(user, 1, CPW_PARAM_ENUM_PROFILE)
            }
        }
        withExtendedLifetime(decoder) {}
        #expect(received.map(\.count) == [GraphLimits.routes, GraphLimits.textsOfList / GraphLimits.text])
    }
}
