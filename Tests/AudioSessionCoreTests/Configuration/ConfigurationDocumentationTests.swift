import AudioSessionCore
import Foundation
import Testing

/// Compares the tables of Docs/Configuration.md with the code.
@Suite struct ConfigurationDocumentationTests {
    typealias Configuration = AudioSessionConfiguration

    /// The cells of the page's tables, by section.
    let sections: [String: [[String]]]

    init() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../Docs/Configuration.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        var sections: [String: [[String]]] = [:]
        var title = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { title = String(line.dropFirst(3)) }
            guard line.hasPrefix("|"), !line.hasPrefix("|--") else { continue }
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            sections[title, default: []].append(
                cells.map { $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "`", with: "") })
        }
        self.sections = sections
    }

    private func rows(_ section: String) throws -> ArraySlice<[String]> {
        let rows = try #require(sections[section]).dropFirst()
        try #require(!rows.isEmpty)
        return rows
    }

    @Test func categories() throws {
        let rows = try rows("Categories")
        #expect(rows.map { $0[0] } == Configuration.Category.allCases.map(\.name))
        for row in rows {
            let category = try Configuration.Category(named: row[0])
            #expect(row[1] == (category.allowsPlayback ? "yes" : "no"))
            #expect(row[2] == (category.allowsRecording ? "yes" : "no"))
            #expect(
                row[3]
                    == (Configuration(category).isMixable
                        ? "always" : Configuration(category, options: .duckOthers).isLegal ? "if set" : "never"))
            #expect(row[4] == (Configuration(category).isSilencedBySilentMode ? "yes" : "no"))
        }
    }

    @Test func modes() throws {
        let rows = try rows("Modes")
        #expect(rows.map { $0[0] } == Configuration.Mode.allCases.map(\.name))
        for row in rows {
            let categories = try Configuration.Mode(named: row[0]).legalCategories
            #expect(row[1] == categories.map(\.name).joined(separator: ", "))
        }
    }

    @Test func options() throws {
        let rows = try rows("Options")
        let all = Configuration.CategoryOptions.legal(with: .playAndRecord).names
        #expect(Set(rows.map { $0[0] }).isSuperset(of: all))
        for row in rows {
            let option = try Configuration.CategoryOptions(named: row[0])
            for (category, cell) in zip(Configuration.Category.allCases, row.dropFirst()) {
                #expect(cell == word(option, category), "\(row[0]), \(category.name)")
            }
        }
    }

    private func word(_ option: Configuration.CategoryOptions, _ category: Configuration.Category) -> String {
        guard Configuration(category, options: option).isLegal else {
            return Configuration(category, options: option.union(.duckOthers)).isLegal ? "ducking" : "no"
        }
        if Configuration(category).effectiveOptions.contains(option) { return "always" }
        return Configuration(category, mode: .spokenAudio, options: option).violations
            .contains { $0.subject == .options(option) && $0.fix.contains("use mode default") } ? "default" : "yes"
    }

    @Test func policies() throws {
        let rows = try rows("Route-sharing policies")
        #expect(rows.map { $0[0] } == Configuration.RouteSharingPolicy.allCases.map(\.name))
        #expect(rows.map { UInt($0[1]) } == Configuration.RouteSharingPolicy.allCases.map(\.rawValue))
    }

    @Test func errors() throws {
        for row in try rows("Errors") {
            let code = try #require(Int32(row[1]).flatMap(AudioSessionError.Code.init(status:)))
            #expect(code.name == row[0])
            #expect(code.fourCharacterCode?.description ?? "" == row[2])
        }
    }

    @Test func everyRefusalOfThePageHasItsReason() throws {
        let rows = try rows("What is left out")
        for known in AppleOnly.all {
            let row = try #require(rows.first { $0[0] == "\(known.kind.rawValue) \(known.name)" })
            #expect(row[1].hasPrefix(known.reason))
        }
    }
}
