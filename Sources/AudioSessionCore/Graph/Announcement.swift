/// What a program says to all others by an object of PipeWire, for as long as it keeps the object and lives.
///
/// The object is an exported, empty `Session`, on which no session manager works: `session.name` holds the name, and the
/// payload has a key of its own. Where the daemon or the client lacks it, the object is a `Device` without parameters:
/// `device.api` holds the kind, `device.name` the name, and `device.description` the payload.
package struct Announcement: Sendable, Hashable {
    package let kind: Kind
    package let name: String
    package let payload: String

    package enum Kind: Sendable, Hashable, CaseIterable {
        /// See ``Token``.
        case token
        /// See ``DuckingMark`` and ``MutingMark``.
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
    /// Of the payload, where a `Session` carries it.
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
    /// Whether these are of an object that announces something of this kind, rightly or not.
    package func announces(_ kind: Announcement.Kind) -> Bool {
        self[kind.key] != nil || self[.deviceAPI] == kind.deviceAPI
    }

    /// What an object announces; `nil` if it announces nothing of this kind.
    package func announced(_ kind: Announcement.Kind) -> (name: String?, payload: String?)? {
        if let payload = self[kind.key] { return (self[.sessionName], payload) }
        guard self[.deviceAPI] == kind.deviceAPI else { return nil }
        return (self[.deviceName], self[.deviceDescription])
    }
}
