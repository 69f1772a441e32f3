import AudioSessionCore
import CPipeWireShim
import Glibc

extension DeviceProfile {
    init(_ raw: cpw_profile) {
        self.init(
            index: Int(raw.index), name: String(foreign: raw.name),
            availability: Availability(rawValue: raw.available) ?? .unknown)
    }
}

extension DeviceRoute {
    /// Converts a route, and reuses texts and lists of an equal one, because copying them costs the
    /// most.
    ///
    /// - Parameters:
    ///   - former: The entry at the same position of the last list.
    ///   - elsewhere: An entry of another list, which may have equal texts.
    init(_ raw: cpw_route, former: DeviceRoute? = nil, elsewhere: @autoclosure () -> DeviceRoute? = nil) {
        if let former, former.isSame(as: raw) {
            self = former
        } else if let other = elsewhere(), other.isSame(as: raw) {
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

    /// Copies what identifies the route, without availability, device and volumes.
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

    private func isSame(as raw: cpw_route) -> Bool {
        index == Int(raw.index) && direction == (raw.is_input ? .input : .output) && name.isSame(as: raw.name)
            && priority == Int(raw.priority) && description.isSame(as: raw.description)
            && portType.isSame(as: raw.port_type) && availabilityGroup.isSame(as: raw.availability_group)
            && productName.isSame(as: raw.product_name)
            && profiles.isSame(as: raw.profiles, raw.profile_count) { Int($0) }
            && devices.isSame(as: raw.devices, raw.device_count) { Int($0) }
    }
}

extension String {
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
