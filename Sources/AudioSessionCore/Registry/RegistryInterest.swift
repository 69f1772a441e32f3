/// A filter for objects in the registry by one property. Most objects of a busy computer match
/// none, and are not decoded at all.
///
/// All objects of a type without filters are decoded.
package struct RegistryInterest: Sendable, Hashable {
    package let type: ObjectType
    package let key: PropertyKey
    /// The required value of the property; `nil` for any value.
    package let value: String?
    /// Whether the object is bound when it appears, and its event is sent when all its properties
    /// are known.
    package let isBound: Bool

    package init(_ type: ObjectType, _ key: PropertyKey, _ value: String?, isBound: Bool = false) {
        self.type = type
        self.key = key
        self.value = value
        self.isBound = isBound
    }

    /// The filters of programs with sessions.
    package static let ofSessions = nodes(areBound: true) + devices + announcements

    /// The filters of programs that duck unmanaged streams.
    package static let ofDuckers = nodes(areBound: false) + devices + announcements

    private static func nodes(areBound: Bool) -> [RegistryInterest] {
        MediaClass.allCases.map { RegistryInterest(.node, .mediaClass, $0.rawValue, isBound: areBound) }
    }

    private static let announcements = Announcement.Kind.allCases.flatMap { kind in
        [RegistryInterest(.session, kind.key, nil), RegistryInterest(.device, .deviceAPI, kind.deviceAPI)]
    }

    private static let devices = [RegistryInterest(.device, .mediaClass, Device.mediaClass)]
}
