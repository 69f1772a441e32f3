import Foundation
import Testing

@testable import AudioSessionTestKit

/// Builds programs in C with the libraries as they were built beside the tests.
struct Compiler {
    /// The folder of the repository.
    static let project = URL(filePath: #filePath).appending(path: "../../../../..").standardized
    /// The folder with the products of the build.
    private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
    private static var library: String { products.appending(path: "libAudioSessionC.so").path }

    /// Programs have to be built with the sanitizer that the library was built with.
    private static let sanitizer: String? = {
        guard let bytes = try? Data(contentsOf: URL(filePath: library)) else { return nil }
        let symbols = [("thread", "__tsan_init"), ("address", "__asan_init")]
        return symbols.first { bytes.range(of: Data($0.1.utf8)) != nil }?.0
    }()

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "c-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    static func environment(_ pipeWire: PrivatePipeWire) -> [String: String] {
        var environment = Environment.current.merging(pipeWire.environment) { $1 }
        environment["ASAN_OPTIONS"] = environment["ASAN_OPTIONS"].map { $0 + ":detect_leaks=0" }
        return environment
    }

    /// Compiles a program with the libraries.
    ///
    /// - Parameter source: its path, in the repository unless it is absolute.
    /// - Returns: the program's path.
    func compile(_ source: String, _ flags: [String] = []) async throws -> String {
        let program = folder.appending(path: URL(filePath: source).deletingPathExtension().lastPathComponent).path
        var arguments = flags + ["-Wall", "-Wextra", "-Werror", "-g"]
        arguments += ["Sources/CAudioSession", "Compatibility/Sources/CAudioToolbox"].map {
            "-I\(Self.project.path)/\($0)/include"
        }
        arguments += Self.sanitizer.map { ["-fsanitize=\($0)"] } ?? []
        arguments += [URL(filePath: source, relativeTo: Self.project).path, "-o", program]
        arguments += ["-L\(Self.products.path)", "-lAudioToolboxCompat", "-lAudioSessionC"]
        arguments.append("-Wl,-rpath,\(Self.products.path)")
        let log = folder.appending(path: "log").path
        let process = try ChildProcess(
            program: try Self.clang(), arguments: arguments, environment: Environment.current, output: .log(log))
        let status = await process.exited()
        try #require(status == .code(0), "\((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
        return program
    }

    private static func clang() throws -> String {
        let folders = (Environment.current["PATH"] ?? "").split(separator: ":")
        return try #require(folders.map { "\($0)/clang" }.first { FileManager.default.isExecutableFile(atPath: $0) })
    }
}
