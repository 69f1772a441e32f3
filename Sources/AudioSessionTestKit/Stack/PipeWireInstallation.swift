import FoundationEssentials

/// Where PipeWire's programs and files are.
struct PipeWireInstallation: Sendable {
    /// Folder of the programs.
    let programs = "/usr/bin"
    /// Folders of the configuration files that come with PipeWire and WirePlumber.
    let pipeWireData = "/usr/share/pipewire"
    let wirePlumberData = "/usr/share/wireplumber"

    var daemon: String { programs + "/pipewire" }
    var sessionManager: String { programs + "/wireplumber" }

    /// WirePlumber 0.4 is configured in Lua, later ones are not.
    var isConfiguredInLua: Bool { FileManager.default.fileExists(atPath: wirePlumberData + "/main.lua.d") }

    init() throws(TestKitError) {
        for file in [daemon, sessionManager, pipeWireData + "/pipewire.conf"]
        where !FileManager.default.fileExists(atPath: file) {
            throw TestKitError(
                .notInstalled, "A private PipeWire cannot be started", why: "there is no \(file)",
                remedy: "Install the packages pipewire and wireplumber.")
        }
    }
}
