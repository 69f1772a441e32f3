import Foundation
import Testing

/// Runs the vectors of `Protocol/vectors` with the library's own state machine. `Protocol/check`
/// runs them with the implementation in Python.
@Suite struct ProtocolVectorTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../Protocol/vectors").standardized
    private static let files = ["activation", "effects", "limits", "order", "owner", "payloads", "restart"]

    private struct File: Decodable {
        let vectors: [ProtocolVector]
    }

    @Test(arguments: files) func theLibraryHasTheStateAfterEachStep(file: String) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "\(file).json"))
        for vector in try JSONDecoder().decode(File.self, from: data).vectors {
            var run = ProtocolVectorRun()
            for (index, step) in vector.steps.enumerated() {
                let state = try run.perform(step)
                guard let expected = step.then else { continue }
                #expect(state == expected, "\(vector.name), step \(index + 1)")
            }
        }
    }

    @Test func everyFileIsRun() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.sorted() == Self.files.map { "\($0).json" })
    }
}
