/// The machine's silent mode, as a property of PipeWire's own settings, and this process's wishes to change it.
///
/// PipeWire keeps settings itself, tells every program of them, and forgets them when it ends.
package struct SilentMode: Sendable {
    package static let key = "audio-session.silent"
    package static let valueType = "Spa:String:JSON"

    /// `nil`: the property is removed, so that nothing is left of a silent mode that is over.
    package static func value(_ isOn: Bool) -> String? { isOn ? "true" : nil }

    /// As PipeWire reads flags. Anybody may write anything there.
    package static func isOn(_ value: String?) -> Bool { value == "true" || value == "1" }

    package private(set) var isOn = false
    private var wishes: [UInt64: Wish] = [:]

    private struct Wish: Sendable {
        let isOn: Bool
        var isGranted: Bool
    }

    package init() {}

    /// - Returns: whether that is news.
    package mutating func changed(to isOn: Bool) -> Bool {
        for id in wishes.keys where wishes[id]?.isOn == isOn { wishes[id]?.isGranted = true }
        defer { self.isOn = isOn }
        return self.isOn != isOn
    }

    /// What is so already is granted: PipeWire tells nobody of a property that stays the same.
    package mutating func wish(_ id: UInt64, for isOn: Bool) {
        wishes[id] = Wish(isOn: isOn, isGranted: isOn == self.isOn)
    }

    /// To be asked when PipeWire has told everything that followed the wish. Somebody else's wish may have come since.
    package mutating func wasGranted(_ id: UInt64) -> Bool { wishes.removeValue(forKey: id)?.isGranted ?? false }
}

extension Properties {
    /// Whether this is the metadata of that name that the daemon keeps itself: no client has made it.
    package var areDaemonSettings: Bool { self[.metadataName] == "settings" && self[.clientID] == nil }
}
