import AudioSessionCore
import AudioSessionTestKit
import Foundation
import Testing

/// Reads a collection of real computers' objects, with what each port is, where one lies beside the
/// repository.
///
/// The collection is other people's text and no part of the project, so without it these tests are
/// empty.
@Suite struct CorpusTests {
    @Test(arguments: Corpus.cases) func portsMatchTheExpectations(_ file: String) throws {
        let (dump, expectations) = try Corpus.read(file)
        for expectation in expectations {
            let outcome = expectation.outcome(in: dump.ports)
            Corpus.report(file, expectation, outcome)
            #expect(outcome.isRight || (expectation.isAmbiguous && outcome.isUncertain), "\(expectation): \(outcome)")
        }
    }

    /// An implementation that marks everything as uncertain would never be wrong.
    @Test(arguments: Corpus.cases) func portsWithClearEvidenceAreCertain(_ file: String) throws {
        let (dump, expectations) = try Corpus.read(file)
        for expectation in expectations where !expectation.isAmbiguous {
            let outcome = expectation.outcome(in: dump.ports)
            #expect(!outcome.isUncertain, "\(expectation): \(outcome)")
        }
    }
}

enum Corpus {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus").standardized

    static let cases: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }()

    static func read(_ file: String) throws -> (PipeWireDump, [Expectation]) {
        let data = try Data(contentsOf: folder.appending(path: file))
        return (try PipeWireDump(json: data), try JSONDecoder().decode(Case.self, from: data).expect)
    }

    /// One line for each expectation and all ports, to read.
    static func report(_ file: String, _ expectation: Expectation, _ outcome: Expectation.Outcome) {
        guard ProcessInfo.processInfo.environment["CORPUS_REPORT"] != nil else { return }
        print("\(outcome.isRight ? "right" : "OTHER")\t\(file.prefix(3))\t\(expectation)\t=> \(outcome)")
    }

    private struct Case: Decodable { var expect: [Expectation] }
}

struct Expectation: Decodable, CustomStringConvertible {
    var node: String?
    var device: String?
    var route: String?
    var portType: String
    var ambiguous: Bool?

    enum CodingKeys: String, CodingKey {
        case node, device, route, ambiguous
        case portType = "port_type"
    }

    struct Outcome: CustomStringConvertible {
        var ports: [PipeWireDump.Port]
        var isRight: Bool
        var isUncertain: Bool { ports.contains(where: \.uncertain) }
        var description: String { ports.map(\.description).joined(separator: " | ") }
    }

    var isAmbiguous: Bool { ambiguous ?? false }
    var description: String {
        "\(node ?? device ?? "") \(route ?? "") \(portType)\(isAmbiguous ? "?" : "")"
    }

    func outcome(in ports: [PipeWireDump.Port]) -> Outcome {
        let found = ports.filter { port in
            (node == nil || port.node == node) && (device == nil || port.device == device)
                && (routeName == nil || port.route == nil || port.route == routeName)
        }
        guard PortType(rawValue: portType) != nil else {
            // A sentence: either that there is no port, or that the data do not decide.
            return Outcome(
                ports: found, isRight: portType.hasPrefix("(") ? found.isEmpty : found.contains(where: \.uncertain))
        }
        return Outcome(ports: found, isRight: !found.isEmpty && found.allSatisfy { $0.type.rawValue == portType })
    }

    /// The text without the remarks in brackets.
    private var routeName: String? {
        guard let route, !route.hasPrefix("(") else { return nil }
        return route.range(of: " (").map { String(route[..<$0.lowerBound]) } ?? route
    }
}
