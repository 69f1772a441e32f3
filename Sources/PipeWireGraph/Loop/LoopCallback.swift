/// A closure that the shim calls by a pointer to this object.
final class LoopCallback {
    /// The closure; `nil` after the last call.
    var body: (() -> Void)?

    init(_ body: @escaping () -> Void) { self.body = body }

    static func call(_ context: UnsafeMutableRawPointer) {
        Unmanaged<LoopCallback>.fromOpaque(context).takeUnretainedValue().body?()
    }
}
