import AudioSessionCore
import CPipeWireShim
import Glibc

/// The keys that are looked for in PipeWire's property lists, as C strings that live as long as the process.
///
/// Sendable, because nobody writes to them after they were made.
private struct WantedKeys: @unchecked Sendable {
    let keys: [PropertyKey]
    let pointers: [UnsafePointer<CChar>]

    static let all = WantedKeys()

    private init() {
        keys = PropertyKey.allCases.sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
        pointers = keys.map { key in
            let bytes = key.rawValue.utf8CString
            let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            for (index, byte) in bytes.enumerated() { pointer[index] = byte }
            return UnsafePointer(pointer)
        }
    }
}

extension String {
    /// A text of another program: cut if it is overlong, repaired if it is no UTF-8.
    init(foreign text: UnsafePointer<CChar>, atMost most: Int = GraphLimits.text) {
        var length = strnlen(text, most)
        let isContinuation = { (index: Int) in UInt8(bitPattern: text[index]) & 0xc0 == 0x80 }
        if length == most {
            // Not in the middle of a character, which takes 4 bytes at most.
            while length > most - 4, isContinuation(length) { length -= 1 }
        }
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        self = String(decoding: bytes, as: UTF8.self)
    }

    fileprivate func isSame(as text: UnsafePointer<CChar>) -> Bool {
        var own = self
        return own.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { own in
                own.baseAddress.map { strncmp($0, text, own.count) == 0 } ?? true
            } && text[bytes.count] == 0
        }
    }
}

extension String? {
    fileprivate func isSame(as text: UnsafePointer<CChar>?) -> Bool {
        guard let self, let text else { return self == nil && text == nil }
        return self.isSame(as: text)
    }
}

extension Array where Element: Equatable {
    fileprivate func isSame<Raw>(
        as values: UnsafePointer<Raw>?, _ count: Int, _ element: (Raw) -> Element
    ) -> Bool {
        elementsEqual(UnsafeBufferPointer(start: values, count: count)) { $0 == element($1) }
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
                // What a token says is longer than a name.
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
            access: properties[.access], serial: properties[.objectSerial].flatMap(UInt64.init))
    }
}

extension DeviceProfile {
    init(_ raw: cpw_profile) {
        self.init(
            index: Int(raw.index), name: String(foreign: raw.name),
            availability: Availability(rawValue: raw.available) ?? .unknown)
    }
}

extension DeviceRoute {
    /// - Parameters:
    ///   - former: what stood in its place in the list before. What it says again is not copied.
    ///   - elsewhere: a route of another list, which may be told in the same words.
    init(_ raw: cpw_route, former: DeviceRoute? = nil, elsewhere: @autoclosure () -> DeviceRoute? = nil) {
        if let former, former.isSaid(by: raw) {
            self = former
        } else if let other = elsewhere(), other.isSaid(by: raw) {
            self = other
        } else {
            self.init(factsOf: raw)
        }
        availability = Availability(rawValue: raw.available) ?? .unknown
        device = raw.device < 0 ? nil : Int(raw.device)
        isMuted = raw.mute
        guard !volumes.isSame(as: raw.volumes, raw.volume_count, { $0 }) else { return }
        volumes = Array(UnsafeBufferPointer(start: raw.volumes, count: raw.volume_count))
    }

    /// Only what it is, not what is in its jack and how loud it is.
    private init(factsOf raw: cpw_route) {
        self.init(
            index: Int(raw.index), direction: raw.is_input ? .input : .output, name: String(foreign: raw.name),
            description: String(foreign: raw.description), priority: Int(raw.priority),
            portType: raw.port_type.map { String(foreign: $0) },
            availabilityGroup: raw.availability_group.map { String(foreign: $0) },
            productName: raw.product_name.map { String(foreign: $0) },
            profiles: UnsafeBufferPointer(start: raw.profiles, count: raw.profile_count).map { Int($0) },
            devices: UnsafeBufferPointer(start: raw.devices, count: raw.device_count).map { Int($0) })
    }

    private func isSaid(by raw: cpw_route) -> Bool {
        index == Int(raw.index) && direction == (raw.is_input ? .input : .output) && name.isSame(as: raw.name)
            && priority == Int(raw.priority) && description.isSame(as: raw.description)
            && portType.isSame(as: raw.port_type) && availabilityGroup.isSame(as: raw.availability_group)
            && productName.isSame(as: raw.product_name)
            && profiles.isSame(as: raw.profiles, raw.profile_count) { Int($0) }
            && devices.isSame(as: raw.devices, raw.device_count) { Int($0) }
    }
}

/// The `name` in `{"name": "…"}`, PipeWire's way to write a default node.
///
/// Written by the session manager, but any program may write it: what is not of that form is no name.
func nodeName(inJSON json: UnsafePointer<CChar>) -> String? {
    let longest = 4096
    let bytes = UnsafeRawBufferPointer(start: json, count: strnlen(json, longest))
    switch try? JSONReader.member("name", in: Array(bytes)) {
    // Cut like the node's own name.
    case .string(let name), .number(let name): return name.withCString { String(foreign: $0) }
    default: return nil
    }
}
