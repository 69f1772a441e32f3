import Glibc

/// A process that ends the programs of a private PipeWire or bus if this process ends without doing
/// so.
///
/// It is a shell that leads their process group, and reads from a pipe whose other end only this
/// process holds. `PR_SET_PDEATHSIG` is no replacement, because its signal is sent when the thread
/// that started the programs ends.
final class StackWatchdog: Sendable {
    private let shell: ChildProcess
    private let lifeline: Pipe

    /// The process group of the programs.
    var group: pid_t { shell.id }

    /// Starts the shell, which leads a new process group.
    ///
    /// - Parameters:
    ///   - directory: The programs' directory, which the shell removes unless `keepsDirectory`.
    ///   - log: The file for the shell's output.
    init(
        directory: String, log: String, environment: [String: String], keepsDirectory: Bool = false
    ) throws(TestKitError) {
        guard let lifeline = Pipe() else { throw Self.failure("the process has no more files") }
        self.lifeline = lifeline
        do {
            shell = try ChildProcess(
                program: "/bin/sh",
                arguments: ["-c", Self.script(keepsDirectory: keepsDirectory), "sh", directory],
                environment: environment, output: .log(log), input: lifeline.reading)
        } catch {
            throw Self.failure("\(error)")
        }
    }

    /// The shell's program, which waits for the end of its input, and then ends its process group.
    ///
    /// It ignores the signals that would end it before. Among them is SIGHUP, which the kernel
    /// sends when this process ends while a program of the group is stopped.
    static func script(keepsDirectory: Bool) -> String {
        let cleaning = keepsDirectory ? "" : #"rm -rf -- "$1"; "#
        return "trap '' TERM HUP INT QUIT; read -r line; \(cleaning)kill -KILL 0"
    }

    /// Ends the remaining programs of the group, and waits until they have ended.
    func dismiss() async {
        lifeline.closeWriting()
        await shell.exited()
    }

    private static func failure(_ why: String) -> TestKitError {
        TestKitError(
            .cannotStart, "The programs of a test cannot be started",
            why: "their watchdog /bin/sh cannot be started: \(why)",
            remedy: "End processes or close files, or raise the limits (ulimit -u, ulimit -n).")
    }
}
