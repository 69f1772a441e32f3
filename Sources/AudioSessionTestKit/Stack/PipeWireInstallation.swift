import FoundationEssentials

/// The locations of PipeWire's programs and files.
struct PipeWireInstallation: Sendable {
    /// The folder of the programs.
    let programs = "/usr/bin"
    /// The folders of the configuration files that PipeWire and WirePlumber install.
    let pipeWireData = "/usr/share/pipewire"
    let wirePlumberData = "/usr/share/wireplumber"

    var daemon: String { programs + "/pipewire" }
    var sessionManager: String { programs + "/wireplumber" }

    /// Whether WirePlumber is configured in Lua, as version 0.4 is. Later versions are not.
    var isConfiguredInLua: Bool { FileManager.default.fileExists(atPath: wirePlumberData + "/main.lua.d") }

    init() throws(TestKitError) {
        for file in [daemon, sessionManager, pipeWireData + "/pipewire.conf"]
        where !FileManager.default.fileExists(atPath: file) {
            throw TestKitError(
                .notInstalled, "A private PipeWire cannot be started", why: "\(file) is missing",
                remedy: "Install the packages pipewire and wireplumber.")
        }
    }
}
