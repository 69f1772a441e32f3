/// The computer's silent mode, as a property of PipeWire's own settings, with this process's
/// requests to change it.
///
/// PipeWire stores the settings itself, sends them to every program, and discards them when it
/// ends.
package struct SilentMode: Sendable {
    package static let key = "audio-session.silent"
    package static let valueType = "Spa:String:JSON"

    /// Returns the property's value; `nil` removes the property, so that nothing is left when
    /// silent mode is turned off.
    package static func value(_ isOn: Bool) -> String? { isOn ? "true" : nil }

    /// Parses the property in the way PipeWire parses flags. Any program can write settings.
    package static func isOn(_ value: String?) -> Bool { value == "true" || value == "1" }

    package private(set) var isOn = false
    private var requests: [UInt64: Request] = [:]

    private struct Request: Sendable {
        let isOn: Bool
        var isGranted: Bool
    }

    package init() {}

    /// Applies a change of the property.
    /// - Returns: Whether silent mode has changed.
    package mutating func changed(to isOn: Bool) -> Bool {
        for id in requests.keys where requests[id]?.isOn == isOn { requests[id]?.isGranted = true }
        defer { self.isOn = isOn }
        return self.isOn != isOn
    }

    /// Adds a request. A request for the present value is granted at once, because PipeWire sends
    /// no event for it.
    package mutating func request(_ id: UInt64, for isOn: Bool) {
        requests[id] = Request(isOn: isOn, isGranted: isOn == self.isOn)
    }

    /// Removes a request after the round trip that followed it, and returns whether it was granted.
    /// A later request of another program does not change that.
    package mutating func wasGranted(_ id: UInt64) -> Bool { requests.removeValue(forKey: id)?.isGranted ?? false }
}

extension Properties {
    /// Whether this is the metadata object "settings" that the daemon itself made, without a
    /// client.
    package var areDaemonSettings: Bool { self[.metadataName] == "settings" && self[.clientID] == nil }
}
