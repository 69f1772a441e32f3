import AudioSessions

/// Describes each difference between the measured and the expected result in a sentence. The list
/// is empty if there is none.
enum DemoVerdict {
    /// Longest time that a busy computer explains. A longer delay counts as a fault of the program.
    static let slowestNotification = Duration.milliseconds(250)

    static func differences(_ loss: Loss) -> [String] {
        var result: [String] = []
        if loss.firstLoudTime == nil { result.append("\(loss.file) was not heard on \(loss.old.sink)") }
        result += notification(loss) + sounds(loss)
        for other in loss.others where other.loudFrames > 0 {
            result.append("\(heard(other.loudFrames)) on \(other.sink), which is to be silent")
        }
        return result
    }

    static func differences(_ back: Return) -> [String] {
        var result: [String] = []
        if back.route == nil { result.append("the route did not become \(back.port) again") }
        if !back.isStillPaused { result.append("the player began again by itself") }
        for sink in back.before where sink.loudFrames > 0 {
            result.append("\(heard(sink.loudFrames)) on \(sink.sink) before play was asked for")
        }
        if back.firstLoudTime == nil { result.append("nothing was heard on \(back.sink) after play") }
        return result
    }

    static func heard(_ frames: UInt64) -> String {
        "\(count(frames, "frame")) \(frames == 1 ? "was" : "were") heard"
    }

    private static func notification(_ loss: Loss) -> [String] {
        guard let received = loss.eventTime, let gate = loss.gateTime, gate >= loss.playTime else {
            return ["the player did not close its gate"]
        }
        var result: [String] = []
        if let event = loss.event, gate.since(event.time) > slowestNotification {
            result.append("the gate was closed only \(milliseconds(gate.since(event.time))) after the event")
        }
        if received < loss.origin || gate < received {
            result.append("the gate was closed before the event that caused it: the times are wrong")
        }
        if loss.noisyTime == nil { result.append("the player did not report that \(loss.port) is lost") }
        if loss.pauseTime == nil { result.append("the player did not pause") }
        if loss.routeChange == nil { result.append("the player did not report another route") }
        if let reason = loss.routeChange?.reason,
            reason != .oldDeviceUnavailable, reason != .noSuitableRouteForCategory
        {
            result.append("the reason of the route change was reported as \(reason)")
        }
        return result
    }

    /// A frame is played within one cycle after it is requested. The last audible frames therefore
    /// belong to the cycle in which the gate closed.
    private static func sounds(_ loss: Loss) -> [String] {
        guard let last = loss.old.lastLoudTime, let gate = loss.gateTime, loss.quantum > 0 else {
            return ["it is not known when the last sample came"]
        }
        guard last.since(gate) > loss.cycle else { return [] }
        return [
            "\(loss.old.sink) sounded for \(milliseconds(last.since(gate))) after the gate was closed, "
                + "which is more than one quantum (\(milliseconds(loss.cycle)))"
        ]
    }
}

func milliseconds(_ duration: Duration) -> String { "\(thousandths(of: duration / .microseconds(1))) ms" }

/// A number of thousandths with a decimal point: 12.345 or -0.042.
func thousandths(of value: Double) -> String {
    let value = value.isFinite ? Int64(value.rounded()) : 0
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: 1000)
    return "\(value < 0 ? "-" : "")\(whole)." + String("\(1000 + rest)".dropFirst())
}

func count(_ number: UInt64, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
