/// The part of a ``PortCatalog`` that a change may have made stale.
enum CatalogInvalidation: Sendable, Hashable {
    case nothing
    /// This device or one of its routes has changed. The paths from nodes to hardware are
    /// unchanged.
    case device(ObjectID)
    case everything

    mutating func add(_ other: Self) {
        if self == .nothing { self = other } else if other != .nothing, other != self { self = .everything }
    }
}
