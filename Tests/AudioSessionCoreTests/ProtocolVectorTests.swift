import Foundation
import Testing

private let otherFolder = ProcessInfo.processInfo.environment["AUDIOSESSIONS_VECTORS"].map { URL(filePath: $0) }

/// Runs the vectors of `Protocol/vectors` with the library's own state machine. `Protocol/check`
/// runs them with the implementation in Python. `AUDIOSESSIONS_VECTORS` names another folder with
/// vectors, such as those of `Protocol/random`.
@Suite struct ProtocolVectorTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../Protocol/vectors").standardized
    private static let files = ["activation", "effects", "limits", "order", "owner", "payloads", "random", "restart"]

    private struct File: Decodable {
        let vectors: [ProtocolVector]
    }

    @Test(arguments: files) func theLibraryHasTheStateAfterEachStep(file: String) throws {
        try run(Self.folder, file)
    }

    @Test(.enabled(if: otherFolder != nil)) func theLibraryHasTheStatesOfAnotherFolder() throws {
        let folder = try #require(otherFolder)
        let files = try Self.names(in: folder)
        #expect(!files.isEmpty)
        for file in files { try run(folder, file) }
    }

    @Test func everyFileIsRun() throws {
        let names = try Self.names(in: Self.folder)
        #expect(names == Self.files)
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
            .map { String($0.dropLast(".json".count)) }.sorted()
    }

    private func run(_ folder: URL, _ file: String) throws {
        let data = try Data(contentsOf: folder.appending(path: "\(file).json"))
        for vector in try JSONDecoder().decode(File.self, from: data).vectors {
            var run = ProtocolVectorRun()
            for (index, step) in vector.steps.enumerated() {
                let state = try run.perform(step)
                guard let expected = step.then, state != expected else { continue }
                // The states after a wrong one differ too.
                Issue.record("\(file): \(vector.name), step \(index + 1): \(state), and not \(expected)")
                break
            }
        }
    }
}
