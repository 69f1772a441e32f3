extension ClockSettings {
    /// Returns the rate and quantum that a stream with these preferences will have by the settings.
    /// Other streams may request less.
    package func granted(_ preferences: SoundPreferences) -> (rate: Int, quantum: Int) {
        let rate = grantedRate(preferences)
        guard forcedQuantum == 0 else { return (rate, forcedQuantum) }
        guard let wanted = preferences.frames(at: rate) else { return (rate, quantum) }
        let largest = max(minimumQuantum, maximumQuantum)
        return (rate, min(max(wanted.powerOfTwo, minimumQuantum), largest))
    }

    private func grantedRate(_ preferences: SoundPreferences) -> Int {
        if forcedRate > 0 { return forcedRate }
        if let wanted = preferences.sampleRate, allowedRates.contains(wanted) { return wanted }
        return rate
    }
}

extension Int {
    /// The largest power of two that is not above the number, as PipeWire rounds.
    fileprivate var powerOfTwo: Int { self < 1 ? 1 : 1 << (Int.bitWidth - 1 - leadingZeroBitCount) }
}

extension Duration {
    init(cycle frames: Int, rate: Int) {
        self = rate > 0 ? .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate)) : .zero
    }
}
