/// What an object has to say of itself in the registry to concern anybody here. Most objects of a busy machine do not, and
/// so nothing is made of them, not even a value.
///
/// Of types that none of these is about all objects concern somebody.
package struct RegistryInterest: Sendable, Hashable {
    package let type: BindableType
    package let key: PropertyKey
    package let value: String

    package init(_ type: BindableType, _ key: PropertyKey, _ value: String) {
        self.type = type
        self.key = key
        self.value = value
    }

    /// Of those who have sessions.
    package static let ofSessions =
        MediaClass.allCases.map { RegistryInterest(.node, .mediaClass, $0.rawValue) } + [
            RegistryInterest(.device, .deviceAPI, TokenContents.deviceAPI),
            RegistryInterest(.device, .mediaClass, Device.mediaClass),
        ]

    /// Of those who lower the streams of others.
    package static let ofDuckers = ofSessions + [RegistryInterest(.device, .deviceAPI, DuckingMark.deviceAPI)]
}
