import Foundation
import Glibc
import Testing

@testable import AudioSessionTestKit

/// Builds and starts programs that use the library as it was built beside the tests.
struct Compiler {
    static let project = URL(filePath: #filePath).appending(path: "../../../..").standardized
    /// The folder of the built products.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static var library: String { products.appending(path: "libAudioSessionC.so").path }

    /// Programs have to be built with the sanitizer of the library.
    static let sanitizer: String? = {
        guard let bytes = try? Data(contentsOf: URL(filePath: library)) else { return nil }
        let symbols = [("thread", "__tsan_init"), ("address", "__asan_init")]
        return symbols.first { bytes.range(of: Data($0.1.utf8)) != nil }?.0
    }()

    static func find(_ program: String) -> String? {
        let folders = (Environment.current["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "c-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    static func environment(_ pipeWire: PrivatePipeWire) -> [String: String] {
        var environment = Environment.current.merging(pipeWire.environment) { $1 }
        environment["ASAN_OPTIONS"] = environment["ASAN_OPTIONS"].map { $0 + ":detect_leaks=0" }
        environment["AUDIOSESSION_LIBRARY"] = library
        return environment
    }

    /// Compiles a source file and returns the program's path.
    /// - Parameter source: its path, in the project unless it is absolute.
    func compile(_ source: String, _ flags: [String] = []) async throws -> String {
        let compiler = try #require(Self.find(source.hasSuffix(".cpp") ? "clang++" : "clang"))
        let program = folder.appending(path: URL(filePath: source).deletingPathExtension().lastPathComponent).path
        var arguments = flags + ["-Wall", "-Wextra", "-Werror", "-g"]
        arguments.append("-I\(Self.project.path)/Sources/CAudioSession/include")
        arguments += Self.sanitizer.map { ["-fsanitize=\($0)"] } ?? []
        arguments += [URL(filePath: source, relativeTo: Self.project).path, "-o", program]
        arguments += ["-L\(Self.products.path)", "-lAudioSessionC", "-Wl,-rpath,\(Self.products.path)"]
        let log = folder.appending(path: "log").path
        let process = try ChildProcess(
            program: compiler, arguments: arguments, environment: Environment.current, output: .log(log))
        let status = await process.exited()
        try #require(status == .code(0), "\((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
        return program
    }
}
