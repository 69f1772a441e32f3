import CFuzz
import Glibc

/// Passes bytes to one decoder, which `AUDIOSESSIONS_FUZZ` names; the arguments are libFuzzer's.
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
        // The driver requires a mutable pointer, and changes nothing.
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
    /// A pointer that is never null, as in C.
    fileprivate var start: UnsafePointer<UInt8> {
        guard let baseAddress else { return empty }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }

    /// Bytes of another program as the library reads them: invalid UTF-8 is repaired.
    var text: String { String(decoding: self, as: UTF8.self) }
}

nonisolated(unsafe) private let empty = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

/// Ends the process, so that libFuzzer keeps the input.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard !holds else { return }
    let line = Array("fuzz: \(what())\n".utf8)
    write(STDERR_FILENO, line, line.count)
    abort()
}
