import FoundationEssentials

/// The folder of a private PipeWire, with its sockets, configuration, state and logs.
struct StackDirectory: Sendable {
    let path: String
    var run: String { path + "/run" }
    var configuration: String { path + "/config" }
    var socket: String { run + "/pipewire-0" }
    var restrictedSocket: String { run + "/pipewire-restricted" }

    func log(of program: String) -> String { path + "/" + program + ".log" }

    /// Creates the folder and writes the configuration.
    static func make(
        for installation: PipeWireInstallation, _ options: PrivatePipeWire.Options
    ) throws(TestKitError) -> StackDirectory {
        let manager = FileManager.default
        var parent = manager.temporaryDirectory.path
        while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
        // The path of a socket is limited to 107 bytes.
        if parent.utf8.count > 60 { parent = "/tmp" }
        let directory = StackDirectory(path: "\(parent)/audiosessions.\(UUID().uuidString.prefix(8))")
        do {
            for folder in ["", "/run", "/home", "/state", "/config", "/config/pipewire/pipewire.conf.d"] {
                try manager.createDirectory(
                    atPath: directory.path + folder, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            try directory.copyConfiguration(of: installation, options)
            try directory.write(
                clock(quantum: options.quantum, rate: options.rate), to: "pipewire/pipewire.conf.d/50-clock.conf")
            try directory.write(sockets, to: "pipewire/pipewire.conf.d/50-sockets.conf")
            for (file, text) in sessionManagerFiles(isLua: installation.isConfiguredInLua) {
                try directory.write(text, to: "wireplumber/" + file)
            }
        } catch {
            try? manager.removeItem(atPath: directory.path)
            throw TestKitError(
                .cannotStart, "The files of a private PipeWire cannot be written to \(directory.path)",
                why: "\(error)", remedy: "Set TMPDIR to a writable folder with free space.")
        }
        return directory
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The last lines that a program has printed.
    func tail(of program: String) -> String {
        guard let data = FileManager.default.contents(atPath: log(of: program)) else { return "" }
        let text = String(decoding: data.suffix(4096), as: UTF8.self)
        return text.split(separator: "\n").suffix(8).joined(separator: "\n")
    }

    /// Copies the installed configuration without changes in /etc, so that tests give the same
    /// results on every computer.
    private func copyConfiguration(of installation: PipeWireInstallation, _ options: PrivatePipeWire.Options) throws {
        let manager = FileManager.default
        let files = try manager.contentsOfDirectory(atPath: installation.pipeWireData)
        for file in files where file.hasSuffix(".conf") {
            guard let data = manager.contents(atPath: installation.pipeWireData + "/" + file) else { continue }
            var text = String(decoding: data, as: UTF8.self)
            if file == "pipewire.conf" { text = Self.text(text, with: options) }
            if !options.hasSessionObjects { text = Self.withoutSessionObjects(text) }
            try write(text, to: "pipewire/" + file)
        }
    }

    /// Creates a folder of configuration for clients without Session objects, whatever the daemon
    /// supports.
    func makeConfigurationWithoutSessionObjects() throws -> String {
        let folder = "pipewire-without-sessions"
        for file in try FileManager.default.contentsOfDirectory(atPath: configuration + "/pipewire")
        where file.hasPrefix("client") && file.hasSuffix(".conf") {
            let text = try String(contentsOfFile: configuration + "/pipewire/" + file, encoding: .utf8)
            try write(Self.withoutSessionObjects(text), to: folder + "/" + file)
        }
        return configuration + "/" + folder
    }

    /// Removes the module with its arguments and conditions.
    private static func withoutSessionObjects(_ text: String) -> String {
        guard let start = text.firstRange(of: "{ name = libpipewire-module-session-manager")?.lowerBound else {
            return text
        }
        var depth = 0
        for index in text[start...].indices {
            depth += text[index] == "{" ? 1 : text[index] == "}" ? -1 : 0
            if depth == 0 { return String(text[..<start] + text[text.index(after: index)...]) }
        }
        return text
    }

    private func write(_ text: String, to file: String) throws {
        let path = configuration + "/" + file
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Inserts arguments into the module's entry. A second configuration file cannot add arguments
    /// to a module of the first.
    private static func text(_ text: String, with options: PrivatePipeWire.Options) -> String {
        let module = "{ name = libpipewire-module-access"
        guard !options.restrictedPrograms.isEmpty, let start = text.firstRange(of: module),
            let arguments = text[start.upperBound...].firstRange(of: "args = {")
        else { return text }
        func list(_ programs: [String]) -> String {
            "[ " + programs.map { "\"\($0)\"" }.joined(separator: " ") + " ]"
        }
        var result = text
        result.insert(
            contentsOf: "\naccess.allowed = \(list(options.allowedPrograms))"
                + "\naccess.restricted = \(list(options.restrictedPrograms))\n", at: arguments.upperBound)
        return result
    }

    /// Two sockets, one of them for restricted clients. PipeWire before 1.0 ignores this section.
    private static let sockets = """
        module.access.args = {
          access.socket = { pipewire-0 = "unrestricted", pipewire-restricted = "restricted" }
        }
        module.protocol-native.args = {
          sockets = [ { name = "pipewire-0" } { name = "pipewire-restricted" } ]
        }

        """

    private static func clock(quantum: Int?, rate: Int?) -> String {
        var lines = ["context.properties = {"]
        if let quantum {
            lines += ["quantum", "min-quantum", "max-quantum"].map { "  default.clock.\($0) = \(quantum)" }
        }
        if let rate {
            lines.append("  default.clock.rate = \(rate)")
            lines.append("  default.clock.allowed-rates = [ \(rate) ]")
        }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// Configuration that disables the computer's sound cards, headsets and cameras in the session
    /// manager. It also disables D-Bus, which is then not needed.
    private static func sessionManagerFiles(isLua: Bool) -> [(String, String)] {
        guard isLua else {
            let features = [
                "hardware.audio", "hardware.bluetooth", "hardware.video-capture", "support.reserve-device",
                "support.portal-permissionstore", "script.client.access-portal", "support.logind",
            ]
            let lines = features.map { "    \($0) = disabled" }
            let text = (["wireplumber.profiles = {", "  main = {"] + lines + ["  }", "}", ""]).joined(separator: "\n")
            return [("wireplumber.conf.d/51-no-hardware.conf", text)]
        }
        return [
            (
                "main.lua.d/51-no-hardware.lua",
                """
                alsa_monitor.enabled = false
                v4l2_monitor.enabled = false
                libcamera_monitor.enabled = false
                default_access.properties["enable-flatpak-portal"] = false

                """
            ),
            ("bluetooth.lua.d/51-no-hardware.lua", "bluez_monitor.enabled = false\n"),
        ]
    }
}
