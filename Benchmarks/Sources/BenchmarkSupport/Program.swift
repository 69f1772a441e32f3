public import Glibc

/// A process that reads and writes lines.
public final class Program {
    public let name: String
    public let process: pid_t
    private var input: Int32
    private let output: Int32
    private var buffer: [UInt8] = []
    public private(set) var isAtEnd = false

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
        public init(_ description: String) { self.description = description }
    }

    public init(_ path: String, _ arguments: [String], environment: [String: String]) throws {
        name = String(path.split(separator: "/").last ?? "")
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure("no file is left") }
        for file in toChild + fromChild { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        // PipeWire's log would be mixed with the output.
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let result = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawn(&process, path, &actions, nil, arguments, environment)
            }
        }
        close(toChild[0])
        close(fromChild[1])
        self.process = process
        input = toChild[1]
        output = fromChild[0]
        guard result == 0 else {
            close(input)
            close(output)
            // Process number 0 would signal the caller's own group.
            input = -1
            throw Failure("\(path): \(String(cString: strerror(result)))")
        }
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit { stop() }

    /// The programs of this package are in one folder.
    public static func besideThis(_ name: String) -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return program[..<(program.lastIndex(of: "/") ?? program.startIndex)] + "/" + name
    }

    /// The path of an installed program; `nil` if it is not installed.
    public static func find(_ name: String, in environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Waits for the line, and returns whether it arrived.
    public func wait(for line: String, seconds: UInt64 = 10) -> Bool {
        let end = now() + seconds * 1_000_000_000
        while let next = nextLine(by: end) {
            if next == line { return true }
        }
        return false
    }

    public func send(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { _ = write(input, $0.baseAddress, $0.count) }
    }

    /// The next line; `nil` at the deadline, or at the end.
    public func nextLine(by deadline: UInt64) -> String? {
        while true {
            if let line = takeLine() { return line }
            guard !isAtEnd, waitForInput(deadline) else { return nil }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &chunk, chunk.count)
            if count > 0 {
                buffer += chunk[..<count]
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                isAtEnd = true
            }
        }
    }

    /// Closes its input, and kills it if that does not end it.
    public func stop() {
        guard input >= 0 else { return }
        close(input)
        input = -1
        let end = now() + 2_000_000_000
        while waitForInput(end) {
            var chunk = [UInt8](repeating: 0, count: 4096)
            if read(output, &chunk, chunk.count) <= 0 { break }
        }
        _ = Glibc.kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(output)
        // The number may belong to another file by now.
        isAtEnd = true
    }

    /// Kills it at once, for programs that do not read their input.
    public func kill() {
        guard input >= 0 else { return }
        _ = Glibc.kill(process, SIGKILL)
        stop()
    }

    private func takeLine() -> String? {
        guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
    }

    private func waitForInput(_ deadline: UInt64) -> Bool {
        let time = now()
        var file = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&file, 1, Int32(deadline > time ? (deadline - time + 999_999) / 1_000_000 : 0)) > 0
    }
}

/// The time of CLOCK_MONOTONIC in nanoseconds.
public func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

public func pause(milliseconds: Double) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(milliseconds * 1e6))
    nanosleep(&time, nil)
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
