import TestSupport
import Testing

@testable import PipeWireGraph

@Suite("JSON writer")
struct JSONWriterTests {
    @Test(
        "Values",
        arguments: [
            (.null, "null"), (.bool(true), "true"), (.integer(UInt64.max), "18446744073709551615"),
            (.integer(-1), "-1"), (.double(0.25), "0.25"), (.double(1), "1.0"), (.double(.nan), "null"),
            (.double(-.infinity), "null"), (.array([]), "[]"), (.object([]), "{}"),
            (.array([.null, .array([.integer(1)])]), "[null,[1]]"),
            (.object([("b", .null), ("a", .bool(false))]), #"{"b":null,"a":false}"#),
            (.string("a\"\\/\n\r\t"), #""a\"\\/\n\r\t""#), (.string("\0\u{1f}\u{7f}"), #""\u0000\u001f\u007f""#),
            (.string("\u{2028}\u{2029}ü🎧"), #""\u2028\u2029ü🎧""#), (.object([("\n", .null)]), #"{"\n":null}"#),
        ] as [(JSONValue, String)])
    func values(_ value: JSONValue, _ text: String) { #expect(value.description == text) }

    @Test("The reader reads the written value back", arguments: 0..<20)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let value = Self.value(depth: 4, &random)
            let text = value.description
            #expect(!text.contains { $0.isNewline || $0 == " " })
            #expect(try JSONReader.value(in: Array(text.utf8)) == value)
        }
    }

    private static func value(depth: Int, _ random: inout SplitMix64) -> JSONValue {
        let count = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: depth == 0 ? 2..<7 : 0..<7, using: &random) {
        case 0: return .array((0..<count).map { _ in value(depth: depth - 1, &random) })
        case 1: return .object((0..<count).map { _ in (text(&random), value(depth: depth - 1, &random)) })
        case 2: return .null
        case 3: return .bool(.random(using: &random))
        case 4: return .integer(Int.random(in: .min ... .max, using: &random))
        case 5: return .double(.random(in: -1...1, using: &random))
        default: return .string(text(&random))
        }
    }

    private static func text(_ random: inout SplitMix64) -> String {
        let characters: [Character] = [
            "a", "\"", "\\", "\n", "\u{1}", "\u{7f}", "\u{2028}", "ü", "🎧", "#", "{", "]", ":", ",",
        ]
        return String(
            (0..<Int.random(in: 0..<6, using: &random)).map { _ in characters.randomElement(using: &random) ?? "a" })
    }
}
