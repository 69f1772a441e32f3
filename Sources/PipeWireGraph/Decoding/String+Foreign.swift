import AudioSessionCore
import Glibc

extension String {
    /// Copies a text of another program: cuts it at the limit, and repairs invalid UTF-8.
    init(foreign text: UnsafePointer<CChar>, atMost most: Int = GraphLimits.text) {
        var length = strnlen(text, most)
        let isContinuation = { (index: Int) in UInt8(bitPattern: text[index]) & 0xc0 == 0x80 }
        if length == most {
            // Does not cut within a character, which has at most 4 bytes.
            while length > Swift.max(0, most - 4), isContinuation(length) { length -= 1 }
        }
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        self = String(decoding: bytes, as: UTF8.self)
    }
}

/// Returns the `name` in `{"name": "…"}`, the form in which metadata has a default node.
///
/// Any program may write metadata, so text of another form gives `nil`.
func nodeName(inJSON json: UnsafePointer<CChar>) -> String? {
    let longest = 4096
    let bytes = UnsafeRawBufferPointer(start: json, count: strnlen(json, longest))
    switch try? JSONReader.member("name", in: Array(bytes)) {
    // Cuts the name like that of the node, so that they stay equal.
    case .string(let name), .number(let name): return name.withCString { String(foreign: $0) }
    default: return nil
    }
}
