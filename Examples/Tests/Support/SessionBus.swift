import Foundation

/// A private session bus for one test, and a desktop on it, by systemd's `busctl`.
package final class SessionBus {
    /// The value of `DBUS_SESSION_BUS_ADDRESS` for its clients.
    package let address: String
    private let daemon = Process()
    private static let programs = ["/usr/bin/dbus-daemon", "/usr/bin/busctl"]

    /// Whether the computer has the programs for it.
    package static var isAvailable: Bool { programs.allSatisfy(FileManager.default.isExecutableFile(atPath:)) }

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    package init() throws {
        let output = Pipe()
        daemon.executableURL = URL(filePath: Self.programs[0])
        daemon.arguments = ["--session", "--nofork", "--nopidfile", "--print-address=1"]
        daemon.standardOutput = output
        try daemon.run()
        // It prints its address once it listens, and nothing if it cannot.
        let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        address = words.trimmingCharacters(in: .whitespacesAndNewlines)
        if address.isEmpty { throw Missing(description: "no session bus") }
    }

    deinit { stop() }

    package func stop() {
        guard daemon.isRunning else { return }
        kill(daemon.processIdentifier, SIGKILL)
        daemon.waitUntilExit()
    }

    /// The media player of a program on the bus.
    package struct Player {
        let address: String
        let name: String
        private static let path = "/org/mpris/MediaPlayer2"
        private static let interface = "org.mpris.MediaPlayer2.Player"

        /// Returns when the call is answered.
        package func command(_ member: String, _ arguments: String...) throws {
            _ = try busctl(["call", name, Self.path, Self.interface, member] + arguments)
        }

        package func set(_ property: String, _ type: String, _ value: String) throws {
            _ = try busctl(["set-property", name, Self.path, Self.interface, property, type, value])
        }

        /// The property in the notation of `busctl`.
        package func property(_ property: String) throws -> String {
            try busctl(["get-property", name, Self.path, Self.interface, property])
        }

        /// Waits until a property contains this. A player that does not exist yet has none.
        package func wait(for property: String, _ value: String) async throws {
            let deadline = ContinuousClock.now + .seconds(20)
            while case let found = try? self.property(property), !(found?.contains(value) ?? false) {
                guard .now < deadline else {
                    throw Missing(description: "\(property) is \(found ?? "not there") instead of \(value)")
                }
                // It polls, because an unchanged property sends no signal.
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        private func busctl(_ words: [String]) throws -> String {
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = URL(filePath: SessionBus.programs[1])
            process.arguments = ["--address=" + address] + words
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let found = try output.fileHandleForReading.readToEnd() ?? Data()
            let message = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Missing(description: "\(words): \(String(decoding: message, as: UTF8.self))")
            }
            return String(decoding: found, as: UTF8.self)
        }
    }

    package func player(_ program: String, process: Int32) -> Player {
        Player(address: address, name: "org.mpris.MediaPlayer2.\(program).instance\(process)")
    }
}
