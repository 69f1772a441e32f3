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
    func read(_ id: ObjectID) { if defaults?.metadata != id { defaults = Defaults(metadata: id) } }

    /// The object has reported all that it sets: a default that it does not set is unknown.
    func loaded(_ id: ObjectID, _ tell: (GraphEvent) -> Void) {
        guard let defaults, defaults.metadata == id else { return }
        for direction in [PortDirection.output, .input] where !defaults.reported.contains(direction) {
            tell(.defaultChanged(direction, nil))
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
    func told(
        _ id: ObjectID, subject: UInt32, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
        _ tell: (GraphEvent) -> Void
    ) {
        guard subject == 0 else { return }
        if settings == id { return setting(key, value, tell) }
        guard defaults?.metadata == id else { return }
        guard let key else {
            for direction in [PortDirection.output, .input] {
                tell(.configuredDefaultChanged(direction, nil))
                defaultChanged(direction, nil, tell)
            }
            return
        }
        if strcmp(key, "default.audio.sink") == 0 {
            defaultChanged(.output, value.flatMap(nodeName), tell)
        } else if strcmp(key, "default.audio.source") == 0 {
            defaultChanged(.input, value.flatMap(nodeName), tell)
        } else if strcmp(key, "default.configured.audio.sink") == 0 {
            tell(.configuredDefaultChanged(.output, value.flatMap(nodeName)))
        } else if strcmp(key, "default.configured.audio.source") == 0 {
            tell(.configuredDefaultChanged(.input, value.flatMap(nodeName)))
        }
    }

    private func defaultChanged(_ direction: PortDirection, _ name: String?, _ tell: (GraphEvent) -> Void) {
        defaults?.reported.insert(direction)
        tell(.defaultChanged(direction, name))
    }

    private func setting(
        _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?, _ tell: (GraphEvent) -> Void
    ) {
        guard let key else {
            clock = ClockSettings()
            tell(.silentModeChanged(false))
            return tell(.clockChanged(clock))
        }
        let (name, text) = (String(foreign: key), value.map { String(foreign: $0) })
        if name == SilentMode.key { return tell(.silentModeChanged(SilentMode.isOn(text))) }
        if clock.set(name, text) { tell(.clockChanged(clock)) }
    }
}
