import CPipeWireShim

/// Owns C strings and arrays, which the shim copies while this object exists.
final class CArena {
    private var release: [() -> Void] = []

    deinit { for free in release { free() } }

    func string(_ string: String) -> UnsafePointer<CChar> {
        let bytes = string.utf8CString
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { pointer[index] = byte }
        release.append { pointer.deallocate() }
        return UnsafePointer(pointer)
    }

    func optional(_ string: String?) -> UnsafePointer<CChar>? { string.map { self.string($0) } }

    /// Null if the array is empty.
    func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element>? {
        guard !elements.isEmpty else { return nil }
        let pointer = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        pointer.initialize(from: elements, count: elements.count)
        release.append { pointer.deallocate() }
        return UnsafePointer(pointer)
    }

    func numbers(_ numbers: [Int]) -> UnsafePointer<Int32>? { array(numbers.map { Int32(clamping: $0) }) }
}

/// Calls `body` with the string as a C string, or with null.
func withOptionalCString<Result>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let string else { return body(nil) }
    return string.withCString(body)
}

/// Calls `body` with the shim's form of a property list, which is valid during the call.
func withProperties<Result>(
    _ properties: [(String, String)], _ body: (UnsafePointer<cpw_property>?, Int) -> Result
) -> Result {
    let arena = CArena()
    let raw = arena.array(properties.map { cpw_property(key: arena.string($0.0), value: arena.string($0.1)) })
    return withExtendedLifetime(arena) { body(raw, properties.count) }
}
