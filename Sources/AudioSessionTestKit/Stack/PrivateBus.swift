import CTestKit
import FoundationEssentials
package import Glibc

/// A private session bus for one test. No program of the user's desktop is connected to it.
package final class PrivateBus: Sendable {
    /// The value of `DBUS_SESSION_BUS_ADDRESS` for programs that use this bus.
    package let address: String
    private let daemon: ChildProcess
    private let watchdog: StackWatchdog

    /// The process group whose programs end with this object, or with this process.
    package var group: pid_t { watchdog.group }

    /// The environment of programs for a test. By the mark of `Scripts/test`, it finds those that
    /// are left.
    package static let environment: [String: String] = {
        let mark = "AUDIOSESSIONS_TEST_RUN"
        let run = Environment.current[mark].map { [mark: $0] } ?? [:]
        return run.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    }()

    package init() async throws(TestKitError) {
        // The path of a socket is limited to 107 bytes.
        let parent = FileManager.default.temporaryDirectory.path
        let folder = (parent.utf8.count > 60 ? "/tmp" : parent) + "/bus.\(UUID().uuidString.prefix(8))"
        address = "unix:path=\(folder)/bus"
        var ends: [Int32] = [-1, -1]
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Self.configuration(address).write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
            watchdog = try StackWatchdog(
                directory: folder, log: folder + "/watchdog.log", environment: Self.environment)
            guard ctk_pipe(&ends) >= 0 else { throw ChildProcess.SpawnError(code: errno) }
            daemon = try ChildProcess(
                program: "/usr/bin/dbus-daemon",
                arguments: ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address=1"],
                environment: Self.environment, output: .files(output: ends[1], errors: 2),
                group: watchdog.group)
        } catch {
            for end in ends where end >= 0 { close(end) }
            throw Self.failure("\(error)")
        }
        close(ends[1])
        let reading = ends[0]
        // The daemon prints its address once it listens. It prints nothing if it fails.
        let isReady = await Thread.run { () -> Bool in
            var byte: UInt8 = 0
            defer { close(reading) }
            return read(reading, &byte, 1) == 1
        }
        guard isReady else { throw Self.failure("it ended at once") }
    }

    /// Ends the bus, which disconnects all programs from it.
    package func stop() async {
        daemon.signal(SIGKILL)
        await daemon.exited()
    }

    /// Suspends the bus like one that hangs, and returns after it has stopped. Messages to it are
    /// queued.
    package func suspend() async {
        daemon.signal(SIGSTOP)
        await daemon.stopped()
    }

    /// Continues the bus after ``suspend()``.
    package func resume() { daemon.signal(SIGCONT) }

    private static func configuration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    private static func failure(_ why: String) -> TestKitError {
        TestKitError(
            .cannotStart, "A private session bus cannot be started", why: why,
            remedy: "Install the package dbus-daemon, and end processes or close files if limits are reached.")
    }
}
