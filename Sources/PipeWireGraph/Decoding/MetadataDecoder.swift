import AudioSessionCore
import Glibc

/// What metadata objects say: the session manager's choices, and the daemon's settings.
///
/// Whoever is told may end everything, or ask for more, before `tell` returns.
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

    /// What other objects say does not count from now on.
    func readDefaults(of id: ObjectID) { if defaults?.metadata != id { defaults = Defaults(metadata: id) } }

    /// The object has reported all that it sets: a default that it does not set is unknown.
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

    /// - Parameter key: null: nothing of the subject is set any more.
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
