import CAudioSession

// Every struct begins with its size, which its owner has set. A struct that has a second version
// names the size of the first. Members beyond the caller's size must not be read.

/// Fails if the struct is smaller than its first version. `NULL` passes.
func checkSize<Struct>(_ pointer: UnsafeMutablePointer<Struct>?) throws(Failure) {
    try checkSize(pointer.map { UnsafePointer($0) })
}

func checkSize<Struct>(
    _ pointer: UnsafePointer<Struct>?, first: Int = MemoryLayout<Struct>.size
) throws(Failure) {
    guard let pointer else { return }
    let size = UnsafeRawPointer(pointer).load(as: UInt32.self)
    guard size >= first else {
        throw .badParam(
            "The size of \(Struct.self) is \(size), but must be at least \(first). Initialize it with its INIT macro."
        )
    }
}

/// The caller's struct, in which members that its version of the header does not have are 0.
func read<Struct>(_ pointer: UnsafePointer<Struct>, into value: inout Struct) {
    let size = Int(UnsafeRawPointer(pointer).load(as: UInt32.self))
    withUnsafeMutableBytes(of: &value) { bytes in
        bytes.copyMemory(
            from: UnsafeRawBufferPointer(start: pointer, count: min(size, MemoryLayout<Struct>.size)))
    }
}

/// Writes as much of the value as the caller has room for, and leaves the size that it has set.
/// - Parameter first: the size of the struct's first version.
func write<Struct>(
    _ value: Struct, to pointer: UnsafeMutablePointer<Struct>?, first: Int = MemoryLayout<Struct>.size
) throws(Failure) {
    guard let pointer else { throw .badParam("The pointer to \(Struct.self) is NULL. Pass the address of a struct.") }
    try checkSize(UnsafePointer(pointer), first: first)
    let size = Int(UnsafeRawPointer(pointer).load(as: UInt32.self))
    let header = MemoryLayout<UInt32>.size
    withUnsafeBytes(of: value) { bytes in
        let members = bytes[header..<min(size, bytes.count)]
        UnsafeMutableRawPointer(pointer).advanced(by: header)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: members).baseAddress!, byteCount: members.count)
    }
}

/// Where a new handle is written to. It is `NULL` until the function has succeeded.
func give(
    _ handle: UnsafeMutablePointer<OpaquePointer?>?, _ name: String,
    _ make: () throws -> (any AnyObject & Sendable)?
) throws {
    guard let handle else {
        throw Failure.badParam("The pointer for the \(name) is NULL. Pass the address of a variable.")
    }
    handle.pointee = try make().map { Handles.all.add($0) }
}

func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String? {
    guard let pointer else { return nil }
    guard let text = String(validatingCString: pointer) else { throw .badParam("\(name) is not valid UTF-8.") }
    return text
}
