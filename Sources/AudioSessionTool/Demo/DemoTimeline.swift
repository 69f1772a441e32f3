import AudioSessions

/// The demonstration's text. Docs/Demo.md describes it.
enum DemoTimeline {
    private struct Entry {
        var time: MonotonicTime
        var text: String
    }

    static func lines(_ loss: Loss) -> [String] {
        var entries = [
            Entry(time: loss.playTime, text: "play \(loss.file)"),
            Entry(time: loss.endTime, text: "the listening ends"),
        ]
        func add(_ time: MonotonicTime?, _ text: String) {
            if let time { entries.append(Entry(time: time, text: text)) }
        }
        add(loss.firstLoudTime, "the first sample on \(loss.old.sink), through \(loss.port)")
        add(loss.event?.time, loss.event?.text ?? "")
        add(loss.newsTime, "the news reaches the program")
        add(loss.gateTime, "the player's gate is closed: from here on it gives silence")
        add(loss.noisyTime, "the program is told that \(loss.port) is lost")
        add(loss.pauseTime, "the player is paused")
        add(loss.routeTime, "the route is \(ports(loss.routeChange)) (\(name(loss.routeChange?.reason)))")
        add(loss.old.lastLoudTime, lastSample(loss))
        let silence = loss.others.map { "  \($0.sink): \(heard($0))" }
        return [loss.title] + rows(entries, from: loss.origin)
            + ["  heard on other sinks, from before play to the end:"] + silence.map { "  " + $0 }
    }

    static func lines(_ back: Return) -> [String] {
        var entries = [
            Entry(time: back.event.time, text: back.event.text),
            Entry(time: back.playTime, text: "play; \(before(back))"),
        ]
        if let route = back.route {
            let state = back.isStillPaused ? "stays paused" : "plays by itself"
            entries.append(Entry(time: route.time, text: "the route is \(ports(route)); the player \(state)"))
        }
        if let first = back.firstLoudTime {
            entries.append(Entry(time: first, text: "the first sample on \(back.sink), through \(back.port)"))
        }
        return [back.title] + rows(entries, from: back.event.time)
    }

    static func conclusion(_ differences: [String]) -> [String] {
        guard !differences.isEmpty else {
            return ["As it should be: nothing was heard where it was not to be heard."]
        }
        return differences.map { "NOT AS IT SHOULD BE: \($0)." }
    }

    // MARK: Parts

    private static func rows(_ entries: [Entry], from origin: MonotonicTime) -> [String] {
        // What falls on the same moment stays in the order of cause and effect.
        let sorted = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        return sorted.map { _, entry in
            let time = thousandths(of: entry.time.microseconds(after: origin))
            return "  " + String(repeating: " ", count: max(0, 10 - time.count)) + time + " ms  " + entry.text
        }
    }

    private static func lastSample(_ loss: Loss) -> String {
        let sink = loss.isSinkLeft ? "that sink" : "that sink, which is gone"
        guard let last = loss.old.lastLoudTime, let gate = loss.gateTime else {
            return "the last sample heard on \(sink)"
        }
        let after = last.since(gate)
        let place =
            after == .zero ? "before the gate was closed" : "\(milliseconds(after)) after the gate was closed"
        return
            "the last sample heard on \(sink): \(place); a quantum is \(loss.quantum) frames, \(milliseconds(loss.cycle))"
    }

    private static func before(_ back: Return) -> String {
        let loud = back.before.map(\.loudFrames).reduce(0, +)
        return "until then \(count(loud, "frame")) on \(count(UInt64(back.before.count), "sink"))"
    }

    private static func heard(_ listening: Loss.Listening) -> String {
        "\(listening.loudFrames) of \(count(listening.frames, "frame")) not silent"
    }

    private static func ports(_ change: RouteChange?) -> String {
        let ports = change?.current.outputs ?? []
        return ports.isEmpty ? "nothing" : ports.map(\.name).joined(separator: " and ")
    }

    private static func name(_ reason: RouteChangeReason?) -> String { reason.map { "\($0)" } ?? "no reason" }
}

extension MonotonicTime {
    /// Less than zero if it is before.
    fileprivate func microseconds(after other: MonotonicTime) -> Double {
        (since(other) - other.since(self)) / .microseconds(1)
    }
}
