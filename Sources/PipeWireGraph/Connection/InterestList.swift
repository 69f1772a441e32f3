import AudioSessionCore
import CPipeWireShim

/// Owns the shim's form of interests, which must outlive the connection.
final class InterestList {
    private let arena = CArena()
    let pointer: UnsafePointer<cpw_interest>?
    let count: Int

    init(_ interests: [RegistryInterest]) {
        let arena = arena
        pointer = arena.array(
            interests.map { interest in
                cpw_interest(
                    type: interest.type.shim, key: arena.string(interest.key.rawValue),
                    value: interest.value.map { arena.string($0) }, binds: interest.isBound)
            })
        count = interests.count
    }
}

extension ObjectType {
    var shim: cpw_object_type {
        switch self {
        case .node: CPW_OBJECT_NODE
        case .device: CPW_OBJECT_DEVICE
        case .metadata: CPW_OBJECT_METADATA
        case .session: CPW_OBJECT_SESSION
        }
    }
}
