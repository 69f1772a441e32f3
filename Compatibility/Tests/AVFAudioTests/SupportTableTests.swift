import Foundation
import Testing

/// Docs/ComingFromAVAudioSession.md against the source of the modules.
@Suite struct SupportTableTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    private static let supports: Set = ["works", "no effect", "absent"]

    /// The rows of the tables of symbols: names, what is said of them, and the remark.
    private static func rows() throws -> [(names: [String], support: String, remark: String)] {
        let page = try String(contentsOf: root.appending(path: "Docs/ComingFromAVAudioSession.md"), encoding: .utf8)
        guard let start = page.range(of: "\n## What works\n") else { return [] }
        return page[start.upperBound...].split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 4, line.hasPrefix("| `") else { return nil }
            return (cells[1].matches(of: /`([A-Za-z0-9_…]+)`/).map { String($0.1) }, cells[2], cells[3])
        }
    }

    /// Symbols by what the tables say of them.
    private static func table() throws -> [String: Set<String>] {
        var table: [String: Set<String>] = [:]
        for row in try rows() { table[row.support, default: []].formUnion(row.names) }
        return table
    }

    private static func sources() throws -> [String] {
        try ["AVFAudio", "AVFoundation", "AudioToolbox", "MediaPlayer"].flatMap { module in
            let folder = root.appending(path: "Compatibility/Sources/\(module)")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .map { try String(contentsOf: $0, encoding: .utf8) }
        }
    }

    /// Everything public, by its bare name.
    private static func symbols() throws -> Set<String> {
        var symbols: Set<String> = []
        for source in try sources() {
            let declaration =
                /(?:public|open) (?:override |static |final |class |mutating )*(?:let|var|func|class|struct|enum|typealias|protocol) `?([A-Za-z0-9_]+)/
            symbols.formUnion(source.matches(of: declaration).map { String($0.1) })
            symbols.formUnion(source.matches(of: /\n    func (audio[A-Za-z0-9]+)/).map { String($0.1) })
            symbols.formUnion(source.matches(of: #/\n        case `?([A-Za-z0-9]+)`? = /#).map { String($0.1) })
        }
        return symbols.subtracting([
            "rawValue", "isEqual", "hash", "description", "errorDomain", "errorCode", "_cVarArgObject",
            "_cVarArgEncoding", "Element", "Failure", "makeAsyncIterator", "Iterator", "next",
        ])
    }

    @Test func everySymbolHasARow() throws {
        let table = try Self.table()
        #expect(Set(table.keys) == Self.supports)
        let named = table["works", default: []].union(table["no effect", default: []])
        let beginnings = named.filter { $0.hasSuffix("…") }.map { String($0.dropLast()) }
        let cases = try Self.cases()
        let missing = try Self.symbols().filter { symbol in
            !named.contains(symbol) && !cases.contains(symbol) && !beginnings.contains { symbol.hasPrefix($0) }
        }
        #expect(missing.sorted() == [])
    }

    @Test func everyRowIsTrue() throws {
        let (table, symbols) = (try Self.table(), try Self.symbols())
        for support in ["works", "no effect"] {
            let missing = table[support, default: []].filter { !$0.hasSuffix("…") && !symbols.contains($0) }
            #expect(missing.sorted() == [], "\(support), but there is no such symbol")
        }
        #expect(table["absent", default: []].intersection(symbols.subtracting(["delegate"])).sorted() == [])
    }

    @Test func whatDoesNotWorkHasAReason() throws {
        let rows = try Self.rows().filter { $0.support != "works" && $0.remark.isEmpty }
        #expect(rows.map(\.names) == [])
    }

    /// The cases of enumerations, which have one row each.
    private static func cases() throws -> Set<String> {
        var cases: Set<String> = []
        for source in try sources() {
            cases.formUnion(source.matches(of: #/\n +case `?([A-Za-z0-9]+)`? = /#).map { String($0.1) })
        }
        return cases
    }
}
