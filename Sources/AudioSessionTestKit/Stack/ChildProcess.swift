import CTestKit
package import Glibc
import PipeWireGraph

/// A program that this process has started, in a process group of the caller's choice.
package final class ChildProcess: Sendable {
    package let name: String
    package let id: pid_t
    private let exit = Locked(Exit())

    private struct Exit {
        var status: ExitStatus?
        var announcements: [@Sendable (ExitStatus) -> Void] = []
    }

    package enum ExitStatus: Sendable, Hashable, CustomStringConvertible {
        case code(Int32)
        case signal(Int32)

        package var description: String {
            switch self {
            case .code(let code): "it exited with code \(code)"
            case .signal(let number): "it was ended by signal \(number)"
            }
        }
    }

    /// Where the program's output is written.
    package enum Output {
        /// Append the output to this file.
        case log(String)
        /// Write the output to these open files.
        case files(output: Int32, errors: Int32)
    }

    /// Starts a program as a child process.
    ///
    /// - Parameters:
    ///   - program: the absolute path of the program.
    ///   - arguments: the arguments of the program.
    ///   - environment: the complete environment of the program.
    ///   - output: where the program's output is written.
    ///   - input: an open file for standard input; empty input without it.
    ///   - group: the process group to join; a new one without it.
    ///   - detach: runs a function on a new thread, and returns whether there is one.
    /// - Throws: `SpawnError` if the program cannot be started, or without resources for a thread
    ///   that waits for its end.
    package init(
        program: String, arguments: [String] = [], environment: [String: String], output: Output, input: Int32 = -1,
        group: pid_t = 0, detach: (@escaping @Sendable () -> Void) -> Bool = Thread.detach
    ) throws(SpawnError) {
        name = String(program.split(separator: "/").last ?? "")
        var log: [String] = []
        var files: (output: Int32, errors: Int32) = (-1, -1)
        switch output {
        case .log(let path): log = [path]
        case .files(let output, let errors): files = (output, errors)
        }
        let id = withCStrings([program] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }.sorted()) { environment in
                withCStrings([program] + log) { paths in
                    var launch = ctk_launch(
                        program: paths[0]!, arguments: arguments, environment: environment, log: paths[1],
                        output: files.output, errors: files.errors, input: input, group: group)
                    return ctk_spawn(&launch)
                }
            }
        }
        guard id > 0 else { throw SpawnError(code: -id) }
        self.id = id
        guard detach({ [exit] in ChildProcess.waitForEnd(of: id, exit) }) else {
            _ = kill(id, SIGKILL)
            _ = ctk_reap(id)
            throw SpawnError(code: EAGAIN)
        }
    }

    package struct SpawnError: Error, CustomStringConvertible {
        /// The `errno` of the failed call.
        var code: Int32
        package var description: String { String(cString: strerror(code)) }
    }

    /// Waits for the end. It runs on a separate thread, so that no signal handler of the host is
    /// needed.
    ///
    /// The child is reaped under the lock. Therefore `signal` never uses a process identifier that
    /// the system has assigned to another process.
    private static func waitForEnd(of id: pid_t, _ exit: Locked<Exit>) {
        _ = ctk_wait(id)
        let (status, announcements) = exit.withLock { exit in
            let result = ctk_reap(id)
            let status: ExitStatus = result < 256 ? .code(result) : .signal(result - 256)
            exit.status = status
            defer { exit.announcements = [] }
            return (status, exit.announcements)
        }
        for announce in announcements { announce(status) }
    }

    /// The exit status; `nil` while the program runs.
    package var exitStatus: ExitStatus? { exit.withLock { $0.status } }

    /// Calls `announce` on any thread once the program has ended, or at once if it already has.
    func whenExited(_ announce: @escaping @Sendable (ExitStatus) -> Void) {
        let status = exit.withLock { exit in
            if exit.status == nil { exit.announcements.append(announce) }
            return exit.status
        }
        if let status { announce(status) }
    }

    @discardableResult
    package func exited() async -> ExitStatus {
        await withCheckedContinuation { continuation in
            whenExited { continuation.resume(returning: $0) }
        }
    }

    /// Waits until a signal has stopped the program, or until it has ended.
    package func stopped() async {
        await Thread.run { [id] in
            var info = siginfo_t()
            while waitid(P_PID, id_t(id), &info, WSTOPPED | WEXITED | WNOWAIT) < 0, errno == EINTR {}
        }
    }

    /// Sends a signal to the program, unless it has ended.
    package func signal(_ number: Int32) {
        exit.withLock { if $0.status == nil { _ = kill(id, number) } }
    }
}

/// Calls `body` with a null-terminated list of C strings, which are valid during the call.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { UnsafePointer(strdup($0)) }
    defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
}
