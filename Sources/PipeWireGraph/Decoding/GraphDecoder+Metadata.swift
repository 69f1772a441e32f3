import AudioSessionCore
import Glibc

/// The metadata objects that are read: the session manager's defaults, and the daemon's settings.
struct MetadataSelection {
    /// The object whose defaults are read, and those that it has reported so far.
    fileprivate var defaults: Defaults?
    /// The object whose settings are read.
    fileprivate var settings: ObjectID?
    fileprivate var clock = ClockSettings()

    fileprivate struct Defaults {
        let metadata: ObjectID
        var reported: Set<PortDirection> = []
        var configured: Set<PortDirection> = []
        /// The defaults chosen by the user that the object had set when it was read before.
        var formerConfigured: Set<PortDirection> = []
    }

    /// Selects the object with the daemon's settings.
    mutating func readSettings(of id: ObjectID) {
        settings = id
        clock = ClockSettings()
    }

    /// Selects the object with the defaults, which then sends all of its properties. Those of other
    /// objects are ignored from now on.
    mutating func readDefaults(of id: ObjectID) {
        let former = defaults.map { $0.metadata == id ? $0.configured : [] } ?? []
        defaults = Defaults(metadata: id, formerConfigured: former)
    }

    mutating func disappeared(_ id: ObjectID) {
        if settings == id {
            settings = nil
            clock = ClockSettings()
        }
        if defaults?.metadata == id { defaults = nil }
    }
}

/// This extension decodes the properties of metadata objects. `receive` may close the connection or
/// send commands before it returns.
extension GraphDecoder {
    /// Reports each default that the object has not set as unknown, after it has sent all its
    /// properties.
    func metadataLoaded(_ id: ObjectID) {
        guard let defaults = metadata.defaults, defaults.metadata == id else { return }
        for direction in defaults.formerConfigured.subtracting(defaults.configured) {
            receive(.configuredDefaultChanged(direction, nil))
        }
        for direction in [PortDirection.output, .input] where !defaults.reported.contains(direction) {
            receive(.defaultChanged(direction, nil))
        }
    }

    /// Decodes one property of an object.
    ///
    /// - Parameter key: Null if all properties of the subject were removed.
    func metadataChanged(
        _ id: ObjectID, subject: UInt32, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
    ) {
        guard subject == 0 else { return }
        if metadata.settings == id { return settingChanged(key, value) }
        guard metadata.defaults?.metadata == id else { return }
        guard let key else {
            for direction in [PortDirection.output, .input] {
                configuredDefaultChanged(direction, nil)
                defaultChanged(direction, nil)
            }
            return
        }
        if strcmp(key, "default.audio.sink") == 0 {
            defaultChanged(.output, value.flatMap(nodeName))
        } else if strcmp(key, "default.audio.source") == 0 {
            defaultChanged(.input, value.flatMap(nodeName))
        } else if strcmp(key, "default.configured.audio.sink") == 0 {
            configuredDefaultChanged(.output, value.flatMap(nodeName))
        } else if strcmp(key, "default.configured.audio.source") == 0 {
            configuredDefaultChanged(.input, value.flatMap(nodeName))
        }
    }

    private func configuredDefaultChanged(_ direction: PortDirection, _ name: String?) {
        metadata.defaults?.configured.insert(direction)
        receive(.configuredDefaultChanged(direction, name))
    }

    private func defaultChanged(_ direction: PortDirection, _ name: String?) {
        metadata.defaults?.reported.insert(direction)
        receive(.defaultChanged(direction, name))
    }

    private func settingChanged(_ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?) {
        guard let key else {
            metadata.clock = ClockSettings()
            receive(.silentModeChanged(false))
            return receive(.clockChanged(metadata.clock))
        }
        let (name, text) = (String(foreign: key), value.map { String(foreign: $0) })
        if name == SilentMode.key { return receive(.silentModeChanged(SilentMode.isOn(text))) }
        if metadata.clock.set(name, text) { receive(.clockChanged(metadata.clock)) }
    }
}
