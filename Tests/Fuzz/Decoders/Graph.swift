import AudioSessionCore
import AudioSessionTestKit
import CPipeWireShim

@testable import PipeWireGraph

/// The events of a daemon, one a line, as the shim's callbacks deliver them, up to ports and
/// routes. The parts of a line are separated by tabs: a letter for the callback, the number of the
/// object, and its values.
func fuzzGraph(_ bytes: UnsafeRawBufferPointer) {
    var machine = FuzzedMachine()
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
        machine.read(line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map(Array.init))
    }
    machine.check()
}

private struct FuzzedMachine {
    private final class Received { var events: [GraphEvent] = [] }

    private let received = Received()
    private let decoder: GraphDecoder
    private var registry = RegistryStateMachine()
    private var routes: RouteStateMachine?
    private var now: UInt64 = 0

    init() {
        decoder = GraphDecoder(receive: { [received] in received.events.append($0) }, failed: { _ in })
        for round in 1...3 { _ = registry.apply(.barrier(.initial(round: round))) }
    }

    mutating func read(_ fields: [[UInt8]]) {
        guard fields.count > 1, let letter = fields[0].first else { return }
        let id = UInt32(number(fields[1]))
        let rest = Array(fields.dropFirst(2))
        deliver(letter, id, rest)
        now &+= 1_000_000
        for event in received.events {
            guard let change = registry.apply(event) else { continue }
            for case .barrier(let barrier) in change.commands { _ = registry.apply(.barrier(barrier)) }
            let time = MonotonicTime(nanoseconds: now)
            let actions = routes?.receive(change, graph: registry.graph, now: time)
            if actions?.last == .evaluate { _ = routes?.evaluate(graph: registry.graph, now: time) }
        }
        received.events = []
        if routes == nil {
            routes = RouteStateMachine(
                graph: registry.graph, followers: [FollowerID(1)], now: MonotonicTime(nanoseconds: now))
            _ = routes?.setStreams(
                [ObjectID(1)], of: FollowerID(1), graph: registry.graph, now: .init(nanoseconds: now))
        }
    }

    func check() {
        let ports = PipeWireDump(graph: registry.graph).ports
        require(ports.count <= 100_000, "\(ports.count) ports")
        for port in ports { require(!port.why.isEmpty, "a port without a reason") }
        require(decoder.unfinishedListCount <= 64 * 2, "lists without end")
    }

    private func deliver(_ letter: UInt8, _ id: UInt32, _ rest: [[UInt8]]) {
        let events = GraphDecoder.events
        let user = Unmanaged.passUnretained(decoder).toOpaque()
        switch letter {
        case UInt8(ascii: "n"): withList(rest) { events.global(user, id, CPW_OBJECT_NODE, $0, $1) }
        case UInt8(ascii: "d"): withList(rest) { events.global(user, id, CPW_OBJECT_DEVICE, $0, $1) }
        case UInt8(ascii: "l"): withList(rest) { events.global(user, id, CPW_OBJECT_LINK, $0, $1) }
        case UInt8(ascii: "c"): withList(rest) { events.global(user, id, CPW_OBJECT_CLIENT, $0, $1) }
        case UInt8(ascii: "m"): withList(rest) { events.global(user, id, CPW_OBJECT_METADATA, $0, $1) }
        case UInt8(ascii: "N"): withList(rest) { events.properties(user, id, CPW_OBJECT_NODE, $0, $1) }
        case UInt8(ascii: "D"): withList(rest) { events.properties(user, id, CPW_OBJECT_DEVICE, $0, $1) }
        case UInt8(ascii: "x"): events.global_removed(user, id)
        case UInt8(ascii: "s"): events.node_state(user, id, Int32(truncatingIfNeeded: number(rest.first ?? [])))
        case UInt8(ascii: "u"): events.node_mute(user, id, number(rest.first ?? []) != 0)
        case UInt8(ascii: "M"):
            withStrings(rest.dropFirst() + [[]]) {
                events.metadata(user, id, UInt32(number(rest.first ?? [])), $0[0], nil, $0.count > 2 ? $0[1] : nil)
            }
        case UInt8(ascii: "R"), UInt8(ascii: "r"):
            let param = letter == UInt8(ascii: "R") ? CPW_PARAM_ENUM_ROUTE : CPW_PARAM_ROUTE
            events.params_begin(user, id, param)
            for route in rest { withRoute(route) { events.route(user, id, param, $0) } }
            events.params_end(user, id, param)
        case UInt8(ascii: "P"), UInt8(ascii: "p"):
            let param = letter == UInt8(ascii: "P") ? CPW_PARAM_ENUM_PROFILE : CPW_PARAM_PROFILE
            events.params_begin(user, id, param)
            for profile in rest { withProfile(profile) { events.profile(user, id, param, $0) } }
            if rest.count != 3 { events.params_end(user, id, param) }
        default: break
        }
    }

    /// Entries `key=value`; without the sign the value is null.
    private func withList(_ entries: [[UInt8]], _ body: (UnsafePointer<cpw_property>?, Int) -> Void) {
        let sign = UInt8(ascii: "=")
        let parts = entries.flatMap { entry -> [[UInt8]] in
            let key = Array(entry.prefix { $0 != sign })
            return [key, Array(entry.dropFirst(key.count + 1))]
        }
        withStrings(parts) { strings in
            let list = entries.indices.map { index in
                cpw_property(
                    key: strings[2 * index], value: entries[index].contains(sign) ? strings[2 * index + 1] : nil)
            }
            list.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        }
    }

    /// Index, direction, name, port type, availability, and numbers: profile, device of the list,
    /// device in use.
    private func withRoute(_ text: [UInt8], _ body: (UnsafePointer<cpw_route>) -> Void) {
        let fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Array.init)
        let field = { $0 < fields.count ? fields[$0] : [] }
        withStrings([field(2), field(3)]) { strings in
            let numbers = [5, 6].map { Int32(truncatingIfNeeded: number(field($0))) }
            numbers.withUnsafeBufferPointer { numbers in
                let start = numbers.baseAddress
                var route = cpw_route(
                    index: Int32(truncatingIfNeeded: number(field(0))), is_input: number(field(1)) != 0,
                    name: strings[0], description: strings[0], priority: 0,
                    available: UInt32(truncatingIfNeeded: number(field(4))), port_type: strings[1],
                    availability_group: nil, product_name: nil, profiles: start, profile_count: 1,
                    devices: start.map { $0 + 1 }, device_count: 1,
                    device: Int32(truncatingIfNeeded: number(field(7))) - 1, mute: false, volumes: nil,
                    volume_count: 0)
                body(&route)
            }
        }
    }

    private func withProfile(_ text: [UInt8], _ body: (UnsafePointer<cpw_profile>) -> Void) {
        let fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Array.init)
        withStrings([fields.count > 1 ? fields[1] : []]) { strings in
            var profile = cpw_profile(
                index: Int32(truncatingIfNeeded: number(fields.first ?? [])), name: strings[0],
                description: strings[0], priority: 0, available: 2)
            body(&profile)
        }
    }

    private func withStrings(_ strings: [[UInt8]], _ body: ([UnsafePointer<CChar>]) -> Void) {
        let copies = strings.map { string in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.count + 1)
            for (index, byte) in string.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[string.count] = 0
            return copy
        }
        body(copies.map { UnsafePointer($0) })
        for copy in copies { copy.deallocate() }
    }

    private func number(_ digits: [UInt8]) -> UInt32 {
        digits.prefix(10).reduce(0) { $0 &* 10 &+ UInt32($1 &- UInt8(ascii: "0")) }
    }
}
