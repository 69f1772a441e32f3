import AudioSessionCore
import AudioSessionTestKit
import Testing

@Suite struct MalformedDumpTests {
    private func failure(_ text: String) -> PipeWireDumpError? { failure(Array(text.utf8)) }

    private func failure(_ bytes: [UInt8]) -> PipeWireDumpError? {
        do {
            _ = try PipeWireDump(json: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("", "ends where a value", 1, 1), ("[\n  {\"id\": }\n]", "value is expected", 2, 10),
        ("{\"a\": 1", "in an object", 1, 8),
        ("[\"abc", "inside a string", 1, 6), ("[] []", "after the end", 1, 4),
        ("[\u{FEFF}]", "value is expected", 1, 2),
        ("\u{FEFF}[1}", "value is expected", 1, 3),
    ])
    func anErrorNamesLineAndColumn(text: String, reason: String, line: Int, column: Int) throws {
        let error = try #require(failure(text))
        guard case .malformed(let said, line, column) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(said.contains(reason))
        #expect(error.description.hasPrefix("line \(line), column \(column): "))
    }

    @Test(arguments: ["{}", "3", "null", "\"text\"", "word", "{\"a\" 1}", "{\"objects\": 4}"])
    func otherJSONIsNoDump(text: String) throws {
        let error = try #require(failure(text))
        guard case .notADump = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.description.hasPrefix("not a dump"))
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"objects\":["])
    func depthCannotExhaustTheStack(opening: String) throws {
        let error = try #require(failure(String(repeating: opening, count: 200_000)))
        #expect(error.description.contains("levels deep"))
    }

    @Test func metadataCannotNestEither() throws {
        let deep = String(repeating: "[", count: 5_000)
        let graph = try read(
            #"[{"metadata":[{"key":"default.audio.sink","value":"\#(deep)"},"#
                + #"{"key":"default.audio.source","value":{"name":"mic"}}]}]"#
        ).graph
        #expect(graph.defaultSinkName == nil && graph.defaultSourceName == "mic", "the next value is read")
    }

    @Test func theNumberOfObjectsIsLimited() throws {
        let many = Array(repeating: #"{"type":"Node"}"#, count: 10_002).joined(separator: ",")
        #expect(try #require(failure("[\(many)]")).description.contains("more than"))
    }

    /// The rest is read, whatever is cut off or of the wrong kind.
    @Test(arguments: [
        "[]", "[null, 1, \"x\", [], {}]", "[1 2]", "[\n  {\"id\": 1,}\n]", "[nul]", "[-]", "[1.2.3]",
        #"{"objects": []}"#, #"[{"type": 5}, {"type": ""}, {"type": ":/"}]"#,
        #"[{"type": "Node", "id": -7, "info": 3}, {"type": "Device", "id": 1e300, "info": []}]"#,
        #"[{"type": "Device", "info": {"props": [], "params": {"EnumRoute": {}, "Route": 3, "Profile": [[]]}}}]"#,
        #"[{"type": "Device", "info": {"params": {"EnumRoute": [null, 4, {"info": 7, "profiles": 3}]}}}]"#,
        #"[{"type": "Metadata", "metadata": {"key": 3}}, {"metadata": [3, {"key": []}, {"key": "default.audio.sink"}]}]"#,
        #"[{"type": "Link", "info": {"output-node-id": "x", "input-node-id": -1}}, {"type": "Link"}]"#,
    ])
    func oddObjectsAreReadAsFarAsPossible(text: String) throws {
        #expect(throws: Never.self) { try read(text) }
    }

    @Test func oddNumbersDoNotOverflow() throws {
        let dump = try read(
            #"[{"type":"Device","id":99999999999,"info":{"props":{"device.name":"alsa_card.pci-1"},"params":{"#
                + #""EnumProfile":[{"index":9223372036854775807,"name":"a"},{"name":"b"}],"#
                + #""EnumRoute":[{"name":"hdmi-output-0","index":1e400,"priority":-9223372036854775808,"#
                + #""devices":[1.5,"2"],"profiles":["b",9223372036854775807]}]}}}]"#)
        #expect(dump.ports.map(\.type) == [.hdmi])
    }

    /// Every cut of a good file, and every damaged byte of it, is an error or a dump, and no crash.
    @Test func anyDamageIsSurvived() throws {
        let good =
            Array(
                #"[{"id":1,"type":"Node","info":{"props":{"node.name":"a.sink\u00e9\ud83d\ude00"}}},{"id":2,"type":"Device","#
                    .utf8)
            + Array(
                #""info":{"params":{"EnumRoute":[{"name":"hdmi-output-0","info":[1,"port.type","hdmi"]}]}}}]"#.utf8)
        #expect(try PipeWireDump(json: good).ports.count == 2)
        for end in good.indices { #expect(failure(Array(good[..<end])) != nil) }
        for index in good.indices {
            for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0xFF] {
                var bad = good
                bad[index] = byte
                _ = failure(bad)
            }
        }
    }

    @Test func stringsAreDecodedAndRepaired() throws {
        func name(_ bytes: [UInt8]) throws -> String? {
            let text =
                Array(#"[{"type":"Node","info":{"props":{"node.name":""#.utf8) + bytes + Array(#"_sink"}}}]"#.utf8)
            return try PipeWireDump(json: text).ports.first?.node
        }
        #expect(try name(Array(#"\u00fc\n\t\r\b\f\/\\\""#.utf8)) == "ü\n\t\r\u{8}\u{C}/\\\"_sink")
        #expect(try name(Array(#"\ud83c\udfa7"#.utf8)) == "🎧_sink")
        #expect(try name(Array(#"\ud83cx"#.utf8)) == "x_sink")
        #expect(try name(Array(#"\ud83c\u0041"#.utf8)) == "A_sink")
        #expect(try name(Array(#"\udfa7\udfa7"#.utf8)) == "_sink")
        #expect(try name([0xFF, 0x41]) == "\u{FFFD}A_sink")
        #expect(try PipeWireDump(json: [0xEF, 0xBB, 0xBF] + Array(" [ ] ".utf8)).ports.isEmpty)
    }
}
