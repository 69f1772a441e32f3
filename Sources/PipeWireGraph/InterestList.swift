import AudioSessionCore
import CPipeWireShim

/// Interests as the shim wants them, for as long as this lives.
final class InterestList {
    private let arena = CArena()
    let pointer: UnsafePointer<cpw_interest>?
    let count: Int

    init(_ interests: [RegistryInterest]) {
        var keys: [PropertyKey: UnsafePointer<CChar>] = [:]
        var list: [cpw_interest] = []
        for interest in interests {
            let key = keys[interest.key] ?? arena.string(interest.key.rawValue)
            keys[interest.key] = key
            list.append(cpw_interest(type: interest.type.shim, key: key, value: arena.string(interest.value)))
        }
        pointer = arena.array(list)
        count = list.count
    }
}

extension BindableType {
    var shim: cpw_object_type {
        switch self {
        case .node: CPW_OBJECT_NODE
        case .device: CPW_OBJECT_DEVICE
        case .metadata: CPW_OBJECT_METADATA
        }
    }
}
