import Glibc

/// Ends the programs of a private PipeWire when this process ends without having done so, be it by a kill.
///
/// A shell at the head of their process group that reads from a pipe of which only this process holds the other end.
/// A signal on the parent's death (`PR_SET_PDEATHSIG`) would not do: it comes when the thread ends that started them.
final class StackWatchdog: Sendable {
    private let shell: ChildProcess
    private let lifeline: Pipe

    /// The process group of those that it looks after.
    var group: pid_t { shell.id }

    init(_ files: StackDirectory, environment: [String: String], keepsDirectory: Bool) throws(TestKitError) {
        guard let lifeline = Pipe() else { throw Self.failure("no file is left") }
        self.lifeline = lifeline
        let cleaning = keepsDirectory ? "" : #"rm -rf -- "$1"; "#
        do {
            shell = try ChildProcess(
                program: "/bin/sh",
                arguments: ["-c", "trap '' TERM; read -r line; \(cleaning)kill -KILL 0", "sh", files.path],
                environment: environment, output: .log(files.log(of: "watchdog")), input: lifeline.reading)
        } catch {
            throw Self.failure("\(error)")
        }
    }

    /// Ends what is left of the group, and waits for the end.
    func dismiss() async {
        lifeline.closeWriting()
        await shell.exited()
    }

    private static func failure(_ why: String) -> TestKitError {
        TestKitError(
            .cannotStart, "A private PipeWire cannot be started", why: "its watchdog /bin/sh cannot be: \(why)",
            remedy: "Make room for more processes and files.")
    }
}
