/// What an object has to say of itself in the registry to concern anybody here. Most objects of a busy machine do not, and
/// so nothing is made of them, not even a value.
///
/// Of types that none of these is about all objects concern somebody.
package struct RegistryInterest: Sendable, Hashable {
    package let type: ObjectType
    package let key: PropertyKey
    /// `nil`: any.
    package let value: String?
    /// Whether the object is bound when it comes, and told of when all its properties are known: where nothing else would be
    /// done about what the registry shows of it.
    package let isBound: Bool

    package init(_ type: ObjectType, _ key: PropertyKey, _ value: String?, isBound: Bool = false) {
        self.type = type
        self.key = key
        self.value = value
        self.isBound = isBound
    }

    /// Of those who have sessions.
    package static let ofSessions = nodes(areBound: true) + devices + announcements

    /// Of those who lower the streams of others.
    package static let ofDuckers = nodes(areBound: false) + devices + announcements

    private static func nodes(areBound: Bool) -> [RegistryInterest] {
        MediaClass.allCases.map { RegistryInterest(.node, .mediaClass, $0.rawValue, isBound: areBound) }
    }

    private static let announcements = Announcement.Kind.allCases.flatMap { kind in
        [RegistryInterest(.session, kind.key, nil), RegistryInterest(.device, .deviceAPI, kind.deviceAPI)]
    }

    private static let devices = [RegistryInterest(.device, .mediaClass, Device.mediaClass)]
}
