/// The number of a PipeWire global. Reused by the daemon after the object is gone.
package struct ObjectID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var description: String { String(rawValue) }
}
