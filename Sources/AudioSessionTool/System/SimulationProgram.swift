import FoundationEssentials
import Glibc

/// The program `audiosession-simulate`, which performs `audiosession simulate` and `audiosession
/// demo`.
///
/// It is a separate program because it links the test kit.
package enum SimulationProgram {
    package static let name = "audiosession-simulate"

    /// Returns the program beside this one, and then those on the `PATH`. Folders that depend on
    /// the current folder are left out.
    private static func candidates() -> [String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }.map { URL(filePath: String($0)) }
        return ([URL(filePath: ownProgram()).deletingLastPathComponent()] + folders).map {
            $0.appending(path: name).path
        }
    }

    /// Replaces this program with it, with the same arguments, environment and standard streams.
    static func replaceThisProgram() throws(ToolFailure) -> Never {
        let words = CommandLine.arguments.dropFirst()
        var arguments = ([name] + (words.first == "simulate" ? words.dropFirst() : words)).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // The first file that exists is used, because a later one may be of another version.
        // `execvp` is not used, because it would run a damaged program by the shell.
        var reason = ENOENT
        if let file = candidates().first(where: { access($0, F_OK) == 0 }) {
            execv(file, &arguments)
            reason = errno
        }
        throw .simulationMissing(reason: systemMessage(reason))
    }
}

/// Returns the path of the running program's executable.
package func ownProgram() -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/proc/self/exe"
}
