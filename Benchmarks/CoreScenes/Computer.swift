import AudioSessionCore

/// The graph and the routes of a computer with a card and another sink, on which others play.
package struct Computer: ~Copyable {
    private var model = GraphModel()
    private var last: UInt32 = 100
    private let now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    package init(streams: Int) {
        for event in Card.events + Self.node(ObjectID(10), "speaker", "Audio/Sink") { _ = model.apply(event) }
        for round in 1...3 { _ = model.apply(.barrier(.initial(round: round))) }
        model.startFollowing([], now: now)
        for _ in 0..<streams { _ = comes("Stream/Output/Audio") }
    }

    package mutating func sinkComesAndGoes() {
        let id = comes("Audio/Sink")
        send(.barrier(.routes))
        send(.disappeared(id))
        send(.barrier(.routes))
    }

    package mutating func jackIsPluggedAndPulled() {
        for routes in [Card.pluggedRoutes, Card.pulledRoutes] {
            send(.deviceRoutes(Card.id, routes))
            send(.barrier(.routes))
        }
    }

    package mutating func streamComesAndGoes() { send(.disappeared(comes("Stream/Output/Audio"))) }

    private mutating func comes(_ mediaClass: String) -> ObjectID {
        last += 1
        let id = ObjectID(last)
        for event in Self.node(id, "node", mediaClass) { send(event) }
        return id
    }

    private static func node(_ id: ObjectID, _ name: String, _ mediaClass: String) -> [GraphEvent] {
        let properties: Properties = [.nodeName: name, .mediaClass: mediaClass]
        return [.nodeProperties(id, properties)]
    }

    mutating func send(_ event: GraphEvent) {
        guard let change = model.apply(event) else { return }
        let actions = model.reroute(after: change, now: now)
        if actions.last == .evaluate { _ = model.evaluate(now: now) }
    }
}
