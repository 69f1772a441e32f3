import FoundationEssentials
import Glibc

/// The program `audiosession-simulate`, which performs `audiosession simulate` and `audiosession demo`.
///
/// It is a program of its own because it links the test kit.
package enum SimulationProgram {
    package static let name = "audiosession-simulate"

    /// Replaces this program by it, with the same arguments, environment and standard streams.
    static func replaceThisProgram() throws(ToolFailure) -> Never {
        let words = CommandLine.arguments.dropFirst()
        var arguments = ([name] + (words.first == "simulate" ? words.dropFirst() : words)).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let neighbor = URL(filePath: ownProgram()).deletingLastPathComponent().appending(path: name).path
        var reason = ENOENT
        // A program beside this one that cannot be started is not passed over for another version on the PATH.
        for file in [neighbor, name] where reason == ENOENT {
            execvp(file, &arguments)
            reason = errno
        }
        throw .simulationMissing(reason: systemMessage(reason))
    }
}

/// The path of the running program's executable.
package func ownProgram() -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/proc/self/exe"
}
