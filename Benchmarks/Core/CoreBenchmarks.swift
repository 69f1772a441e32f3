import AudioSessionCore
import Benchmark

/// Each is the coming and going of one thing, in a thousand repetitions. The names are those of files in Thresholds.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], scalingFactor: .kilo, maxDuration: .seconds(2),
        // Other machines and other load are no news; a step for each pair of sessions would be.
        thresholds: [.wallClock: .init(relative: [.p90: 900])])

    for count in [0, 100, 1000] {
        Benchmark("board-session-beside-\(count)") { benchmark in
            var board = Board(sessions: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { board.someoneComesAndGoes() }
            benchmark.stopMeasurement()
        }
    }

    for count in [0, 100, 1000] {
        Benchmark("routes-sink-beside-\(count)") { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.sinkComesAndGoes() }
            benchmark.stopMeasurement()
        }
        Benchmark("routes-stream-beside-\(count)") { benchmark in
            var machine = Machine(streams: count)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations { machine.streamComesAndGoes() }
            benchmark.stopMeasurement()
        }
    }
}
