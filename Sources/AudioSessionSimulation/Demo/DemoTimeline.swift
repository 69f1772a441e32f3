import AudioSessions

/// The text of the demonstration, which Docs/Demo.md describes.
enum DemoTimeline {
    typealias Entry = DemoStory.Entry

    static func story(_ loss: Loss) -> DemoStory {
        var entries = [
            Entry(time: loss.playTime, text: "play \(loss.file)"),
            Entry(time: loss.endTime, text: "the listening ends"),
        ]
        func add(_ time: MonotonicTime?, _ text: String) {
            if let time { entries.append(Entry(time: time, text: text)) }
        }
        add(loss.firstLoudTime, "the first sample on \(loss.old.sink), through \(loss.port)")
        add(loss.event?.time, loss.event?.text ?? "")
        add(loss.eventTime, "the program receives the first event")
        add(loss.gateTime, "the player's gate is closed: from here on it gives silence")
        add(loss.noisyTime, "the program is notified that \(loss.port) is lost")
        add(loss.pauseTime, "the player is paused")
        add(loss.routeTime, "the route is \(ports(loss.routeChange)) (\(name(loss.routeChange?.reason)))")
        add(loss.old.lastLoudTime, lastSample(loss))
        return DemoStory(
            title: loss.title,
            parts: [
                .timed(entries, from: loss.origin),
                .heard("heard on other sinks, from before play to the end", loss.others),
            ])
    }

    static func story(_ back: Return) -> DemoStory {
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
        return DemoStory(title: back.title, parts: [.timed(entries, from: back.event.time)])
    }

    static func conclusion(_ differences: [String]) -> [String] {
        guard !differences.isEmpty else {
            return ["Passed: every output that had to be silent was silent."]
        }
        return differences.map { "Failed: \($0)." }
    }

    // MARK: Parts

    private static func lastSample(_ loss: Loss) -> String {
        let sink = loss.isSinkLeft ? "that sink" : "that sink, which is gone"
        return lastSample(loss.old.lastLoudTime, on: sink, loss.gateTime, quantum: loss.quantum, loss.cycle)
    }

    static func lastSample(
        _ last: MonotonicTime?, on sink: String, _ gate: MonotonicTime?, quantum: Int, _ cycle: Duration
    ) -> String {
        guard let last, let gate else { return "the last sample heard on \(sink)" }
        let after = last.since(gate)
        let place =
            after == .zero ? "before the gate was closed" : "\(milliseconds(after)) after the gate was closed"
        return "the last sample heard on \(sink): \(place); a quantum is \(quantum) frames, \(milliseconds(cycle))"
    }

    private static func before(_ back: Return) -> String {
        let loud = back.before.map(\.loudFrames).reduce(0, +)
        return "until then \(count(loud, "frame")) on \(count(UInt64(back.before.count), "sink"))"
    }

    private static func ports(_ change: RouteChange?) -> String {
        let ports = change?.current.outputs ?? []
        return ports.isEmpty ? "nothing" : ports.map(\.name).joined(separator: " and ")
    }

    private static func name(_ reason: RouteChangeReason?) -> String { reason.map { "\($0)" } ?? "no reason" }
}
