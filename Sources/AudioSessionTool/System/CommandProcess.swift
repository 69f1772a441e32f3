import AudioSessions
import CProcess
import Dispatch
import Glibc
import PipeWireGraph

/// A child process that runs a program in place of this one.
///
/// It inherits this program's files, terminal and process group, and the signal settings that this
/// program itself inherited. SIGCHLD has its default effect, however.
final class CommandProcess: Sendable {
    enum Change: Sendable, Hashable {
        case stopped(Int32)
        case continued
        case ended(CommandEnd)
    }

    private let process: pid_t
    private let hasEnded = Locked(false)

    struct Failure: Error, Hashable {
        /// The system's error number; `ENOENT` if there is no such program.
        let code: Int32
    }

    /// Finds the program on the `PATH` as `execvp` does, and starts it.
    ///
    /// - Parameters:
    ///   - arguments: The arguments as C strings, as this program received them. The first is the
    ///     program.
    ///   - environment: The environment variables as C strings.
    /// - Throws: A failure with the system's error number if no program was started.
    init(_ arguments: [[CChar]], environment: [[CChar]]) throws(Failure) {
        guard let name = arguments.first, name.count > 1 else { throw Failure(code: ENOENT) }
        // If this program inherited an ignored SIGCHLD, the kernel would discard the exit code.
        Glibc.signal(SIGCHLD, SIG_DFL)
        var failure = ENOENT
        let isPath = name.contains(Self.slash)
        for path in Self.candidates(name, environment) {
            switch Self.spawn(path, arguments, environment) {
            case .success(let process):
                self.process = process
                return
            case .failure(let error):
                // A file without permission is reported only if no other file can be started.
                guard !isPath, [ENOENT, ENOTDIR, EACCES].contains(error.code) else { throw error }
                if error.code == EACCES { failure = EACCES }
            }
        }
        throw Failure(code: failure)
    }

    /// Calls `receive` for each change of the process, on a thread of its own. The last change is
    /// the end of the process.
    func observe(_ receive: @escaping @Sendable (Change) -> Void) {
        DispatchQueue(label: "audiosession.command").async { [self] in
            while true {
                var info = siginfo_t()
                let changes = WEXITED | WSTOPPED | WCONTINUED
                guard waitid(P_PID, id_t(process), &info, changes | WNOWAIT) == 0 else {
                    if errno == EINTR { continue }
                    return receive(.ended(.code(127)))
                }
                // The kernel can reuse the process ID only after this call. The lock keeps `signal`
                // from signaling it then.
                let status: Int32? = hasEnded.withLock { hasEnded in
                    var status: Int32 = 0
                    guard waitpid(process, &status, WNOHANG | WUNTRACED | Self.continued) == process else {
                        return nil
                    }
                    hasEnded = Self.end(status) != nil
                    return status
                }
                guard let status else { continue }
                if let end = Self.end(status) { return receive(.ended(end)) }
                receive(status & 0xFF == 0x7F ? .stopped(status >> 8 & 0xFF) : .continued)
            }
        }
    }

    func signal(_ number: Int32) {
        hasEnded.withLock { hasEnded in if !hasEnded { kill(process, number) } }
    }

    private static let continued = WCONTINUED

    /// Returns how the process ended; `nil` if it was stopped or continued.
    private static func end(_ status: Int32) -> CommandEnd? {
        if status & 0x7F == 0 { return .code(status >> 8 & 0xFF) }
        return status & 0xFF == 0x7F || status == 0xFFFF ? nil : .signal(status & 0x7F)
    }

    // MARK: Starting

    private static let slash = CChar(bitPattern: UInt8(ascii: "/"))
    private static let colon = CChar(bitPattern: UInt8(ascii: ":"))

    private static func candidates(_ name: [CChar], _ environment: [[CChar]]) -> [[CChar]] {
        if name.contains(slash) { return [name] }
        let variable = "PATH=".utf8.map { CChar(bitPattern: $0) }
        let path = environment.first { $0.starts(with: variable) }?.dropFirst(variable.count).dropLast()
        let folders = (path ?? "/bin:/usr/bin".utf8.map { CChar(bitPattern: $0) }[...])
            .split(separator: colon, omittingEmptySubsequences: false)
        // An empty folder stands for the current one.
        return folders.map { $0.isEmpty ? name : Array($0) + [slash] + name }
    }

    /// Starts a file. As in `execvp`, a file without a known format is run by the shell.
    private static func spawn(
        _ path: [CChar], _ arguments: [[CChar]], _ environment: [[CChar]]
    ) -> Result<pid_t, Failure> {
        let result = spawnOnce(path, arguments, environment)
        guard case .failure(Failure(code: ENOEXEC)) = result else { return result }
        let shell = "/bin/sh".utf8CString.map(\.self)
        return spawnOnce(shell, [shell, path] + arguments.dropFirst(), environment)
    }

    private static func spawnOnce(
        _ path: [CChar], _ arguments: [[CChar]], _ environment: [[CChar]]
    ) -> Result<pid_t, Failure> {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (mask, defaults) = (InheritedSignals.atStart.mask, sigset_t())
        sigemptyset(&defaults)
        if !InheritedSignals.atStart.isPipeSignalIgnored { sigaddset(&defaults, SIGPIPE) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        var (argv, envp) = (arguments.map(copy) + [nil], environment.map(copy) + [nil])
        defer { for pointer in argv + envp { free(pointer) } }
        let code = posix_spawn(&process, path, nil, &attributes, &argv, &envp)
        return code == 0 ? .success(process) : .failure(Failure(code: code))
    }

    private static func copy(_ text: [CChar]) -> UnsafeMutablePointer<CChar>? { strdup(text) }
}

/// The exact bytes of the arguments and environment that this program was started with.
enum InheritedEnvironment {
    /// Returns the environment variables as C strings. The tool changes none of them.
    ///
    /// They are not read from `/proc/self/environ`, which a sandbox may hide.
    static func variables() -> [[CChar]] {
        guard var next = cpr_environment() else { return [] }
        var variables: [[CChar]] = []
        while let variable = next.pointee {
            variables.append(Array(UnsafeBufferPointer(start: variable, count: strlen(variable) + 1)))
            next += 1
        }
        return variables
    }

    /// Returns the last arguments as C strings.
    static func arguments(last count: Int) -> [[CChar]] {
        let first = max(0, Int(CommandLine.argc) - count)
        return (first..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
        }
    }
}

/// The way in which a program ended.
enum CommandEnd: Sendable, Hashable {
    case code(Int32)
    case signal(Int32)

    /// The exit code as shells report it.
    var exitCode: Int32 {
        switch self {
        case .code(let code): code
        case .signal(let number): 128 + number
        }
    }
}
