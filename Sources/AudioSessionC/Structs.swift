import CAudioSession

// Every struct begins with its size, which its owner has set. A struct of which there is a second version names the size
// of the first. Members beyond the caller's size must not be read.

/// `NULL` is whole.
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
            "The size of \(Struct.self) is \(size), and has to be \(first) at least. Begin with its INIT macro.")
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

/// What the caller wants to be told, with the size that it has set.
func write<Struct>(
    _ value: Struct, _ size: WritableKeyPath<Struct, UInt32>, to pointer: UnsafeMutablePointer<Struct>?
) throws(Failure) {
    guard let pointer else { throw .badParam("There is no \(Struct.self) to write to: it is NULL.") }
    try checkSize(pointer)
    var value = value
    value[keyPath: size] = pointer.pointee[keyPath: size]
    pointer.pointee = value
}

func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> String? {
    guard let pointer else { return nil }
    guard let text = String(validatingCString: pointer) else { throw .badParam("\(name) is not UTF-8.") }
    return text
}
