import AudioSessionCore
import Glibc

extension String {
    /// A text of another program: cut if it is overlong, repaired if it is no UTF-8.
    init(foreign text: UnsafePointer<CChar>, atMost most: Int = GraphLimits.text) {
        var length = strnlen(text, most)
        let isContinuation = { (index: Int) in UInt8(bitPattern: text[index]) & 0xc0 == 0x80 }
        if length == most {
            // Not in the middle of a character, which takes 4 bytes at most.
            while length > most - 4, isContinuation(length) { length -= 1 }
        }
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        self = String(decoding: bytes, as: UTF8.self)
    }
}

/// The `name` in `{"name": "…"}`, PipeWire's way to write a default node.
///
/// Written by the session manager, but any program may write it: what is not of that form is no name.
func nodeName(inJSON json: UnsafePointer<CChar>) -> String? {
    let longest = 4096
    let bytes = UnsafeRawBufferPointer(start: json, count: strnlen(json, longest))
    switch try? JSONReader.member("name", in: Array(bytes)) {
    // Cut like the node's own name.
    case .string(let name), .number(let name): return name.withCString { String(foreign: $0) }
    default: return nil
    }
}
