/// A message of a program to all others, carried by an object of PipeWire while the object and the
/// program exist.
///
/// The object is an exported, empty `Session`, on which no session manager operates. Its
/// `session.name` is the name, and the payload has a key of its own. If the daemon or the client
/// lacks it, the object is a `Device` without parameters, with the kind in `device.api`, the name
/// in `device.name`, and the payload in `device.description`.
package struct Announcement: Sendable, Hashable {
    package let kind: Kind
    package let name: String
    package let payload: String

    package enum Kind: Sendable, Hashable, CaseIterable {
        /// The announcement of a session's place; see ``Token``.
        case token
        /// The announcement of ducking or muting; see ``DuckingMark`` and ``MutingMark``.
        case mark
    }

    package enum Carrier: Sendable, Hashable, CaseIterable { case session, device }

    package init(_ kind: Kind, name: String, payload: String) {
        self.kind = kind
        self.name = name
        self.payload = payload
    }

    package func properties(of carrier: Carrier = .session) -> Properties {
        switch carrier {
        case .session: [.sessionName: name, kind.key: payload]
        case .device: [.deviceAPI: kind.deviceAPI, .deviceName: name, .deviceDescription: payload]
        }
    }
}

extension Announcement.Kind {
    /// The key of the payload on a `Session`.
    package var key: PropertyKey {
        switch self {
        case .token: .sessionToken
        case .mark: .sessionMark
        }
    }

    package var deviceAPI: String {
        switch self {
        case .token: "audio-session"
        case .mark: "audio-session-ducking"
        }
    }
}

extension Properties {
    /// Whether these are the properties of an announcement of this kind, well-formed or not.
    package func announces(_ kind: Announcement.Kind) -> Bool {
        self[kind.key] != nil || self[.deviceAPI] == kind.deviceAPI
    }

    /// Returns the name and payload of an announcement; `nil` if the object is no announcement of
    /// this kind.
    package func announced(_ kind: Announcement.Kind) -> (name: String?, payload: String?)? {
        if let payload = self[kind.key] { return (self[.sessionName], payload) }
        guard self[.deviceAPI] == kind.deviceAPI else { return nil }
        return (self[.deviceName], self[.deviceDescription])
    }

    /// Returns the name of a mark, and the rest of its payload; `nil` if it does not begin with
    /// these bytes.
    func mark(beginningWith start: String) -> (name: String, rest: Substring)? {
        guard let announced = announced(.mark), let name = announced.name, let payload = announced.payload?.utf8,
            payload.starts(with: start.utf8)
        else { return nil }
        return (name, Substring(payload.dropFirst(start.utf8.count)))
    }
}
