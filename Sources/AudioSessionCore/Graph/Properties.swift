/// The keys of PipeWire's property dictionaries that this library reads. All others are dropped
/// when they arrive.
package enum PropertyKey: String, CaseIterable, Sendable {
    case nodeName = "node.name"
    case nodeDescription = "node.description"
    case nodeNick = "node.nick"
    case nodeVirtual = "node.virtual"
    case nodeNetwork = "node.network"
    case nodeLinkGroup = "node.link-group"
    case mediaClass = "media.class"
    case mediaRole = "media.role"
    case mediaName = "media.name"
    case factoryName = "factory.name"
    case targetObject = "target.object"
    case audioPosition = "audio.position"
    case sessMedia = "sess.media"
    case clientID = "client.id"
    case objectSerial = "object.serial"
    case objectPath = "object.path"
    case objectLinger = "object.linger"
    case prioritySession = "priority.session"
    case deviceID = "device.id"
    case deviceName = "device.name"
    case deviceNick = "device.nick"
    case deviceDescription = "device.description"
    case deviceAPI = "device.api"
    case deviceBus = "device.bus"
    case deviceFormFactor = "device.form-factor"
    case deviceProductName = "device.product.name"
    case deviceProfileName = "device.profile.name"
    case deviceRoutes = "device.routes"
    case cardProfileDevice = "card.profile.device"
    case alsaID = "alsa.id"
    case alsaName = "alsa.name"
    case alsaCardName = "alsa.card_name"
    case alsaCardID = "alsa.card_id"
    case alsaDriverName = "alsa.driver_name"
    case alsaMixerName = "alsa.mixer_name"
    case alsaLoopback = "alsa.loopback"
    case bluezProfile = "api.bluez5.profile"
    case bluezAddress = "api.bluez5.address"
    case bluezCodec = "api.bluez5.codec"
    case bluezSet = "api.bluez5.set"
    case bluezInternal = "api.bluez5.internal"
    case bluezLoopback = "bluez5.loopback"
    case linkOutputNode = "link.output.node"
    case linkInputNode = "link.input.node"
    case applicationName = "application.name"
    case applicationProcessID = "application.process.id"
    case clientAPI = "client.api"
    case metadataName = "metadata.name"
    case sessionName = "session.name"
    case sessionToken = "audio-session.token"
    case sessionMark = "audio-session.mark"
    case sessionStream = "audio-session.stream"
    case roleTarget = "policy.role-based.target"
    case isEndpoint = "wireplumber.is-endpoint"
    case securityPID = "pipewire.sec.pid"
    case securitySocket = "pipewire.sec.socket"
    case access = "pipewire.access"
    case portalApplication = "pipewire.access.portal.app_id"
}

/// The properties of one object, reduced to the keys in ``PropertyKey``.
///
/// An object has about ten of them, for which a search is faster than hashing.
package struct Properties: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var entries: [Entry] = []

    private struct Entry: Sendable, Hashable {
        let key: PropertyKey
        var value: String
    }

    package init(_ values: [PropertyKey: String] = [:]) {
        entries = values.map { Entry(key: $0.key, value: $0.value) }
    }

    package init(dictionaryLiteral elements: (PropertyKey, String)...) {
        for (key, value) in elements { self[key] = value }
    }

    package subscript(key: PropertyKey) -> String? {
        get { index(of: key).map { entries[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    private func index(of key: PropertyKey) -> Int? { entries.firstIndex { $0.key == key } }

    /// Appends a property. Each key may be appended only once.
    package mutating func append(_ key: PropertyKey, _ value: String) {
        entries.append(Entry(key: key, value: value))
    }

    package mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }

    /// The order in which properties arrived makes no difference.
    package static func == (left: Self, right: Self) -> Bool {
        guard left.entries.count == right.entries.count else { return false }
        return left.entries == right.entries || Set(left.entries) == Set(right.entries)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(Set(entries)) }

    /// The properties as PipeWire has them, in the order of their names.
    package var pairs: [(String, String)] {
        entries.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    }

    /// Returns the value as an object's id; `nil` if it is missing or no number.
    package func objectID(_ key: PropertyKey) -> ObjectID? { self[key].flatMap(UInt32.init).map(ObjectID.init) }

    package func integer(_ key: PropertyKey) -> Int? { self[key].flatMap { Int($0) } }

    /// Returns the value as a flag in PipeWire's sense: "true" and "1" are true, everything else is
    /// false.
    package func flag(_ key: PropertyKey) -> Bool { self[key] == "true" || self[key] == "1" }
}
