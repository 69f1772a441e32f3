import AudioSessionCore
import FoundationEssentials

enum Environment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }

    /// This process's environment, without variables that refer to another PipeWire or desktop, or
    /// to the group of this program's sessions.
    static func forPrograms(
        of installation: PipeWireInstallation, in files: StackDirectory, from own: [String: String] = current
    ) -> [String: String] {
        let foreign = [
            "PIPEWIRE_", "SPA_", "WIREPLUMBER_", "PULSE_", "DBUS_", "XDG_", "DISPLAY", "WAYLAND_",
            AudioSessionConfiguration.groupVariable,
        ]
        let wanted = ["PIPEWIRE_DEBUG", "PIPEWIRE_LOG_SYSTEMD", "WIREPLUMBER_DEBUG"]
        var result = own.filter { key, _ in
            wanted.contains(key) || !foreign.contains { key.hasPrefix($0) }
        }
        result["PATH"] = installation.programs + ":" + (own["PATH"] ?? "/usr/bin:/bin")
        result["XDG_RUNTIME_DIR"] = files.run
        result["PIPEWIRE_RUNTIME_DIR"] = files.run
        result["XDG_CONFIG_HOME"] = files.configuration
        result["XDG_STATE_HOME"] = files.path + "/state"
        result["HOME"] = files.path + "/home"
        result["PIPEWIRE_CONFIG_DIR"] = files.configuration + "/pipewire"
        // The buses are disabled, because the session manager would request the user's devices and
        // permissions from them.
        for bus in ["SESSION", "SYSTEM"] {
            result["DBUS_\(bus)_BUS_ADDRESS"] = "unix:path=" + files.run + "/no-bus"
        }
        return result
    }
}
