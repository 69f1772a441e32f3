import AudioSessionCore
import Glibc

/// What metadata objects say: the session manager's choices, and the daemon's settings.
///
/// Whoever is told may end everything, or ask for more, before `tell` returns.
final class MetadataDecoder {
    /// Of `metadata.name` "default". The first is the session manager's; others are there only if somebody tries to take its
    /// place.
    private var defaults: [Defaults] = []
    /// The daemon's own. A program's metadata may have the same name.
    private(set) var settings: ObjectID?
    private var clock = ClockSettings()

    private struct Defaults {
        let metadata: ObjectID
        private var output: String?
        private var input: String?

        init(metadata: ObjectID) { self.metadata = metadata }

        subscript(direction: PortDirection) -> String? {
            get { direction == .output ? output : input }
            set { if direction == .output { output = newValue } else { input = newValue } }
        }
    }

    func appeared(_ id: ObjectID, _ properties: Properties) {
        if properties[.metadataName] == "default" { defaults.append(Defaults(metadata: id)) }
        if properties.areDaemonSettings, settings == nil { settings = id }
    }

    func disappeared(_ id: ObjectID, _ tell: (GraphEvent) -> Void) {
        if settings == id {
            settings = nil
            clock = ClockSettings()
        }
        let successor = defaults.first?.metadata == id ? defaults.dropFirst().first : nil
        defaults.removeAll { $0.metadata == id }
        guard let successor else { return }
        for direction in [PortDirection.output, .input] {
            tell(.defaultChanged(direction, successor[direction]))
        }
    }

    /// - Parameter key: null: nothing of the subject is set any more.
    func told(
        _ id: ObjectID, subject: UInt32, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
        _ tell: (GraphEvent) -> Void
    ) {
        guard subject == 0 else { return }
        if settings == id { return setting(key, value, tell) }
        guard let index = defaults.firstIndex(where: { $0.metadata == id }) else { return }
        guard let key else {
            for direction in [PortDirection.output, .input] { defaultChanged(direction, nil, in: index, tell) }
            return
        }
        // Each choice is told by other keys first, which wake everybody.
        if strcmp(key, "default.audio.sink") == 0 {
            defaultChanged(.output, value.flatMap(nodeName), in: index, tell)
        } else if strcmp(key, "default.audio.source") == 0 {
            defaultChanged(.input, value.flatMap(nodeName), in: index, tell)
        }
    }

    private func defaultChanged(
        _ direction: PortDirection, _ name: String?, in index: Int, _ tell: (GraphEvent) -> Void
    ) {
        defaults[index][direction] = name
        if index == 0 { tell(.defaultChanged(direction, name)) }
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
