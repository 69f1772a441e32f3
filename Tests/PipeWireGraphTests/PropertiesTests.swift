import AudioSessionCore
import CPipeWireShim
import TestSupport
import Testing

@testable import PipeWireGraph

@Suite("Property dictionaries")
struct PropertiesTests {
    private func pick(_ properties: [RawProperty]) -> Properties {
        properties.withShim { Properties(picking: $0, $1) }
    }

    @Test("Every wanted key is found, whatever the order, and nothing else")
    func allKeys() {
        let wanted = PropertyKey.allCases.map { RawProperty($0.rawValue, "value of \($0.rawValue)") }
        let others = ["", "a", "node", "node.nam", "node.name ", "node.names", "zzz", "NODE.NAME", "\u{ff}"].map {
            RawProperty($0, "other")
        }
        var random = SplitMix64(seed: 1)
        for _ in 0..<20 {
            let properties = pick((wanted + others).shuffled(using: &random))
            for key in PropertyKey.allCases { #expect(properties[key] == "value of \(key.rawValue)") }
        }
        #expect(pick(others) == Properties())
        #expect(Properties(picking: nil, 0) == Properties())
    }

    @Test("The last of duplicate keys counts, as in PipeWire's own dictionaries")
    func duplicates() {
        let twice = [
            RawProperty("node.name", "first"), RawProperty("node.nick", "n"), RawProperty("node.name", "last"),
        ]
        #expect(pick(twice)[.nodeName] == "last")
        #expect(pick(twice)[.nodeNick] == "n")
        let taken = [RawProperty("node.name", "first"), RawProperty(Array("node.name".utf8), nil)]
        #expect(pick(taken)[.nodeName] == nil)
    }

    @Test("Entries without a key or a value are ignored")
    func nulls() {
        let properties = pick([
            RawProperty(nil, Array("x".utf8)), RawProperty(nil, nil), RawProperty(Array("node.nick".utf8), nil),
            RawProperty("node.name", "n"),
        ])
        #expect(properties == [.nodeName: "n"])
    }

    @Test(
        "What a token says is kept as long as it may be, and a name is cut", arguments: Announcement.Carrier.allCases)
    func payloads(carrier: Announcement.Carrier) {
        let text = String(repeating: "x", count: TokenContents.largestPayload)
        let announcement = Announcement(.token, name: text, payload: text)
        let properties = pick(announcement.properties(of: carrier).pairs.map { RawProperty($0.0, $0.1) })
        #expect(properties.announced(.token)?.payload == text)
        #expect(properties.announced(.token)?.name == String(text.prefix(GraphLimits.text)))
    }

    @Test("A text that is cut to a few bytes is cut within them", arguments: 1...8)
    func littleRoom(room: Int) {
        let keys = PropertyKey.allCases.sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
            .filter { $0 != .sessionToken && $0 != .deviceDescription }
        let whole = (GraphLimits.properties - 1) / GraphLimits.text
        let rest = GraphLimits.properties - whole * GraphLimits.text - room
        let lengths = [Int](repeating: GraphLimits.text, count: whole) + [rest]
        var properties = zip(keys, lengths).map { RawProperty($0.rawValue, String(repeating: "x", count: $1)) }
        let last = keys[lengths.count]
        properties.append(RawProperty(Array(last.rawValue.utf8), [UInt8](repeating: 0x80, count: 8)))
        #expect(pick(properties)[last]?.unicodeScalars.allSatisfy { $0 == "\u{fffd}" } == true)
    }

    @Test("Invalid UTF-8 is repaired")
    func invalidText() {
        let broken: [[UInt8]] = [
            [0xff], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0x61, 0xf0, 0x9f, 0x8e, 0x62],
        ]
        for bytes in broken {
            let value = pick([RawProperty(Array("node.name".utf8), bytes)])[.nodeName]
            #expect(value?.unicodeScalars.contains("\u{fffd}") == true)
        }
        var random = SplitMix64(seed: 2)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 1...255, using: &random)
            }
            let key = Array((PropertyKey.allCases.randomElement(using: &random) ?? .nodeName).rawValue.utf8)
            let properties = pick([RawProperty(bytes, bytes), RawProperty(key, bytes)])
            #expect(properties != Properties())
            for key in PropertyKey.allCases { _ = (properties.integer(key), properties.objectID(key)) }
        }
    }

    @Test("A value of a megabyte is cut, at a character")
    func long() {
        let long = String(repeating: "🎧", count: 300_000)
        let value = pick([RawProperty("node.name", long)])[.nodeName]
        #expect(value == String(repeating: "🎧", count: GraphLimits.text / 4))
        let odd = pick([RawProperty("node.name", "a" + long)])[.nodeName]
        #expect(odd?.utf8.count ?? 0 <= GraphLimits.text)
        #expect(odd?.hasPrefix("a🎧🎧") == true)
    }

    @Test("Invalid numbers, or those that do not fit, are missing")
    func numbers() {
        let bad = ["", " 1", "-1", "4294967296", "1e3", "0x10", "99999999999999999999", "1\u{0301}", "١"]
        for text in bad { #expect(pick([RawProperty("device.id", text)]).objectID(.deviceID) == nil, "\(text)") }
        #expect(pick([RawProperty("device.id", "4294967295")]).objectID(.deviceID) == ObjectID(.max))
    }

    @Test("A daemon with many malformed dictionaries is read to its end")
    func overTheWire() async throws {
        let server = try TestServer()
        var random = SplitMix64(seed: 3)
        let types = [
            CPW_OBJECT_NODE, CPW_OBJECT_DEVICE, CPW_OBJECT_LINK, CPW_OBJECT_CLIENT, CPW_OBJECT_METADATA,
            CPW_OBJECT_SESSION,
        ]
        let mebibyte = [UInt8](repeating: 0x41, count: 1 << 20)
        for number in 0..<500 {
            let noise = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
                RawProperty(
                    Array((PropertyKey.allCases.randomElement(using: &random) ?? .nodeName).rawValue.utf8),
                    (0..<Int.random(in: 0..<20, using: &random)).map { _ in .random(in: 1...255, using: &random) })
            }
            let classes = ["Audio/Sink", "Audio/Device", "Audio/Duplex", "Stream/Output/Audio", "", "Video/Source"]
            let known = RawProperty("media.class", classes.randomElement(using: &random) ?? "")
            let long = number.isMultiple(of: 100) ? [RawProperty(Array("node.name".utf8), mebibyte)] : []
            _ = server.add(
                types.randomElement(using: &random) ?? CPW_OBJECT_NODE, registry: noise + [known] + long,
                properties: noise.shuffled(using: &random) + [known, RawProperty(nil, nil)] + long)
        }
        _ = server.add(CPW_OBJECT_NODE, ["node.name": "sound", "media.class": "Audio/Sink"])
        let client = try await GraphClient.connected(to: server)
        #expect(await client.node(named: "sound") != nil)
        // Globals that no daemon would announce: null keys, duplicate keys, ids in use or of no
        // object.
        for type in types {
            for id: UInt32 in [0, 1, 40, 1 << 20, .max] {
                server.announce(
                    type, id: id,
                    [
                        RawProperty(nil, mebibyte), RawProperty("media.class", "Audio/Sink"),
                        RawProperty(Array("media.class".utf8), nil), RawProperty("media.class", "Audio/Device"),
                        RawProperty("metadata.name", "default"), RawProperty(nil, nil),
                    ])
            }
        }
        try await client.settle()
        try await client.settle()
        #expect(await client.failures.isEmpty)
    }

    @Test("Too many properties for the protocol affect only their object")
    func tooMany() async throws {
        let server = try TestServer()
        let many = (0..<2000).map { RawProperty("key.\($0)", "v") }
        let plain: [RawProperty] = .init(["node.name": "many", "media.class": "Audio/Sink"])
        _ = server.add(CPW_OBJECT_NODE, registry: plain, properties: plain + many)
        _ = server.add(CPW_OBJECT_NODE, ["node.name": "sound", "media.class": "Audio/Sink"])
        let client = try await GraphClient.connected(to: server)
        #expect(await client.registry.graph.nodes.values.map(\.name) == ["sound"])
        #expect(await client.failures.isEmpty)
    }
}
