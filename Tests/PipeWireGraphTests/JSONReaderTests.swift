import Testing

@testable import PipeWireGraph

@Suite("JSON reader")
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue { try JSONReader.value(in: Array(text.utf8)) }

    private func failure(_ text: String) -> JSONError? {
        do {
            _ = try JSONReader.value(in: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Values",
        arguments: [
            ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("-1.50e3", .number("-1.50e3")),
            ("18446744073709551615", .number("18446744073709551615")), (#""5""#, .string("5")), ("[]", .array([])),
            ("{}", .object([])),
            (#"[[1], {"a": []}]"#, .array([.array([.number("1")]), .object([("a", .array([]))])])),
            (#"{"b": 1, "a": 2, "b": 3}"#, .object([("b", .integer(1)), ("a", .integer(2)), ("b", .integer(3))])),
        ] as [(String, JSONValue)])
    func values(_ text: String, _ value: JSONValue) throws { #expect(try read(text) == value) }

    @Test(
        "What PipeWire accepts beyond standard JSON",
        arguments: [
            ("[1 2,,3,]", #"[1,2,3]"#), ("{a = b c: d e f}", #"{"a":"b","c":"d","e":"f"}"#),
            ("[ # a list\n nul nan - 1.2.3 0x10 a{b ]", #"["nul","nan","-","1.2.3","0x10","a{b"]"#),
            ("{null true 5 false}", #"{"null":true,"5":false}"#), ("word", #""word""#), ("[] # the end", "[]"),
        ])
    func dialect(_ text: String, _ standard: String) throws { #expect(try read(text).description == standard) }

    @Test(
        "Errors have a place",
        arguments: [
            ("", "ends where a value", 1, 1), ("[\n  {\"id\"}\n]", "value is expected", 2, 8),
            ("[\n1\n", "ends in", 3, 1),
            ("{\"a\": 1", "in an object", 1, 8), ("{{} 1}", "a name is missing", 1, 2),
            ("[1}", "value is expected", 1, 3),
            ("{\"a\": 1]", "value is expected", 1, 8), ("[\"abc", "inside a string", 1, 6),
            ("[\"\\", "inside a string", 1, 4),
            ("[\"\\x\"]", "unknown escape", 1, 5), ("[\"\\u12", "inside a string", 1, 5),
            ("[\"\\u12G4\"]", "hexadecimal", 1, 5), ("[\"\\u+123\"]", "hexadecimal", 1, 5),
            ("\"a\\u0000\"", "NUL", 1, 9), ("\"a\nb\"", "a control character", 1, 3),
            ("[] []", "after the end", 1, 4),
            ("[]]", "after the end", 1, 3), ("[1 : 2]", "value is expected", 1, 4),
            ("[\u{feff}]", "value is expected", 1, 2),
        ])
    func errors(_ text: String, _ reason: String, _ line: Int, _ column: Int) throws {
        let error = try #require(failure(text))
        #expect(error.reason.contains(reason))
        #expect((error.line, error.column) == (line, column))
    }

    @Test("Depth is limited", arguments: ["[", "{a", "[{a["])
    func depth(_ opening: String) throws {
        #expect(
            try #require(failure(String(repeating: opening + " ", count: 200_000))).reason.contains("levels deep"))
    }

    @Test("The limit itself is allowed repeatedly")
    func limit() throws {
        let deep =
            String(repeating: "[", count: JSONReader.depthLimit - 1)
            + String(repeating: "]", count: JSONReader.depthLimit - 1)
        #expect(try read("[\(deep)\(deep)]").elements.count == 2)
        #expect(failure("[[\(deep)]]") != nil)
    }

    @Test("Invalid UTF-8 is repaired, half of a surrogate pair is dropped")
    func repair() throws {
        #expect(try JSONReader.value(in: [0x22, 0xff, 0x41, 0xc3, 0x22]) == .string("\u{fffd}A\u{fffd}"))
        #expect(try read(#""\ud83cx\udfa7\ud83c\ud83c\udfb5""#) == .string("x🎵"))
    }

    @Test("Members, elements, texts and whole numbers of a value")
    func access() throws {
        let value = try read(#"{"a": 1, "list": [1, "b", true, null, {}], "a": "7.0", "big": 1e400}"#)
        #expect(value["a"]?.integer == 7)
        #expect(value["b"] == nil)
        #expect(value["big"]?.integer == nil)
        #expect(value["list"]?.text == "1,b,true")
        #expect(value.text == nil && value.elements.isEmpty && value["list"]?["a"] == nil)
        #expect(JSONValue.number("1").flag && JSONValue.bool(true).flag && !JSONValue.null.flag)
    }

    @Test("A member is found without reading on")
    func member() throws {
        func member(_ text: String) throws -> JSONValue? { try JSONReader.member("a", in: Array(text.utf8)) }
        #expect(try member(#"{b {a 1} a [2] a 3 "#) == .array([.integer(2)]))
        #expect(try member("{b 1} a 2") == nil)
        #expect(try member("[a 1]") == nil)
        #expect(throws: JSONError.self) { try member("{b [1} a 2}") }
    }
}
