/// A large value that is stored by reference, so that copying is cheap and identity implies
/// equality.
struct Shared<Value: Sendable & Hashable>: Sendable, Hashable {
    private var box: Box

    init(_ value: Value) { box = Box(value) }

    /// The value. Changes affect no other copy.
    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    /// Applies several changes at the cost of one.
    mutating func change(_ body: (inout Value) -> Void) {
        var value = box.value
        body(&value)
        box = Box(value)
    }

    /// Whether both share their storage, which takes constant time.
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

// The mirror shows the value in the output of failed tests.
extension Shared: CustomReflectable {
    var customMirror: Mirror { Mirror(reflecting: value) }
}
