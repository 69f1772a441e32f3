/// The number of a PipeWire global. The daemon reuses it after the object is removed.
package struct ObjectID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var description: String { String(rawValue) }
}
