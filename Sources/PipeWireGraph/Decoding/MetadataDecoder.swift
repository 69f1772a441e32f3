import AudioSessionCore
import Glibc

/// Decodes the properties of metadata objects: the session manager's defaults, and the daemon's
/// settings.
///
/// `receive` may close the connection or send commands before it returns.
final class MetadataDecoder {
    /// The object whose defaults are read, and those that it has reported so far.
    private var defaults: Defaults?
    /// The object whose settings are read.
    private var settings: ObjectID?
    private var clock = ClockSettings()

    private struct Defaults {
        let metadata: ObjectID
        var reported: Set<PortDirection> = []
    }

    func readSettings(of id: ObjectID) {
        settings = id
        clock = ClockSettings()
    }

    /// Selects the object with the defaults. Those of other objects are ignored from now on.
    func readDefaults(of id: ObjectID) { if defaults?.metadata != id { defaults = Defaults(metadata: id) } }

    /// Reports each default that the object has not set as unknown, after it has sent all its
    /// properties.
    func loaded(_ id: ObjectID, _ receive: (GraphEvent) -> Void) {
        guard let defaults, defaults.metadata == id else { return }
        for direction in [PortDirection.output, .input] where !defaults.reported.contains(direction) {
            receive(.defaultChanged(direction, nil))
        }
    }

    func disappeared(_ id: ObjectID) {
        if settings == id {
            settings = nil
            clock = ClockSettings()
        }
        if defaults?.metadata == id { defaults = nil }
    }

    /// Decodes one property of an object.
    ///
    /// - Parameter key: Null if all properties of the subject were removed.
    func changed(
        _ id: ObjectID, subject: UInt32, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
        _ receive: (GraphEvent) -> Void
    ) {
        guard subject == 0 else { return }
        if settings == id { return setting(key, value, receive) }
        guard defaults?.metadata == id else { return }
        guard let key else {
            for direction in [PortDirection.output, .input] {
                receive(.configuredDefaultChanged(direction, nil))
                defaultChanged(direction, nil, receive)
            }
            return
        }
        if strcmp(key, "default.audio.sink") == 0 {
            defaultChanged(.output, value.flatMap(nodeName), receive)
        } else if strcmp(key, "default.audio.source") == 0 {
            defaultChanged(.input, value.flatMap(nodeName), receive)
        } else if strcmp(key, "default.configured.audio.sink") == 0 {
            receive(.configuredDefaultChanged(.output, value.flatMap(nodeName)))
        } else if strcmp(key, "default.configured.audio.source") == 0 {
            receive(.configuredDefaultChanged(.input, value.flatMap(nodeName)))
        }
    }

    private func defaultChanged(_ direction: PortDirection, _ name: String?, _ receive: (GraphEvent) -> Void) {
        defaults?.reported.insert(direction)
        receive(.defaultChanged(direction, name))
    }

    private func setting(
        _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?, _ receive: (GraphEvent) -> Void
    ) {
        guard let key else {
            clock = ClockSettings()
            receive(.silentModeChanged(false))
            return receive(.clockChanged(clock))
        }
        let (name, text) = (String(foreign: key), value.map { String(foreign: $0) })
        if name == SilentMode.key { return receive(.silentModeChanged(SilentMode.isOn(text))) }
        if clock.set(name, text) { receive(.clockChanged(clock)) }
    }
}
