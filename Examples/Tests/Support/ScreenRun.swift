import Foundation

/// A run of a built program on a private terminal.
package final class ScreenRun {
    private let process = Process()
    private let master: Int32
    private let slave: Int32
    private let pieces: AsyncStream<[UInt8]>
    private var output: [UInt8] = []
    /// The position up to which the output was awaited.
    private var place = 0

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts the program. It is killed at the deadline, and later output counts as missing.
    /// - Parameter script: Commands of a shell with job control that start the program, which is
    ///   `"$0" "$@"`; `nil` for none.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], columns: UInt16, rows: UInt16,
        script: String? = nil, deadline: Duration = .seconds(300)
    ) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var ends: (Int32, Int32) = (-1, -1)
        guard openpty(&ends.0, &ends.1, nil, nil, &size) == 0 else { throw Missing(description: "no terminal") }
        (master, slave) = ends
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.pieces = pieces
        let terminal = FileHandle(fileDescriptor: slave)
        process.executableURL = ProgramRun.executable(program)
        process.arguments = arguments
        if let script {
            // Job control needs a controlling terminal, and that needs a session of its own.
            process.executableURL = URL(filePath: "/usr/bin/setsid")
            process.arguments =
                ["--ctty", "--wait", "/bin/bash", "-c", "set -m; " + script, ProgramRun.executable(program).path]
                + arguments
        }
        process.environment = environment.merging(["TERM": "xterm-256color"]) { $1 }
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        DispatchQueue.global().async { [master] in
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while case let count = read(master, &bytes, bytes.count), count > 0 {
                continuation.yield(Array(bytes.prefix(count)))
            }
            continuation.finish()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + deadline / .seconds(1)) { [weak process] in
            if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
            continuation.finish()
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        // This ends the reader, which waits on the other end.
        close(slave)
    }

    /// Whether the terminal collects keys to lines, and shows them.
    package var isCooked: Bool {
        var settings = termios()
        return tcgetattr(slave, &settings) == 0
            && settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }

    /// Waits until all of these have been printed, after the output that was awaited before.
    package func see(_ texts: String...) async throws {
        func rest() -> String { String(decoding: output[place...], as: UTF8.self) }
        if !texts.allSatisfy(rest().contains) {
            for await piece in pieces {
                output += piece
                if texts.allSatisfy(rest().contains) { break }
            }
        }
        guard texts.allSatisfy(rest().contains) else {
            throw Missing(description: "not all of \(texts) in \(rest().debugDescription)")
        }
        place = output.count
    }

    /// The output up to the awaited position.
    package var written: [UInt8] { output }

    package func press(_ keys: String) { _ = write(master, keys, keys.utf8.count) }

    package func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        signal(SIGWINCH)
    }

    package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits until it is stopped, as a shell does after control-Z.
    package func untilStopped() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WNOWAIT) != 0, errno == EINTR {}
    }

    /// Waits for the program's end.
    package func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
