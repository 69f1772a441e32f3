import AudioSessions

extension DemoVerdict {
    /// Longest time from another program's action to the player's notification and to the audible
    /// result. It is generous, because only the gate is latency-critical.
    static let slowestTurn = Duration.seconds(1)
    /// The expected level of the ducked music, in decibels.
    static let ducked = -14.5 ... -13.5

    static func differences(_ turn: Interruption) -> [String] {
        notification("another program took over", turn.notifiedTime, since: turn.begin.time)
            + blame(turn.cause, turn.processID, was: "interrupted") + silence(turn)
            + notification("the other program was gone", turn.endNotifiedTime, since: turn.end.time) + comeback(turn)
    }

    static func differences(_ duck: Ducking) -> [String] {
        var result = notification("another program speaks", duck.notifiedTime, since: duck.begin.time)
        result += blame(duck.cause, duck.processID, was: "ducked")
        if !duck.playedOn { result.append("the player paused, and was only to be ducked") }
        if !ducked.contains(duck.meanwhileDecibels) {
            result.append(
                "the music was at \(Decibels.text(duck.meanwhileDecibels)) while another program spoke, not at -14 dB"
            )
        }
        result += sound(
            "\(duck.sink) was louder than \(Ducking.ducked) dB", duck.lastLouderTime, since: duck.begin.time)
        result += notification("the other program has spoken", duck.endNotifiedTime, since: duck.end.time)
        result += sound("the music was restored", duck.firstLouderTime, since: duck.end.time)
        if duck.after != duck.before {
            result.append(
                "the music was restored to \(Decibels.text(duck.afterDecibels)): "
                    + "its peak is \(duck.after), and was \(duck.before)")
        }
        return result
    }

    // MARK: Parts

    private static func notification(_ what: String, _ time: MonotonicTime?, since cause: MonotonicTime) -> [String] {
        guard let time else { return ["the player was not notified that \(what)"] }
        if time < cause { return ["the player was notified that \(what) before it was so: the times are wrong"] }
        guard time.since(cause) > slowestTurn else { return [] }
        return ["the player was notified that \(what) only after \(milliseconds(time.since(cause)))"]
    }

    private static func blame(_ cause: AudioSession.Peer?, _ process: Int, was what: String) -> [String] {
        guard let cause, cause.processID != process else { return [] }
        return [
            "the player was notified that process \(cause.processID.map { "\($0)" } ?? "unknown") \(what) it, "
                + "and it was process \(process)"
        ]
    }

    private static func sound(_ what: String, _ time: MonotonicTime?, since cause: MonotonicTime) -> [String] {
        guard let time else { return ["it is not known when \(what)"] }
        guard time.since(cause) > slowestTurn else { return [] }
        return ["\(what) only \(milliseconds(time.since(cause))) after its cause"]
    }

    private static func silence(_ turn: Interruption) -> [String] {
        var result: [String] = []
        if turn.pauseTime == nil { result.append("the player did not pause for the other program") }
        if turn.during.loudFrames > 0 {
            result.append(
                "\(heard(turn.during.loudFrames)) on \(turn.during.sink) while the other session was active")
        }
        guard let gate = turn.gateTime, gate >= turn.begin.time else {
            return result + ["the player did not close its gate for the other program"]
        }
        if gate.since(turn.begin.time) > slowestNotification {
            result.append(
                "the gate was closed only \(milliseconds(gate.since(turn.begin.time))) after the other program asked")
        }
        guard let last = turn.lastLoudTime, turn.quantum > 0 else {
            return result + ["it is not known when the last sample came"]
        }
        if last.since(gate) > turn.cycle {
            result.append(
                "\(turn.during.sink) sounded for \(milliseconds(last.since(gate))) after the gate was closed, "
                    + "which is more than one quantum (\(milliseconds(turn.cycle)))")
        }
        return result
    }

    private static func comeback(_ turn: Interruption) -> [String] {
        if turn.endNotifiedTime != nil, turn.shouldResume != true { return ["the player was not advised to resume"] }
        if turn.playTime == nil { return ["the player did not resume"] }
        guard let first = turn.firstLoudTime else { return ["the music was not heard again"] }
        if first < turn.end.time { return ["the music was heard before the other program was gone"] }
        return sound("the music was heard again", first, since: turn.end.time)
    }
}
