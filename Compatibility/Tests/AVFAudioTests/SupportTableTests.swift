import Foundation
import Testing

/// Docs/ComingFromAVAudioSession.md against the module's source.
@Suite struct SupportTableTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// Symbols by what the tables say of them.
    private static func table() throws -> [String: Set<String>] {
        let page = try String(contentsOf: root.appending(path: "Docs/ComingFromAVAudioSession.md"), encoding: .utf8)
        var table: [String: Set<String>] = [:]
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count >= 4, line.hasPrefix("| `") else { continue }
            let names = cells[1].matches(of: /`([A-Za-z0-9…]+)`/).map { String($0.1) }
            table[cells[2].trimmingCharacters(in: .whitespaces), default: []].formUnion(names)
        }
        return table
    }

    /// Everything public, by its bare name.
    private static func symbols() throws -> Set<String> {
        let folder = root.appending(path: "Compatibility/Sources/AVFAudio")
        var symbols: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            let declaration =
                /public (?:override |static |final |convenience )*(?:let|var|func|class|struct|enum|typealias|protocol) `?([A-Za-z0-9]+)/
            symbols.formUnion(source.matches(of: declaration).map { String($0.1) })
            symbols.formUnion(source.matches(of: /\n    func (audio[A-Za-z0-9]+)/).map { String($0.1) })
            symbols.formUnion(source.matches(of: #/\n        case `?([A-Za-z0-9]+)`? = /#).map { String($0.1) })
        }
        return symbols.subtracting(["rawValue", "isEqual", "hash", "description"])
    }

    @Test func everySymbolHasARow() throws {
        let table = try Self.table()
        #expect(Set(table.keys) == ["works", "nothing", "absent"])
        let named = table["works", default: []].union(table["nothing", default: []])
        let beginnings = named.filter { $0.hasSuffix("…") }.map { String($0.dropLast()) }
        let cases = try Self.cases()
        let missing = try Self.symbols().filter { symbol in
            !named.contains(symbol) && !cases.contains(symbol) && !beginnings.contains { symbol.hasPrefix($0) }
        }
        #expect(missing.sorted() == [])
    }

    @Test func everyRowTellsTheTruth() throws {
        let (table, symbols) = (try Self.table(), try Self.symbols())
        for support in ["works", "nothing"] {
            let missing = table[support, default: []].filter { !$0.hasSuffix("…") && !symbols.contains($0) }
            #expect(missing.sorted() == [], "\(support), but there is no such symbol")
        }
        #expect(table["absent", default: []].intersection(symbols.subtracting(["delegate"])).sorted() == [])
    }

    /// Of enumerations, which have one row each.
    private static func cases() throws -> Set<String> {
        let folder = root.appending(path: "Compatibility/Sources/AVFAudio")
        var cases: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            cases.formUnion(source.matches(of: #/\n +case `?([A-Za-z0-9]+)`? = /#).map { String($0.1) })
        }
        return cases
    }
}
