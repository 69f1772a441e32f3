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

/// How many bytes of a text are kept. Names are far shorter; what is longer is sent to cost memory.
let longestText = 4096

extension String {
    /// A text of another program: cut if it is overlong, repaired if it is no UTF-8.
    init(foreign text: UnsafePointer<CChar>) {
        var length = strnlen(text, longestText)
        let isContinuation = { (index: Int) in UInt8(bitPattern: text[index]) & 0xc0 == 0x80 }
        if length == longestText {
            // Not in the middle of a character, which takes 4 bytes at most.
            while length > longestText - 4, isContinuation(length) { length -= 1 }
        }
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        self = String(decoding: bytes, as: UTF8.self)
    }

    /// The text that was there before, if it is still the same: no copy is made, and nobody has to compare them.
    fileprivate init(foreign text: UnsafePointer<CChar>, former: String?) {
        self = former.flatMap { $0.isSame(as: text) ? $0 : nil } ?? String(foreign: text)
    }

    private func isSame(as text: UnsafePointer<CChar>) -> Bool {
        var own = self
        return own.withUTF8 { bytes in
            for (index, byte) in bytes.enumerated() where UInt8(bitPattern: text[index]) != byte { return false }
            return text[bytes.count] == 0
        }
    }
}

extension Array where Element: Equatable {
    /// The same for numbers.
    fileprivate init<Raw>(
        foreign values: UnsafePointer<Raw>?, _ count: Int, former: Self?, _ element: (Raw) -> Element
    ) {
        let values = UnsafeBufferPointer(start: values, count: count)
        let isSame = former.map { $0.elementsEqual(values) { $0 == element($1) } } ?? false
        self = isSame ? former ?? [] : values.map(element)
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
            for (index, value) in out.enumerated() {
                if let value { append(wanted.keys[index], String(foreign: value)) }
            }
        }
    }
}

extension Client {
    init(id: ObjectID, properties: Properties) {
        self.init(
            id: id, applicationName: properties[.applicationName], processID: properties.integer(.securityPID),
            access: properties[.access])
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
    /// - Parameter former: what stood in its place in the list before.
    init(_ raw: cpw_route, former: DeviceRoute? = nil) {
        self.init(
            index: Int(raw.index), direction: raw.is_input ? .input : .output,
            name: String(foreign: raw.name, former: former?.name),
            description: String(foreign: raw.description, former: former?.description), priority: Int(raw.priority),
            availability: Availability(rawValue: raw.available) ?? .unknown,
            portType: raw.port_type.map { String(foreign: $0, former: former?.portType) },
            availabilityGroup: raw.availability_group.map { String(foreign: $0, former: former?.availabilityGroup) },
            productName: raw.product_name.map { String(foreign: $0, former: former?.productName) },
            profiles: Array(foreign: raw.profiles, raw.profile_count, former: former?.profiles) { Int($0) },
            devices: Array(foreign: raw.devices, raw.device_count, former: former?.devices) { Int($0) },
            device: raw.device < 0 ? nil : Int(raw.device), isMuted: raw.mute,
            volumes: Array(foreign: raw.volumes, raw.volume_count, former: former?.volumes) { $0 })
    }
}

/// The `name` in `{"name": "…"}`, PipeWire's way to write a default node.
///
/// Written by the session manager, but any program may write it: what is not of that form is no name.
func nodeName(inJSON json: String) -> String? {
    var scanner = JSONScanner(json)
    return scanner.string(forKey: "name")
}
