import CPipeWireTestServer
import TestSupport
import Testing

@testable import PipeWireGraph

@Suite("Names of default nodes in JSON")
struct NodeNameTests {
    /// The name that PipeWire's own tokenizer reads.
    private func reference(_ json: String) -> String? {
        var name = [CChar](repeating: 0, count: 4096)
        guard cpt_json_name(json, &name, name.count) else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test(
        "PipeWire's loose JSON",
        arguments: [
            (#"{"name":"alsa_output.usb"}"#, "alsa_output.usb"),
            (#"{ "name" : "a b" }"#, "a b"),
            (#"{ name = bare }"#, "bare"),
            (#"{name bare}"#, "bare"),
            (#"{"id" 4 "name" "x",}"#, "x"),
            (#"{, , name: x, }"#, "x"),
            ("{ # a comment, \"name\": \"no\"\n name = x }", "x"),
            (#"{"other": {"name": "inner", "list": [1, [2, "]"]]}, "name": "outer"}"#, "outer"),
            (#"{"list": [], "name": "x"}"#, "x"),
            (#"{"name": "first", "name": "second"}"#, "first"),
            (#"{"name": ""}"#, ""),
            (#"{"name": "Lautsprecher 🎧 ü"}"#, "Lautsprecher 🎧 ü"),
            (#"   {"name":"x"} trailing"#, "x"),
            (#"{"name": 5}"#, "5"),
            (#"{"name":"x""#, "x"),
        ])
    func loose(_ json: String, _ name: String) {
        #expect(nodeName(inJSON: json) == name)
        #expect(reference(json) == name)
    }

    @Test(
        "Escapes",
        arguments: [
            (#"{"name":"\ud83c\udfb5"}"#, "🎵"),
            (#"{"name":"\uD83C\uDFB5 \u00e9\u20AC"}"#, "🎵 é€"),
            (#"{"name":"a\n\t\r\b\f\"\\\/b"}"#, "a\n\t\r\u{8}\u{c}\"\\/b"),
            (#"{"\u006eame":"x"}"#, "x"),
            (#"{"name":"a\ud83cb"}"#, "ab"),
            (#"{"name":"a\udfb5b"}"#, "ab"),
            (#"{"name":"\ud83c\ud83c\udfb5"}"#, "🎵"),
            (#"{"name":"\ud83c\u0041"}"#, "A"),
            (#"{"name":"\ud83c\\u0041"}"#, "\\u0041"),
            (#"{"name":"\udbbf\udfff"}"#, "\u{fffff}"),
        ])
    func escapes(_ json: String, _ name: String) {
        #expect(nodeName(inJSON: json) == name)
        #expect(reference(json) == name)
    }

    /// The names are not compared with PipeWire's, because 0.3.65 reads other characters here, or
    /// none.
    @Test(
        "Characters that PipeWire 0.3.65 misreads",
        arguments: [
            (#"\udbff\udfff"#, "\u{10ffff}"), (#"\ud84c\udfb5"#, "\u{233b5}"), ("a\u{7f}b", "a\u{7f}b"),
        ])
    func misread(_ written: String, _ characters: String) {
        #expect(nodeName(inJSON: #"{"name":"\#(written)"}"#) == characters)
    }

    /// PipeWire 0.3.65 reads a name in each of these texts, 1.4 another one or none.
    @Test(
        "Texts that PipeWire's versions read differently have no name",
        arguments: [
            #"{name a"b}"#, "{name a#b}", "{name bäre}", #"{name a\b}"#, #"{"list": [1}, "name": "x"}"#,
            #"{"list": [1 : 2], "name": "x"}"#, "{:name x}", "{name x",
        ])
    func differs(_ json: String) { #expect(nodeName(inJSON: json) == nil) }

    @Test(
        "What is no such object has no name",
        arguments: [
            "", " ", "{", "}", "{}", "[]", "name", #""name""#, #"["name", "x"]"#, #"{"name"}"#, #"{"name":}"#,
            #"{"name":{}}"#, #"{"name":["x"]}"#, #"{"name":{"name":"x"}}"#, #"{"name":"x"#, #"{"name":"\u12"}"#,
            #"{"name":"\u+123"}"#, #"{"name":"\u0000"}"#, #"{"name":"\x"}"#, #"{"name":"\"#, #"{"nam":"x"}"#,
            "{\"name\":\"a\u{1}b\"}", "{ # name = x }", "{name null}", #"{"other": [, "name": "x"}"#,
            #"{"a" {"name" "x"}"#, "{ } name x }", "null", "\u{feff}{\"name\":\"x\"}",
            String(repeating: "[", count: 100_000), "{a" + String(repeating: "{b", count: 100_000),
        ])
    func none(_ json: String) { #expect(nodeName(inJSON: json) == nil) }

    @Test("PipeWire reads the same name in random text", arguments: 0..<20)
    func random(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "{", "}", "[", "]", "\"", "\\", "name", "\"name\"", "\"x\"", ":", ",", "=", " ", "#", "\n", "\\u", "d83c",
            "\\ud83c", "\\udfb5", "0041", "ü", "🎧", "\u{1}", "a", "\t", "\"name\":", "{\"name\":\"",
        ]
        var read = 0
        for _ in 0..<2000 {
            var json = Bool.random(using: &random) ? "{" : ""
            for _ in 0..<Int.random(in: 0..<14, using: &random) { json += pieces.randomElement(using: &random) ?? "" }
            guard let name = nodeName(inJSON: json) else { continue }
            read += 1
            #expect(name == reference(json), "seed \(seed): \(json.debugDescription)")
        }
        #expect(read > 20)
    }

    @Test("Random bytes are read to their end", arguments: 0..<20)
    func randomBytes(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = nodeName(inJSON: String(decoding: Array("{\"name\":\"".utf8) + bytes, as: UTF8.self))
            _ = nodeName(inJSON: String(decoding: bytes, as: UTF8.self))
        }
    }
}
