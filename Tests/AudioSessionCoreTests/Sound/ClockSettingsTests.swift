import AudioSessionCore
import Testing

@Suite struct ClockSettingsTests {
    private func clock(_ settings: (String, String)...) -> ClockSettings {
        var clock = ClockSettings()
        for (key, value) in settings { _ = clock.set(key, value) }
        return clock
    }

    private func preferences(rate: Int? = nil, milliseconds: Double? = nil) -> SoundPreferences {
        var preferences = SoundPreferences()
        preferences.sampleRate = rate
        preferences.ioBufferDuration = milliseconds.map { .milliseconds($0) }
        return preferences
    }

    @Test func settingsAreReadAsPipeWireWritesThem() {
        let clock = clock(
            ("clock.rate", "44100"), ("clock.quantum", "512"), ("clock.min-quantum", "64"),
            ("clock.max-quantum", "4096"), ("clock.allowed-rates", "[ 44100, 48000 96000 ]"),
            ("clock.force-rate", "0"), ("clock.force-quantum", "256"))
        #expect(clock.rate == 44100 && clock.quantum == 512)
        #expect(clock.minimumQuantum == 64 && clock.maximumQuantum == 4096)
        #expect(clock.allowedRates == [44100, 48000, 96000])
        #expect(clock.forcedRate == 0 && clock.forcedQuantum == 256)
    }

    @Test func equalSettingsAreNoChange() {
        var clock = ClockSettings()
        let changes = [
            clock.set("clock.force-quantum", "256"), clock.set("clock.force-quantum", "256"),
            clock.set("log.level", "2"), clock.set("clock.force-quantum", nil),
        ]
        #expect(changes == [true, false, false, true])
        #expect(clock == ClockSettings())
    }

    /// Any program may write settings.
    @Test(arguments: ["", "x", "-1", "0", "1e9", "99999999999999999999", "48000 44100", "\u{0}", "[ ]"])
    func anInvalidNumberChangesNothing(value: String) {
        var clock = ClockSettings()
        let changes = [clock.set("clock.rate", value), clock.set("clock.quantum", value)]
        #expect(changes == [false, false])
    }

    @Test func theLengthOfTheListIsLimited() {
        let clock = clock(("clock.allowed-rates", String(repeating: "48000 ", count: 500)))
        #expect(clock.allowedRates.count == 32)
    }

    @Test(
        arguments: [
            (nil, 1024), (256.0 / 48, 256), (5, 128), (0.0001, 32), (900, 2048), (2048.0 / 48, 2048),
        ] as [(Double?, Int)])
    func aBufferIsAPowerOfTwoThatIsNotLonger(milliseconds: Double?, quantum: Int) {
        let granted = ClockSettings().granted(preferences(milliseconds: milliseconds))
        #expect(granted.rate == 48000 && granted.quantum == quantum)
    }

    @Test func aRateIsGrantedIfSettingsAllowIt() {
        #expect(ClockSettings().granted(preferences(rate: 44100)).rate == 48000)
        let clock = clock(("clock.allowed-rates", "[ 44100 48000 ]"))
        #expect(clock.granted(preferences(rate: 44100)).rate == 44100)
        #expect(clock.granted(preferences(rate: 96000)).rate == 48000)
    }

    @Test func forcedSettingsTakePrecedence() {
        let clock = clock(
            ("clock.allowed-rates", "[ 44100 48000 ]"), ("clock.force-rate", "96000"), ("clock.force-quantum", "48"))
        let granted = clock.granted(preferences(rate: 44100, milliseconds: 5))
        #expect(granted.rate == 96000 && granted.quantum == 48)
    }

    @Test func contradictorySettingsStillGrantARate() {
        let clock = clock(("clock.min-quantum", "4096"), ("clock.max-quantum", "16"))
        #expect(clock.granted(preferences(milliseconds: 5)).quantum == 4096)
    }

    // MARK: Streams

    @Test func streamsCarryOnlyThePreferences() {
        let clock = ClockSettings()
        func text(_ preferences: SoundPreferences, _ old: SoundPreferences = .init()) -> [String] {
            preferences.streamProperties(clock, instead: old).map { "\($0.0)=\($0.1)" }
        }
        #expect(text(preferences()).isEmpty)
        let request = preferences(rate: 44100, milliseconds: 10)
        #expect(text(request) == ["node.latency=441/44100", "node.rate=1/44100"])
        #expect(text(preferences(milliseconds: 10)) == ["node.latency=480/48000"])
        // A preference that is removed is written as the default, because a property cannot be
        // removed.
        #expect(text(preferences(), request) == ["node.latency=1024/48000", "node.rate=1/48000"])
    }

    @Test func preferencesOutOfBoundsAreRefused() {
        for rate in [0, -1, 768_001] {
            let error = #expect(throws: AudioSessionError.self) { try SoundPreferences.check(sampleRate: rate) }
            #expect(error?.code == .badParam)
        }
        for duration in [Duration.zero, .seconds(-1), .milliseconds(1001)] {
            let error = #expect(throws: AudioSessionError.self) {
                try SoundPreferences.check(ioBufferDuration: duration)
            }
            #expect(error?.code == .badParam)
        }
        for (count, maximum) in [(0, 2), (3, 2), (-1, 2), (1, 0)] {
            let error = #expect(throws: AudioSessionError.self) {
                try SoundPreferences.check(channels: count, of: maximum)
            }
            #expect(error?.code == .badParam)
        }
        #expect(throws: Never.self) {
            try SoundPreferences.check(sampleRate: nil)
            try SoundPreferences.check(sampleRate: 768_000)
            try SoundPreferences.check(ioBufferDuration: .nanoseconds(1))
            try SoundPreferences.check(channels: 2, of: 2)
            try SoundPreferences.check(channels: nil, of: 0)
        }
    }
}
