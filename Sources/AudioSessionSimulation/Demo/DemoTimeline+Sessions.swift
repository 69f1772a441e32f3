import AudioSessions

extension DemoTimeline {
    static func story(_ turn: Interruption) -> DemoStory {
        var taken = [
            Entry(time: turn.begin.time, text: turn.begin.text),
            Entry(time: turn.grantTime, text: "its session is active"),
        ]
        add(turn.notifiedTime, "the program is notified that \(name(turn.cause)) interrupts it", to: &taken)
        add(turn.gateTime, "the player's gate is closed: from here on it gives silence", to: &taken)
        add(turn.pauseTime, "the player is paused", to: &taken)
        let last = lastSample(
            turn.lastLoudTime, on: turn.during.sink, turn.gateTime, quantum: turn.quantum, turn.cycle)
        add(turn.lastLoudTime, last, to: &taken)
        var given = [Entry(time: turn.end.time, text: turn.end.text)]
        let advice = turn.shouldResume == true ? "with the advice to resume" : "without the advice to resume"
        add(turn.endNotifiedTime, "the program is notified that the interruption has ended, \(advice)", to: &given)
        add(turn.playTime, "the player plays", to: &given)
        add(turn.firstLoudTime, "the first sample on \(turn.during.sink)", to: &given)
        return DemoStory(
            title: turn.title,
            parts: [
                .timed(taken, from: turn.begin.time), .heard("heard while its session is active", [turn.during]),
                .timed(given, from: turn.end.time),
            ])
    }

    static func story(_ duck: Ducking) -> DemoStory {
        var ducked = [Entry(time: duck.begin.time, text: duck.begin.text)]
        let gain = duck.gain.map { Decibels.text(Decibels.of($0, relativeTo: 1)) } ?? "an unknown gain"
        add(duck.notifiedTime, "the program is notified that \(name(duck.cause)) ducks it to \(gain)", to: &ducked)
        let level = Decibels.text(duck.meanwhileDecibels)
        add(
            duck.lastLouderTime,
            "the last sample louder than \(Ducking.ducked) dB on \(duck.sink); then it is at \(level)",
            to: &ducked)
        var restored = [Entry(time: duck.end.time, text: duck.end.text)]
        add(duck.endNotifiedTime, "the program is notified that the ducking has ended", to: &restored)
        let isExact = duck.after == duck.before
        let back = isExact ? "exactly as loud as before" : "at \(Decibels.text(duck.afterDecibels))"
        add(
            duck.firstLouderTime, "the first sample louder than \(Ducking.restored) dB; then it is \(back)",
            to: &restored)
        return DemoStory(
            title: duck.title,
            parts: [.timed(ducked, from: duck.begin.time), .timed(restored, from: duck.end.time)])
    }

    private static func add(_ time: MonotonicTime?, _ text: String, to entries: inout [Entry]) {
        if let time { entries.append(Entry(time: time, text: text)) }
    }

    private static func name(_ cause: AudioSession.Peer?) -> String {
        guard let cause else { return "an unknown program" }
        let name = cause.applicationName ?? "a program without a name"
        return cause.processID.map { "\(name) (process \($0))" } ?? name
    }
}
