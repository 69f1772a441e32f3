/// Decides which numbers of a session's sound its listeners are notified of.
package struct SoundReporter: Sendable {
    /// The last notified numbers; `nil` until they were first read, which sends no event.
    package private(set) var state: SoundState?
    private var reportedHardware = HardwareFormat()

    package init() {}

    package mutating func receive(
        _ new: SoundState, _ scope: SoundScope = .all, at time: MonotonicTime
    ) -> [AudioSessionEvent] {
        guard let old = state else {
            (state, reportedHardware) = (new, new.hardware)
            return []
        }
        state = new
        var events: [AudioSessionEvent] = []
        if let previous = old.volume, let current = new.volume, previous != current {
            events.append(.outputVolumeChanged(previous: previous, current: current, at: time))
        }
        if let previous = old.inputGain, let current = new.inputGain, previous != current {
            events.append(.inputGainChanged(previous: previous, current: current, at: time))
        }
        if scope == .all, new.hasChanged(besides: reportedHardware) {
            events.append(.hardwareFormatChanged(previous: reportedHardware, current: new.hardware, at: time))
            reportedHardware = new.hardware
        }
        return events
    }
}
