import CFuzz
import Glibc

/// Throws bytes at one decoder, which `AUDIOSESSIONS_FUZZ` names; the arguments are libFuzzer's.
@main
enum Fuzz {
    static func main() {
        let name = getenv("AUDIOSESSIONS_FUZZ").map { String(cString: $0) } ?? ""
        guard let decoder = decoders[name] else {
            for name in decoders.keys.sorted() { print(name) }
            exit(name == "" ? 0 : 64)
        }
        chosen = decoder
        var count = CommandLine.argc
        // The driver wants a pointer to what it may change, and changes nothing.
        var arguments = UnsafeMutableRawPointer(CommandLine.unsafeArgv)
            .assumingMemoryBound(to: UnsafeMutablePointer<CChar>.self)
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
                Fuzz.chosen(UnsafeRawBufferPointer(start: bytes, count: size))
                return 0
            })
    }

    typealias Decoder = (UnsafeRawBufferPointer) -> Void

    nonisolated(unsafe) private static var chosen: Decoder = { _ in }

    private static var decoders: [String: Decoder] {
        [
            "token": fuzzToken, "board": fuzzBoard, "graph": fuzzGraph, "name": fuzzName, "dump": fuzzDump,
            "line": fuzzLines, "card": fuzzCardLines,
            "pod": { cfuzz_pod($0.start, $0.count) },
            "export": { cfuzz_export($0.start, $0.count) },
        ]
    }
}

extension UnsafeRawBufferPointer {
    /// Never null, as C has it.
    fileprivate var start: UnsafePointer<UInt8> {
        guard let baseAddress else { return empty }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }

    /// Bytes of another program as the library takes them: repaired where they are no UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }
}

nonisolated(unsafe) private let empty = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

/// Ends the process, for libFuzzer to keep the input.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard !holds else { return }
    let line = Array("fuzz: \(what())\n".utf8)
    write(STDERR_FILENO, line, line.count)
    abort()
}
