import FoundationEssentials

/// Where PipeWire's programs, plug-ins and files are: the machine's own, or packages that were unpacked elsewhere.
struct PipeWireInstallation: Sendable {
    /// Programs, by name.
    var daemon: String
    var sessionManager: String
    /// Folder of the configuration files that come with PipeWire.
    var pipeWireData: String
    var wirePlumberData: String
    /// What programs need in their environment to be of this installation.
    var environment: [String: String] = [:]
    var programs: String

    /// WirePlumber 0.4 is configured in Lua, later ones are not.
    var isConfiguredInLua: Bool { FileManager.default.fileExists(atPath: wirePlumberData + "/main.lua.d") }

    /// - Parameter root: the folder into which packages were unpacked; `nil` for what the machine has.
    init(root: String?) throws(TestKitError) {
        let prefix = root ?? ""
        programs = prefix + "/usr/bin"
        daemon = programs + "/pipewire"
        sessionManager = programs + "/wireplumber"
        pipeWireData = prefix + "/usr/share/pipewire"
        wirePlumberData = prefix + "/usr/share/wireplumber"
        for file in [daemon, sessionManager, pipeWireData + "/pipewire.conf"]
        where !FileManager.default.fileExists(atPath: file) {
            throw TestKitError(
                .notInstalled, "A private PipeWire cannot be started", why: "there is no \(file)",
                remedy: root == nil
                    ? "Install the packages pipewire and wireplumber."
                    : "Unpack PipeWire, its modules and WirePlumber into \(prefix), or name another folder.")
        }
        if let root { try locateLibraries(below: root) }
    }

    private mutating func locateLibraries(below root: String) throws(TestKitError) {
        let manager = FileManager.default
        let parent = root + "/usr/lib"
        let folders = [""] + ((try? manager.contentsOfDirectory(atPath: parent)) ?? []).map { "/" + $0 }
        guard
            let libraries = folders.map({ parent + $0 }).first(where: {
                manager.fileExists(atPath: $0 + "/pipewire-0.3")
            }),
            let modules = try? manager.contentsOfDirectory(atPath: libraries).filter({ $0.hasPrefix("wireplumber-") })
                .max()
        else {
            throw TestKitError(
                .notInstalled, "A private PipeWire cannot be started",
                why: "no folder below \(parent) holds the modules of PipeWire and WirePlumber",
                remedy: "Unpack libpipewire-0.3-modules and libwireplumber there, too.")
        }
        environment = [
            "LD_LIBRARY_PATH": libraries,
            "PIPEWIRE_MODULE_DIR": libraries + "/pipewire-0.3",
            "SPA_PLUGIN_DIR": libraries + "/spa-0.2",
            "SPA_DATA_DIR": root + "/usr/share/spa-0.2",
            "WIREPLUMBER_MODULE_DIR": libraries + "/" + modules,
            "WIREPLUMBER_DATA_DIR": wirePlumberData,
        ]
    }
}
