import AudioSessionCore
import CPipeWireShim

/// The keys that are read from PipeWire's property lists, as C strings that are never freed.
///
/// Sendable, because they are constant.
private struct WantedKeys: @unchecked Sendable {
    let keys: [PropertyKey]
    let pointers: [UnsafePointer<CChar>]
    private let arena = CArena()

    static let all = WantedKeys()

    private init() {
        let arena = arena
        keys = PropertyKey.allCases.sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
        pointers = keys.map { arena.string($0.rawValue) }
    }
}

extension Properties {
    init(picking properties: UnsafePointer<cpw_property>?, _ count: Int) {
        self.init()
        let wanted = WantedKeys.all
        withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: wanted.keys.count) { out in
            guard let base = out.baseAddress else { return }
            cpw_properties_pick(properties, count, wanted.pointers, wanted.pointers.count, base)
            reserveCapacity(out.count { $0 != nil })
            var room = GraphLimits.properties
            for (index, value) in out.enumerated() {
                guard let value, room > 0 else { continue }
                let key = wanted.keys[index]
                // The payload of a token is longer than a name.
                let isPayload = key == .sessionToken || key == .deviceDescription
                let most = isPayload ? 2 * TokenContents.largestPayload : GraphLimits.text
                let text = String(foreign: value, atMost: min(most, room))
                room -= text.utf8.count
                append(key, text)
            }
        }
    }
}

extension Client {
    init(id: ObjectID, properties: Properties) {
        self.init(
            id: id, applicationName: properties[.applicationName], processID: properties.integer(.securityPID),
            access: properties[.access], socket: properties[.securitySocket],
            serial: properties[.objectSerial].flatMap(UInt64.init))
    }
}
