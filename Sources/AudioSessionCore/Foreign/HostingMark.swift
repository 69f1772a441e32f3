/// What a program announces that has a session for a process which knows nothing of sessions.
///
/// The payload is `1;hosts=` and the id of the announcing process, whose descendants it hosts. While it is there other
/// programs leave their streams to it, because they follow that session.
package struct HostingMark: Sendable, Hashable {
    package let name: String
    package let process: Int

    package init(name: String, process: Int) {
        self.name = name
        self.process = process
    }

    package init?(_ properties: Properties) {
        guard let announced = properties.announced(.mark), let name = announced.name,
            let payload = announced.payload, payload.hasPrefix(Self.start),
            case let digits = payload.dropFirst(Self.start.count), let process = Int32(digits), process > 0,
            String(process) == digits
        else { return nil }
        self.init(name: name, process: Int(process))
    }

    package var announcement: Announcement {
        Announcement(.mark, name: name, payload: Self.start + String(process))
    }

    private static let start = "1;hosts="
}
