/// What everybody sees of a program that mutes one stream of another program: a device as that of a
/// ``DuckingMark``, with the same name as its owner's.
///
/// `device.description` is `1;mutes=` and the stream's `object.serial`.
package struct MutingMark: Sendable, Hashable {
    package let name: String
    package let serial: String

    package init(name: String, serial: String) {
        self.name = name
        self.serial = serial
    }

    package init?(_ properties: Properties) {
        guard properties[.deviceAPI] == DuckingMark.deviceAPI, let name = properties[.deviceName],
            let payload = properties[.deviceDescription], payload.hasPrefix(Self.start),
            case let serial = payload.dropFirst(Self.start.count), UInt64(serial).map(String.init) == String(serial)
        else { return nil }
        self.init(name: name, serial: String(serial))
    }

    package var properties: Properties {
        [.deviceAPI: DuckingMark.deviceAPI, .deviceName: name, .deviceDescription: Self.start + serial]
    }

    private static let start = "1;mutes="
}
