/// A value that is kept by reference, since it is large: copied for the price of one word, and seen to be the same if it is.
struct Shared<Value: Sendable & Hashable>: Sendable, Hashable {
    private var box: Box

    init(_ value: Value) { box = Box(value) }

    /// Nobody else sees a change.
    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    /// Several changes at the price of one.
    mutating func change(_ body: (inout Value) -> Void) {
        var value = box.value
        body(&value)
        box = Box(value)
    }

    /// Whether both are one, which is seen at once.
    func isTriviallyIdentical(to other: Self) -> Bool { box === other.box }

    static func == (left: Self, right: Self) -> Bool {
        left.isTriviallyIdentical(to: right) || left.box.value == right.box.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(box.value) }

    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}

// Tests that fail show what was compared.
extension Shared: CustomReflectable {
    var customMirror: Mirror { Mirror(reflecting: value) }
}
