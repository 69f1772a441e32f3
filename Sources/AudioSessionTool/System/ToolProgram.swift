package import ArgumentParser
import Glibc

/// The common start of `audiosession` and `audiosession-simulate`.
package enum ToolProgram {
    package static let version = "0.9.0"

    /// Performs the command that the program was started with, and ends the program.
    package static func run(
        _ root: any ParsableCommand.Type, by perform: (sending any ParsableCommand) async throws -> Void
    ) async -> Never {
        _ = InheritedSignals.atStart
        occupyStandardDescriptors()
        // A closed pipe then makes `write` fail with an error, which is handled like any other.
        signal(SIGPIPE, SIG_IGN)
        do {
            try await perform(try root.parseAsRoot())
        } catch ToolFailure.outputClosed, ToolFailure.stopped {
            Glibc.exit(EXIT_SUCCESS)
        } catch let failure as ToolFailure {
            LineOutput.errors.printError("audiosession: \(failure.message)")
            Glibc.exit(failure.exitCode.rawValue)
        } catch {
            root.exit(withError: error)
        }
        Glibc.exit(EXIT_SUCCESS)
    }

    /// Opens replacements for missing standard descriptors.
    ///
    /// Otherwise a program without standard output would write its lines to the next file that it
    /// opens, which is PipeWire's socket. The replacements fail as a missing descriptor does.
    private static func occupyStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
