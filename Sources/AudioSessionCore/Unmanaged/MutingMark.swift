/// The announcement of a program that mutes a stream of another program, by the same name as its
/// ``DuckingMark``.
///
/// The payload is `1;mutes=` and the stream's `object.serial`.
package struct MutingMark: Sendable, Hashable {
    package let name: String
    package let serial: String

    package init(name: String, serial: String) {
        self.name = name
        self.serial = serial
    }

    package init?(_ properties: Properties) {
        guard let (name, serial) = properties.mark(beginningWith: Self.start),
            UInt64(serial).map(String.init) == String(serial)
        else { return nil }
        self.init(name: name, serial: String(serial))
    }

    package var announcement: Announcement { Announcement(.mark, name: name, payload: Self.start + serial) }

    private static let start = "1;mutes="
}
