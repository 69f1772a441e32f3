import FoundationEssentials
import TestSupport
import Testing

/// The measurements of a soak.
struct SoakFigures {
    /// The library's own part of the loss of a sink.
    static let removalDelayLimit = Duration.microseconds(5)

    /// Frames of the player at sinks that it was not moved to, for each removal of the sink in use.
    var leakedFrames: [Int] = []
    /// Frames that were played after the gate had closed at an empty jack, for each loss.
    var lateFrames: [Int] = []
    /// The time from the card's message to PipeWire to the closed gate.
    var gateLatencies: [Duration] = []
    /// The time from the beginning of PipeWire's callback to the closed gate.
    var removalDelays: [Duration] = []
    /// The time to the closed gate where the callback reads a whole list of routes first.
    var jackDelays: [Duration] = []

    func summary(of setting: SoakSetting) -> String {
        func row(_ name: String, _ values: [Duration], _ unit: Duration, _ unitName: String) -> String {
            let figures = [("p50", 50), ("p99", 99), ("max", 100)].map { label, percent in
                "\(label) \(tenths(values.percentile(percent) / unit)) \(unitName)"
            }
            return "  \(name)" + figures.joined(separator: ", ")
        }
        return [
            "soak: \(setting.testDescription): \(leakedFrames.count) runs",
            "  frames on another sink after a removal:   max \(leakedFrames.max() ?? 0)",
            "  frames after the gate at an empty jack:   max \(lateFrames.max() ?? 0)"
                + " (a cycle has \(setting.quantum))",
            row("from the card's loss to the closed gate:  ", gateLatencies, .milliseconds(1), "ms"),
            row("from PipeWire's callback to the gate:     ", removalDelays, .microseconds(1), "us"),
            row("the same for an empty jack:               ", jackDelays, .microseconds(1), "us"),
        ].joined(separator: "\n")
    }

    private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

extension [Duration] {
    /// The smallest value that so many percent of all do not exceed.
    func percentile(_ percent: Int) -> Duration {
        guard !isEmpty else { return .zero }
        return sorted()[Swift.max(0, (count * percent + 99) / 100 - 1)]
    }
}

/// The files and threads that this process holds.
struct Usage: CustomStringConvertible {
    var files: Int
    var threads: Int
    var kibibytes: Int

    static func now() throws -> Usage {
        func number(_ file: String, _ name: String) throws -> Int {
            let line = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").first {
                $0.hasPrefix(name)
            }
            return line?.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first ?? 0
        }
        return Usage(
            files: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            threads: try number("/proc/self/status", "Threads:"),
            kibibytes: try number("/proc/self/smaps_rollup", "Private_Dirty:"))
    }

    /// Waits until no more files and threads are held than before, because connections end on their
    /// own threads.
    static func settled(to first: Usage) async throws -> Usage {
        var usage = try now()
        try? await waitUntil("no more files and threads than \(first)") {
            usage = try now()
            return usage.files <= first.files && usage.threads <= first.threads
        }
        return usage
    }

    var description: String { "\(files) files, \(kibibytes) KiB" }
}
