import Foundation
import Testing

/// Checks that the tests exist that `SECURITY.md` names.
@Suite struct SecurityPageTests {
    private static let project = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// The text of all tests, in Swift and C.
    private static func tests() throws -> [String] {
        let names = ["Tests", "Examples/Tests"].flatMap { folder in
            (FileManager.default.enumerator(atPath: project.appending(path: folder).path)?.allObjects ?? [])
                .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
                .map { "\(folder)/\($0)" }
        }
        return try names.map { try String(contentsOf: project.appending(path: $0), encoding: .utf8) }
    }

    /// The names on the page: `Suite.test`, `Suite`, or `target: sentence` for one in C.
    private static func exists(_ name: String, in tests: [String]) -> Bool {
        if let colon = name.range(of: ": ") {
            return tests.contains {
                $0.contains("TEST(\"\(name[..<colon.lowerBound])\", \"\(name[colon.upperBound...])\")")
            }
        }
        let parts = name.split(separator: ".")
        guard (1...2).contains(parts.count) else { return false }
        // A suite may have extensions in other files.
        let suites = ["struct", "class", "extension"].map { "\($0) \(parts[0])" }
        return tests.contains { text in
            (parts.count == 1 || text.range(of: "func \(parts[1])(") != nil)
                && suites.contains { text.range(of: $0) != nil }
        }
    }

    @Test func everyTestOfThePageExists() throws {
        let page = try String(contentsOf: Self.project.appending(path: "SECURITY.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count > 10)
        let tests = try Self.tests()
        for row in rows {
            let cell = row.split(separator: "|").last ?? ""
            let names = cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
                String($0.element)
            }
            for name in names { #expect(Self.exists(name, in: tests), "no test \(name)") }
        }
        let text = page.split(separator: "\n").filter { !$0.hasPrefix("|") }.joined(separator: "\n")
        let others = text.matches(of: /`([A-Z][A-Za-z]*Tests(?:\.[A-Za-z]+)?)`/).map { String($0.1) }
        #expect(others.count >= 4)
        for name in others { #expect(Self.exists(name, in: tests), "no test \(name)") }
    }
}
